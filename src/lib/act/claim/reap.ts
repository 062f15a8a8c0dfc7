import { rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { finishLease } from '../../claims/finish.ts';
import { judge, listLeases } from '../../claims/leases.ts';
import { withClaims } from '../../claims/open.ts';
import type { Context } from '../../context.ts';
import { messageOf } from '../../errors.ts';
import { momentNow } from '../../store/boot-clock.ts';
import { type ClaimRun, isLost, openRuns } from '../../store/claim-runs.ts';
import { readSidecar } from '../../store/sidecar.ts';
import { type FinalizationSummary, finalizeClaims } from './finalize.ts';
import { askerHere } from './holder.ts';

export interface ReapReport {
  /** Runs whose launcher was lost, with what became of their claims. */
  runs: { runId: string; summary: FinalizationSummary | undefined; words: string }[];
  /** Leases of holders that are gone, or that have run out. */
  leases: { key: string; generation: number; reason: string; words: string }[];
  /** Folders that hold no run. */
  bad: string[];
}

/**
 * Returns what nobody will return any more: claims of runs whose launcher was lost (by their sidecar, once their command is over
 * too), then every lease whose holder is gone, is of an earlier boot, or has not renewed it for its ttl.
 */
export function reapClaims(context: Context, { dryRun }: { dryRun: boolean }): Promise<ReapReport> {
  const { places } = context;
  return withClaims(context, async (db) => {
    const { runs, bad } = openRuns(places);
    const report: ReapReport = { runs: [], leases: [], bad };
    const here = { host: hostname(), boot: momentNow().boot };
    for (const run of runs) {
      if (!isSurelyLost(run, here)) continue;
      try {
        const { claims } = readSidecar(run.sidecar);
        const end = { rawExitCode: undefined, timedOut: false };
        const how = { source: 'reap', statusCommand: run.statusCommand };
        const summary = dryRun ? undefined : await finalizeClaims(context, db, claims, end, how);
        if (!dryRun) rmSync(run.dir, { recursive: true, force: true });
        report.runs.push({ runId: run.runId, summary, words: `its launcher was lost; ${claims.length} claims named` });
      } catch (error) {
        report.runs.push({ runId: run.runId, summary: undefined, words: messageOf(error) });
      }
    }
    const asker = askerHere(places);
    for (const lease of await listLeases(db)) {
      const verdict = await judge(db, lease, asker);
      if (verdict.kind !== 'lapsed') continue;
      const { key, generation } = lease;
      const ended = dryRun
        ? 'done'
        : await finishLease(db, lease, {
            outcome: 'abandon',
            reason: verdict.reason,
            rawExitCode: undefined,
            source: 'reap',
            host: here.host,
            pid: process.pid,
            at: asker.now.wall,
          });
      if (ended === 'done') report.leases.push({ key, generation, reason: verdict.reason, words: verdict.words });
    }
    return report;
  });
}

function isSurelyLost(run: ClaimRun, here: { host: string; boot: string }): boolean {
  try {
    return isLost(run, here);
  } catch {
    return false;
  }
}
