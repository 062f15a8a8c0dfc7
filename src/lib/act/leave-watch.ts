import type { Context } from '../context.ts';
import { sharedRoster } from '../observe/shared-roster.ts';
import { isRunning, type ProcessIdentity } from '../store/process-identity.ts';

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
    if (performance.now() >= deadline) return { gone: false, word: undefined };
    await new Promise((done) => setTimeout(done, POLL_MS));
  }
}

/**
 * Whether a session whose process is gone has come back under another one: an exit that only moved it to the background
 * is not called left (facts, "From the public docs"). Reads the roster afresh until it says no twice, `settleMs` apart.
 */
export async function cameBack(
  context: Context,
  sessionId: string,
  who: ProcessIdentity,
  settleMs: number,
): Promise<'yes' | 'no' | 'unknown'> {
  const started = performance.now();
  for (;;) {
    const read = await sharedRoster({
      env: context.env,
      places: context.places,
      timeoutMs: context.policy.roster.timeout,
      maxAgeMs: 0,
      generation: () => 0,
    });
    if (!read.rows.ok) return 'unknown';
    const back = read.rows.value.some(
      (row) => row.sessionId === sessionId && row.pid !== undefined && row.pid !== who.pid && livePid(row.pid),
    );
    if (back) return 'yes';
    if (performance.now() - started >= settleMs) return 'no';
    await new Promise((done) => setTimeout(done, POLL_MS * 3));
  }
}

function livePid(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
