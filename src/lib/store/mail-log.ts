import { join } from 'node:path';
import { appendCompacted, type CompactedLog, readRecords } from './compacted-log.ts';
import type { Places } from './places.ts';
import type { ProcessIdentity } from './process-identity.ts';

export type MailRoute = 'socket' | 'typed';

/** What is about to be sent, to whom, and how. */
export interface MailIntent extends ProcessIdentity {
  id: string;
  sessionId: string;
  route: MailRoute;
  /** The process that sends: a session that holds a message names it. */
  senderPid: number;
  /** Size of the transcript before, where the search for the message begins. */
  transcriptBytes: number;
  text: string;
  from?: string;
}

/** What the log knows of one message. */
export interface Mail extends MailIntent {
  at: string;
  /** The last result; undefined when the sender was killed before it could write one. */
  result?: { verdict: string; words: string; cleared: boolean } | undefined;
}

const DAY_MS = 86_400_000;

/** Where messages are logged: an intent before the act, its result after it. */
export function mailFile(places: Places): string {
  return join(places.ownDir, 'mail.jsonl');
}

/** What of it is kept: an unconfirmed message may be sent again, under its id, long after; a delivered one for a week. */
function mailLog(places: Places): CompactedLog {
  return {
    file: mailFile(places),
    settledMs: 7 * DAY_MS,
    openMs: 30 * DAY_MS,
    maxBytes: 8 << 20,
    settles: ({ verdict, cleared }) => (verdict === 'delivered' || verdict === 'refused') && cleared !== false,
  };
}

/** Writes what is about to be done. */
export function logMailIntent(places: Places, intent: MailIntent): Promise<void> {
  return append(places, { at: new Date().toISOString(), step: 'intent', ...intent });
}

/** Writes what came of it. `cleared`: nothing that we typed stands in the pane. */
export function logMailResult(
  places: Places,
  id: string,
  result: { verdict: string; words: string; cleared: boolean },
): Promise<void> {
  return append(places, { at: new Date().toISOString(), step: 'result', id, ...result });
}

function append(places: Places, record: Record<string, unknown>): Promise<void> {
  return appendCompacted(mailLog(places), record);
}

/** The messages in the log, oldest first, each by its last intent and the result of that. */
export function readMail(places: Places): Mail[] {
  const byId = new Map<string, Mail>();
  for (const record of readRecords(mailFile(places))) {
    const { step, id } = record;
    if (typeof id !== 'string') continue;
    if (step === 'intent' && isIntent(record)) {
      // The search begins where the first try began: that one may have got through.
      const known = byId.get(id);
      const transcriptBytes = Math.min(known?.transcriptBytes ?? Number.MAX_SAFE_INTEGER, record.transcriptBytes);
      byId.delete(id);
      byId.set(id, { ...record, transcriptBytes });
    } else if (step === 'result') {
      const mail = byId.get(id);
      const { verdict, words, cleared } = record;
      if (mail !== undefined)
        mail.result = { verdict: String(verdict), words: String(words ?? ''), cleared: cleared !== false };
    }
  }
  return [...byId.values()];
}

function isIntent(record: Record<string, unknown>): record is Record<string, unknown> & Mail {
  const { at, sessionId, pid, procStart, route, senderPid, transcriptBytes, text } = record;
  return (
    [at, sessionId, procStart, route, text].every((field) => typeof field === 'string') &&
    [pid, senderPid, transcriptBytes].every((field) => Number.isSafeInteger(field))
  );
}

/** The text of ours that may still stand in the box of that very process: a sender was killed before it sent or took it back. */
export function ownTypedText(mails: readonly Mail[], who: ProcessIdentity): string | undefined {
  const typed = mails.filter(
    ({ route, pid, procStart, result }) =>
      route === 'typed' && pid === who.pid && procStart === who.procStart && result?.cleared !== true,
  );
  return typed.at(-1)?.text;
}
