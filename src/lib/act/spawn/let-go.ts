import type { Context } from '../../context.ts';
import { monotonicMs } from '../../monotonic.ts';
import { callRoster } from '../../observe/roster.ts';
import { leave } from '../leave.ts';
import { leaveStuck } from './stuck.ts';
import type { Expected, Verified } from './verify.ts';

/** How long what is no Driver may take to leave. */
const LET_GO_MS = 20_000;

/** Whether Claude's own word for a background job says that its daemon starts it no more. */
export function isOver(state: string | undefined): boolean {
  return state === 'stopped' || state === 'done' || state === 'failed';
}

/** Lets what was started and is no Driver leave, by its own door. Whether nothing of it is left. */
export async function letGo(
  context: Context,
  expected: Expected,
  failed: Extract<Verified, { ok: false }>,
): Promise<boolean> {
  const { session, pane } = failed;
  if (session?.listed && session.sessionId !== undefined) return leaveWhenIdle(context, session.sessionId, LET_GO_MS);
  if (pane !== undefined) return leaveStuck(context, pane);
  if (expected.kind === 'background') return leaveUnseen(context, expected);
  return session === undefined;
}

/**
 * Lets a background job go that did not become a session in time: it still may, and would work on the brief as a second
 * Driver. Only a list of all jobs that shows none of its identity, or that it is over, says that there is nothing to let go.
 */
async function leaveUnseen(context: Context, { shortId, sessionId, name }: Expected): Promise<boolean> {
  const { env, policy } = context;
  const until = monotonicMs() + LET_GO_MS;
  for (;;) {
    const all = await callRoster({ env, timeoutMs: policy.roster.timeout, all: true });
    if (all.ok) {
      const own = all.value.filter((row) =>
        shortId !== undefined ? row.id === shortId : row.name === name || row.sessionId === sessionId,
      );
      const left = own.filter(({ pid, state }) => pid !== undefined || !isOver(state));
      if (left.length === 0) return true;
      const [id] = left.flatMap(({ pid, id: short }) => (pid === undefined || short === undefined ? [] : [short]));
      if (id !== undefined && (await leaveWhenIdle(context, id, Math.max(0, until - monotonicMs())))) return true;
    }
    if (monotonicMs() >= until) return false;
    await new Promise((done) => setTimeout(done, 500));
  }
}

/** Asks a session to leave, again while it is busy with its first turn. True once it has left. */
export async function leaveWhenIdle(context: Context, id: string, waitMs: number): Promise<boolean> {
  const until = monotonicMs() + waitMs;
  for (;;) {
    const { verdict } = await leave(context, id, { waitMs: 10_000, dryRun: false });
    if (verdict === 'left') return true;
    if (monotonicMs() >= until) return false;
    await new Promise((done) => setTimeout(done, 500));
  }
}
