import { hostname } from 'node:os';
import type { ClaimsDatabase } from '../../claims/database.ts';
import { type Finished, finishLease } from '../../claims/finish.ts';
import type { Context } from '../../context.ts';
import { decideFinalization, type Finalization, type RunEnd } from '../../decide/claim/finalize.ts';
import { type NamedClaim, taskOfKey } from '../../decide/claim/sidecar.ts';
import { taskStateOf } from './task-state.ts';

/** What became of one claim. */
export interface ClaimEnd extends NamedClaim, Finalization {
  result: Finished;
}

/** The summary that a result file carries, with the field names of the source document. */
export interface FinalizationSummary {
  total: number;
  completed: number;
  abandoned: number;
  /** Finalized before, or somebody else's by now. */
  skipped: number;
  claims: ClaimEnd[];
}

/**
 * Finalizes what a run's sidecar names, unconditionally: whatever the launcher itself has claimed or not. ("CLAIMED=0 means the
 * launcher did not pre-claim. It does not mean this session holds no lease.") Each lease once; one that somebody else holds
 * by now is left to them.
 */
export async function finalizeClaims(
  context: Context,
  db: ClaimsDatabase,
  claims: readonly NamedClaim[],
  end: RunEnd,
  { source, statusCommand }: { source: string; statusCommand: string | undefined },
): Promise<FinalizationSummary> {
  const states = new Map<string, string | undefined>();
  const ends: ClaimEnd[] = [];
  for (const { key, generation } of claims) {
    const task = taskOfKey(key);
    if (task !== undefined && !states.has(task)) states.set(task, await taskStateOf(context, task, statusCommand));
    const decided = decideFinalization(end, task === undefined ? undefined : states.get(task));
    const result = await finishLease(
      db,
      { key, generation },
      { ...decided, rawExitCode: end.rawExitCode, source, host: hostname(), pid: process.pid, at: Date.now() },
    );
    ends.push({ key, generation, ...decided, result });
  }
  const done = ends.filter(({ result }) => result === 'done');
  const completed = done.filter(({ outcome }) => outcome === 'complete').length;
  return {
    total: ends.length,
    completed,
    abandoned: done.length - completed,
    skipped: ends.length - done.length,
    claims: ends,
  };
}

/** A summary of nothing. */
export const NO_CLAIMS: FinalizationSummary = { total: 0, completed: 0, abandoned: 0, skipped: 0, claims: [] };
