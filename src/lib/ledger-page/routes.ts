import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { hostname } from 'node:os';
import { decidePageRequest, FORM_LIMIT_BYTES, type PageRequest } from '../decide/page-request.ts';
import { EXIT, isFleetError, messageOf } from '../errors.ts';
import { answerDecision, readDecision, readDecisions } from '../store/decisions.ts';
import type { Places } from '../store/places.ts';
import { chosenOption, willDo } from '../words/decision-words.ts';
import { readForm } from './form.ts';
import { decisionPage, type PageFacts } from './page.ts';
import { redirect, respondLine, respondPage } from './respond.ts';

/** Whose ledger is served, who answers by the page, and the secret word of its address. */
export interface Ledger {
  places: Places;
  by: string;
  token: string;
}

/** Answers one request. Rejects when its sender goes away, or the ledger can't be read. */
export async function handle(ledger: Ledger, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [target = '', query = ''] = (request.url ?? '').split('?', 2);
  const [, word = '', path = ''] = /^\/([^/]*)(.*)$/.exec(target) ?? [];
  const verdict = decidePageRequest({ ...headersOf(request), tokenOk: isSame(word, ledger.token), path });
  switch (verdict.kind) {
    case 'refuse':
      return respondLine(response, verdict.status, verdict.words);
    case 'add-slash':
      return redirect(response, `/${ledger.token}/`);
    case 'page':
      return page(ledger, response, 200, { banner: answered(ledger, query) });
    case 'answer':
      return takeAnswer(ledger, request, response);
  }
}

function headersOf({ method = '', headers }: IncomingMessage): Omit<PageRequest, 'tokenOk' | 'path'> {
  const site = headers['sec-fetch-site'];
  return {
    method,
    host: headers.host,
    origin: headers.origin,
    site: Array.isArray(site) ? site.join() : site,
    contentType: headers['content-type'],
    length: headers['content-length'],
  };
}

/** In the same time for every wrong word. */
function isSame(word: string, token: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(word), digest(token));
}

async function takeAnswer(ledger: Ledger, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const form = await readForm(request, FORM_LIMIT_BYTES);
  if (form === undefined) return respondLine(response, 413, 'too long');
  const id = form.get('decision');
  const option = form.get('option');
  const note = (form.get('note') ?? '').replaceAll('\r\n', '\n');
  if (!id || !option) return respondLine(response, 400, 'not a form of this page');
  try {
    await answerDecision(ledger.places, id, { option, by: ledger.by, note });
  } catch (error) {
    const code = isFleetError(error) ? error.exitCode : EXIT.internal;
    const banner = { good: false, head: 'Your answer was not taken.', words: messageOf(error) };
    return page(ledger, response, STATUS[code] ?? 500, { banner, draft: { id, note } });
  }
  // So that loading the page again asks for the page, and does not answer again.
  redirect(response, `./?answered=${id}`);
}

const STATUS: Readonly<Record<number, number>> = {
  [EXIT.usage]: 400,
  [EXIT.noSuch]: 404,
  [EXIT.exists]: 409,
  [EXIT.guard]: 409,
  [EXIT.later]: 503,
};

/** What to say of the answer just given, from what stands in the ledger: the address could say anything. */
function answered({ places }: Ledger, query: string): PageFacts['banner'] {
  const id = new URLSearchParams(query).get('answered');
  if (id === null) return undefined;
  try {
    const decision = readDecision(places, id);
    const chosen = chosenOption(decision);
    return chosen && { good: true, head: `Answered: ${chosen.label}.`, words: `${decision.title}: ${willDo(chosen)}` };
  } catch {
    return undefined;
  }
}

function page(
  { places, by }: Ledger,
  response: ServerResponse,
  status: number,
  more: Pick<PageFacts, 'banner' | 'draft'>,
): void {
  const nonce = randomBytes(16).toString('base64');
  const html = decisionPage({ ...readDecisions(places), ...more, now: Date.now(), host: hostname(), by, nonce });
  respondPage(response, status, html, nonce);
}
