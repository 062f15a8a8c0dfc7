import type { Context } from '../context.ts';
import { monotonicMs } from '../monotonic.ts';
import { callRoster } from '../observe/roster.ts';
import type { RosterRow } from '../observe/roster-rows.ts';
import type { Session } from '../observe/sessions.ts';
import { isRunning, type ProcessIdentity, procStartOf } from '../store/process-identity.ts';

const POLL_MS = 100;

/** Waits until that very process is gone, calling `meanwhile` between polls; a word from it ends the waiting. */
export async function waitGone(
  who: ProcessIdentity,
  deadline: number,
  meanwhile?: () => Promise<string | undefined>,
): Promise<{ gone: true } | { gone: false; word: string | undefined }> {
  for (;;) {
    if (!isRunning(who)) return { gone: true };
    const word = await meanwhile?.();
    if (word !== undefined) return { gone: false, word };
    if (monotonicMs() >= deadline) return { gone: false, word: undefined };
    await new Promise((done) => setTimeout(done, POLL_MS));
  }
}

export type CameBack = { answer: 'no' } | { answer: 'yes' | 'unknown'; words: string };

/**
 * Whether a session whose process is gone goes on under another one. Its id may be live again (its daemon, a resume); and
 * one that moved itself to the background comes back under a *new* id, as a background row of the same folder that began
 * after the act and has no pid for its first seconds (seen on 2.1.328), so finished rows are read too. Says no only after
 * a look that began `settleMs` after the end.
 */
export async function cameBack(context: Context, session: Session, since: number, settleMs: number): Promise<CameBack> {
  const started = monotonicMs();
  let failures = 0;
  for (;;) {
    const last = monotonicMs() - started >= settleMs;
    const rows = await callRoster({ env: context.env, timeoutMs: context.policy.roster.timeout, all: true });
    if (!rows.ok) {
      // One bad answer of a machine under load is asked again; only then is it called unknown.
      if (failures++ < 2) continue;
      return { answer: 'unknown', words: `its process is gone, but whether it came back can’t be told: ${rows.why}` };
    }
    const back = rows.value.find((row) => isItself(row, session));
    if (back !== undefined) return { answer: 'yes', words: `it goes on under the same id, as process ${back.pid}` };
    const moved = rows.value.find((row) => movedFrom(row, session, since));
    if (moved !== undefined)
      return { answer: 'yes', words: `it moved to the background and goes on there as ${moved.id ?? moved.sessionId}` };
    if (last) return { answer: 'no' };
    await new Promise((done) => setTimeout(done, POLL_MS * 3));
  }
}

function isItself(row: RosterRow, session: Session): boolean {
  return row.sessionId === session.sessionId && row.pid !== undefined && row.pid !== session.pid && mayLive(row.pid);
}

function movedFrom(row: RosterRow, { kind, cwd, sessionId }: Session, since: number): boolean {
  if (kind === 'background' || row.kind !== 'background' || row.cwd !== cwd) return false;
  if (row.sessionId === sessionId) return row.state !== 'stopped' && row.state !== 'done';
  // A second of slack: the daemon's clock reading and ours are two.
  return (
    row.startedAt !== undefined && row.startedAt >= since - 1000 && row.state !== 'stopped' && row.state !== 'done'
  );
}

/** Whether a process is there, or may be: one that can't be read is not called gone. */
function mayLive(pid: number): boolean {
  try {
    return procStartOf(pid) !== undefined;
  } catch {
    return true;
  }
}
