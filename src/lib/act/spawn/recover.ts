import type { Context } from '../../context.ts';
import { monotonicMs } from '../../monotonic.ts';
import { processesNaming } from '../../observe/driver.ts';
import { observeAfresh } from '../../observe/fleet.ts';
import { callRoster } from '../../observe/roster.ts';
import { transcriptCandidates } from '../../observe/transcript-places.ts';
import { isOver } from './let-go.ts';
import { recordMeeting } from './record-start.ts';
import { expectedOf, settleAndRecord } from './start.ts';
import type { Start, Started } from './start-request.ts';

/** What became of a start whose command was killed after it had written its intent. */
export type Recovered =
  /** It had started something; here is what came of that. */
  | { kind: 'settled'; outcome: Started }
  /** It had started nothing that runs; `used`: its identity has been used up. */
  | { kind: 'nothing'; used: boolean }
  | { kind: 'unreadable'; why: string };

/** The same, as one look shows it. */
export type Remains = Exclude<Recovered, { kind: 'settled' }> | { kind: 'found' } | { kind: 'under-way' };

const POLL_MS = 300;

/**
 * Finds what an interrupted start has left, before anything is started again: while any process still carries its
 * identity among its words it is under way and waited for; a session or pane under that identity is verified like any
 * other start. Only when both roster and processes were read and show nothing has it started nothing.
 */
export async function recoverStart(context: Context, start: Start): Promise<Recovered> {
  const deadline = monotonicMs() + start.waitMs;
  for (;;) {
    const remains = await lookForRemains(context, start);
    if (remains.kind === 'found')
      return { kind: 'settled', outcome: await settleAndRecord(context, start, expectedOf(start, undefined), '') };
    if (remains.kind !== 'under-way') return remains;
    if (monotonicMs() >= deadline) {
      await recordMeeting(context, start);
      return { kind: 'unreadable', why: 'the interrupted start is still under way' };
    }
    await new Promise((done) => setTimeout(done, POLL_MS));
  }
}

/** Looks once for what an interrupted start has left, and touches nothing. */
export async function lookForRemains(context: Context, start: Start): Promise<Remains> {
  const { identity } = start;
  const { sessionId: sought } = expectedOf(start, undefined);
  const fleet = await observeAfresh(context, { withPanes: true });
  if (!fleet.roster.rows.ok) return { kind: 'unreadable', why: fleet.roster.rows.why };
  if (!fleet.processes.ok) return { kind: 'unreadable', why: fleet.processes.why };
  const unread = [...fleet.panes.values()].find((panes) => !panes.ok);
  if (unread !== undefined && !unread.ok) return { kind: 'unreadable', why: unread.why };
  const sessions = fleet.joined?.sessions ?? [];
  // A session on a dialog may have no id, and a background start none that it is known by: those are not the same.
  const found = sessions.some(
    ({ sessionId, name }) => (sought !== undefined && sessionId === sought) || name === identity.name,
  );
  const paned = [...fleet.panes.values()].some(
    (panes) => panes.ok && panes.value.some(({ session }) => session === identity.tmuxSession),
  );
  if (found || paned) return { kind: 'found' };
  if (processesNaming([identity.sid, identity.name], fleet).length > 0) return { kind: 'under-way' };
  const trace = await traceOf(context, start);
  return trace === 'under-way' ? { kind: 'under-way' } : { kind: 'nothing', used: trace === 'used' };
}

/**
 * What is left of a start of which no process runs: nothing, a session that ran and ended (its identity is used up), or a
 * background job that has no process yet, or for the moment: its daemon may (again) start one.
 */
async function traceOf({ env, policy, places }: Context, start: Start): Promise<'none' | 'used' | 'under-way'> {
  if (start.kind === 'interactive') {
    const ran =
      start.resume === undefined && transcriptCandidates(places.claudeDir, start.identity.sid, start.cwd).length > 0;
    return ran ? 'used' : 'none';
  }
  const all = await callRoster({ env, timeoutMs: policy.roster.timeout, all: true });
  if (!all.ok) return 'under-way';
  const own = all.value.filter(
    ({ name, sessionId }) =>
      name === start.identity.name || (start.resume !== undefined && sessionId === start.resume.sessionId),
  );
  if (own.length === 0) return 'none';
  return own.every(({ state }) => isOver(state)) ? 'used' : 'under-way';
}
