import type { Context } from '../context.ts';
import { type Seen, type Verdict, verdictOf } from '../decide/message.ts';
import { monotonicMs } from '../monotonic.ts';
import type { ExitLook } from '../observe/exit-look.ts';
import { followTrace } from '../observe/message-trace.ts';
import type { Sourced } from '../reading.ts';
import type { Mail } from '../store/mail-log.ts';
import { isRunning } from '../store/process-identity.ts';

const POLL_MS = 100;
/** A session in a turn gets this long to take in what it queued; then `queued` is the answer. */
const QUEUED_MS = 1500;

export interface Watched extends Seen {
  verdict: Verdict;
}

/**
 * Follows the transcript until a turn has the message, nothing more can come of it, or the time is up. A message queued
 * behind a turn is not waited for, nor is one that was held: a person decides about it.
 */
export async function watchMessage(
  context: Context,
  { session }: ExitLook,
  mail: Pick<Mail, 'id' | 'sessionId' | 'senderPid' | 'transcriptBytes'>,
  { waitMs, untilQueued }: { waitMs: number; untilQueued: boolean },
): Promise<Sourced<Watched>> {
  const { id, senderPid, transcriptBytes: fromByte } = mail;
  const next = followTrace({
    claudeDir: context.places.claudeDir,
    sessionId: mail.sessionId,
    cwd: session.cwd,
    sought: { id, senderPid },
    fromByte,
  });
  const occupied = session.status !== 'idle';
  const deadline = monotonicMs() + waitMs;
  let queuedSince: number | undefined;
  for (;;) {
    // Whether it runs is read first: what it wrote before its end is then in what is read next.
    const running = isRunning(session);
    const read = next();
    if (!read.ok) return read;
    const trace = read.value;
    const now = monotonicMs();
    if (trace.state === 'queued') queuedSince ??= now;
    else queuedSince = undefined;
    const patience = untilQueued ? 0 : occupied ? QUEUED_MS : Number.POSITIVE_INFINITY;
    const settled =
      trace.state === 'taken' ||
      trace.state === 'held' ||
      trace.state === 'withdrawn' ||
      (queuedSince !== undefined && now - queuedSince >= patience);
    if (settled || !running || now >= deadline) {
      const seen: Seen = { trace, startedAt: session.startedAt, occupied, running };
      return { ok: true, value: { ...seen, verdict: verdictOf(seen) } };
    }
    await new Promise((done) => setTimeout(done, POLL_MS));
  }
}
