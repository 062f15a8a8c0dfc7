import type { Context } from '../context.ts';
import { verdictOf } from '../decide/message.ts';
import { queueIsLost, queueOf } from '../decide/message-trace.ts';
import type { Sourced } from '../reading.ts';
import { readTail } from '../store/json-lines.ts';
import { type Mail, readMail } from '../store/mail-log.ts';
import { markedId } from '../words/message-text.ts';
import { followTrace } from './message-trace.ts';
import type { Session } from './sessions.ts';
import { readTranscript } from './transcript.ts';

/** A message that no turn of the session has taken, as far as is known. */
export interface Undelivered {
  /** Undefined for one that this toolkit did not send. */
  messageId: string | undefined;
  state: 'queued' | 'lost' | 'unconfirmed';
  /** ISO 8601, when it was queued or sent. */
  at: string | undefined;
  words: string;
  text: string;
}

/** The queue is read from so much of the transcript's end. */
const TAIL_BYTES = 4 << 20;
/** What was not confirmed for so long is no longer waited for. */
const FORGOTTEN_MS = 7 * 86_400_000;

/**
 * What waits for a session: its own queue by the end of its transcript, and what was sent and not confirmed by the mail log.
 * `session` is undefined when it does not run; `value` when neither a transcript nor a message of it is known.
 */
export function undeliveredTo(
  context: Context,
  sessionId: string,
  session: Session | undefined,
  now: number,
): Sourced<Undelivered[] | undefined> {
  const { claudeDir } = context.places;
  const found = readTranscript(claudeDir, sessionId, session?.cwd, { glance: true });
  if (found.kind === 'unknown') return { ok: false, why: found.why };
  const mails = readMail(context.places).filter((mail) => mail.sessionId === sessionId);
  if (found.kind === 'none' && mails.length === 0 && session === undefined) return { ok: true, value: undefined };

  const queued = found.kind === 'found' ? queueOf(readTail(found.file, TAIL_BYTES).records) : [];
  const waiting = queued.map(({ content, queuedAt }): Undelivered => {
    const lost = session === undefined || queueIsLost(queuedAt, session.startedAt);
    return {
      messageId: markedId(content),
      state: lost ? 'lost' : 'queued',
      at: queuedAt === undefined ? undefined : new Date(queuedAt).toISOString(),
      words: lost ? 'it was queued, and the process whose queue that was is gone' : 'in the session’s queue',
      text: content,
    };
  });
  for (const mail of mails) {
    if (waiting.some(({ messageId }) => messageId === mail.id) || isSettled(mail, now)) continue;
    const doubt = doubtAbout(context, mail, session);
    if (doubt !== undefined)
      waiting.push({ messageId: mail.id, state: 'unconfirmed', at: mail.at, words: doubt, text: mail.text });
  }
  return { ok: true, value: waiting };
}

/** Delivered, refused before anything went out, or too long ago. */
function isSettled({ at, result }: Mail, now: number): boolean {
  return result?.verdict === 'delivered' || result?.verdict === 'refused' || now - Date.parse(at) > FORGOTTEN_MS;
}

function doubtAbout(context: Context, mail: Mail, session: Session | undefined): string | undefined {
  const { claudeDir } = context.places;
  const { id, sessionId, senderPid, transcriptBytes: fromByte } = mail;
  const read = followTrace({ claudeDir, sessionId, cwd: session?.cwd, sought: { id, senderPid }, fromByte })();
  if (!read.ok) return read.why;
  const running = session !== undefined && session.pid === mail.pid && session.procStart === mail.procStart;
  const { verdict, words } = verdictOf({ trace: read.value, startedAt: session?.startedAt, occupied: false, running });
  return verdict === 'delivered' ? undefined : words;
}
