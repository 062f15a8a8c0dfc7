import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { askerHere } from '../../act/claim/holder.ts';
import { reapClaims } from '../../act/claim/reap.ts';
import { judge, listLeases } from '../../claims/leases.ts';
import { withClaims } from '../../claims/open.ts';
import { momentNow } from '../../store/boot-clock.ts';
import { isLost, openRuns } from '../../store/claim-runs.ts';
import { type Finding, ok, wrong } from '../finding.ts';
import type { DoctorLook } from '../look.ts';

/** Claims that nobody will return any more, and runs whose launcher was lost. A fleet without claims has none to look at. */
export async function checkClaims({ context }: DoctorLook): Promise<Finding[]> {
  const { places, policy } = context;
  const used = policy.claims.url !== undefined || existsSync(join(places.ownDir, 'claims.db'));
  if (!used) return [ok('claims', 'none were ever taken here')];
  const { runs, bad } = openRuns(places);
  const here = { host: hostname(), boot: momentNow().boot };
  const lost = runs.filter((run) => isLost(run, here));
  const asker = askerHere(places);
  const lapsed = await withClaims(context, async (db) => {
    const found: string[] = [];
    for (const lease of await listLeases(db)) {
      const verdict = await judge(db, lease, asker);
      if (verdict.kind === 'lapsed') found.push(`${lease.key}: ${verdict.words}`);
    }
    return found;
  });
  const fix = async () => {
    const reaped = await reapClaims(context, { dryRun: false });
    return `${reaped.runs.length} runs and ${reaped.leases.length} leases returned`;
  };
  const findings: Finding[] = bad.map((dir) =>
    wrong('claims', `${dir} holds no run`, 'what it claimed is returned when it lapses', `rm -r '${dir}'`),
  );
  if (lost.length + lapsed.length > 0) {
    const words = `${lapsed.length} leases nobody will return, ${lost.length} lost runs${lapsed[0] === undefined ? '' : `; ${lapsed[0]}`}`;
    findings.push(
      wrong('claims', words, 'nobody else does this work until they are returned', 'task-claim reap', { fix }),
    );
  }
  return findings.length > 0 ? findings : [ok('claims', `${runs.length} runs under way, nothing stuck`)];
}
