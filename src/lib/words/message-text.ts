import type { Sourced } from '../reading.ts';
import { safeText } from './safe-text.ts';

/** More than this is no message but a file: write one and name it. */
export const MESSAGE_LIMIT_BYTES = 64 << 10;

const ID = /^[a-z0-9-]{4,60}$/;
const MARKER_LINE = /^\[message [a-z0-9-]+(?: from .*)?\]$/;

/** Whether a word may be the id of a message. It becomes part of a line that is searched for, so nothing else may. */
export function isMessageId(word: string): boolean {
  return ID.test(word);
}

/**
 * A text made fit to be sent as data: escapes and control characters other than newline and tab become `·`, so that it can
 * neither draw nor press anything where it is shown; a line that looks like the mark of a message is quoted, so that no
 * text can vouch for the delivery of another. Refuses what is empty, too long, or holds a NUL (then it is no text).
 */
export function messageBody(text: string): Sourced<string> {
  if (text.includes('\0')) return { ok: false, why: 'it holds a NUL byte, so it is no text' };
  const plain = text
    .replace(/\r\n?/g, '\n')
    .replace(/[\u0001-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '·')
    .replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd')
    .trimEnd();
  if (plain.trim() === '') return { ok: false, why: 'it is empty' };
  const bytes = Buffer.byteLength(plain);
  if (bytes > MESSAGE_LIMIT_BYTES)
    return { ok: false, why: `it has ${bytes} bytes, the limit is ${MESSAGE_LIMIT_BYTES}; send the name of a file` };
  const lines = plain.split('\n').map((line) => (MARKER_LINE.test(line.trim()) ? `> ${line}` : line));
  return { ok: true, value: lines.join('\n') };
}

/** The text as it is sent: the body, and a last line by which it is found again in the transcript. */
export function markedMessage(body: string, id: string, from?: string): string {
  const sender = from === undefined ? '' : ` from ${safeText(from, 40).replace(/[[\]]/g, '·')}`;
  return `${body}\n[message ${id}${sender}]`;
}

/** What every line that may carry the mark of `id` holds, in JSON too. */
export function markStart(id: string): string {
  return `[message ${id}`;
}

/** Whether a text carries the mark of `id` on a line of its own. */
export function carriesMark(text: string, id: string): boolean {
  const start = markStart(id);
  for (let at = text.indexOf(start); at >= 0; at = text.indexOf(start, at + 1)) {
    if (at > 0 && text[at - 1] !== '\n' && text[at - 1] !== '\r') continue;
    const line = (/^[^\r\n]*/.exec(text.slice(at, at + 200)) ?? [''])[0].trimEnd();
    if (line === `${start}]` || (line.startsWith(`${start} from `) && line.endsWith(']'))) return true;
  }
  return false;
}

/** The id in the mark at the end of a text; undefined when there is none. */
export function markedId(text: string): string | undefined {
  return /(?:^|\n)\[message ([a-z0-9-]+)(?: from [^\n]*)?\]\s*$/.exec(text.slice(-300))?.[1];
}
