import { finalizeClaims, NO_CLAIMS } from '../lib/act/claim/finalize.ts';
import { askerHere } from '../lib/act/claim/holder.ts';
import { reapClaims } from '../lib/act/claim/reap.ts';
import { finalizationOf } from '../lib/claims/finish.ts';
import { judge, listLeases } from '../lib/claims/leases.ts';
import { withClaims } from '../lib/claims/open.ts';
import { type Handler, print } from '../lib/cli/output.ts';
import { EXIT, FleetError } from '../lib/errors.ts';
import { readSidecar } from '../lib/store/sidecar.ts';
import { formatDuration } from '../lib/words/duration.ts';
import { safeText } from '../lib/words/safe-text.ts';
import { table } from '../lib/words/table.ts';

/** `task-claim finalize`. */
export const claimFinalize: Handler = async (context, invocation, output) => {
  const { exitCode, sidecar, statusCommand } = invocation.options;
  if (typeof exitCode !== 'number')
    throw new FleetError(EXIT.usage, '--exit-code says how the run ended', { field: 'exit-code' });
  if (typeof sidecar !== 'string') throw new FleetError(EXIT.usage, '--sidecar names the file', { field: 'sidecar' });
  const { claims, skipped } = readSidecar(sidecar);
  const how = { source: 'task-claim', statusCommand: typeof statusCommand === 'string' ? statusCommand : undefined };
  const end = { rawExitCode: exitCode, timedOut: false };
  const summary =
    claims.length === 0 ? NO_CLAIMS : await withClaims(context, (db) => finalizeClaims(context, db, claims, end, how));
  const document = { schema: 'session-fleet.task-claim.finalize.v1', ...summary, skippedLines: skipped };
  const lines = summary.claims.map(({ key, outcome, reason, result }) => {
    const came = {
      done: `${outcome}: ${reason}`,
      'done-before': 'ended before',
      lost: 'somebody else’s by now',
      unknown: 'no such lease',
    };
    return `${safeText(key, 120)}: ${came[result]}`;
  });
  print(output, invocation, document, invocation.quiet ? '' : lines.join('\n'));
  if (skipped > 0 && !invocation.json)
    output.err(`task-claim: ${safeText(sidecar, 300)}: ${skipped} lines were no claims\n`);
  return EXIT.done;
};

/** `task-claim list`. */
export const claimList: Handler = async (context, invocation, output) => {
  const all = invocation.options.all === true;
  const asker = askerHere(context.places);
  const rows = await withClaims(context, async (db) => {
    const leases = await listLeases(db, { all });
    return Promise.all(
      leases.map(async (lease) => ({
        lease,
        verdict: await judge(db, lease, asker),
        ended: lease.state === 'held' ? undefined : await finalizationOf(db, lease),
      })),
    );
  });
  const document = {
    schema: 'session-fleet.task-claim.list.v1',
    claims: rows.map(({ lease, verdict, ended }) => ({
      key: lease.key,
      generation: lease.generation,
      state: lease.state,
      counts: verdict.kind === 'held',
      words: verdict.words,
      host: lease.holder.host,
      pid: lease.holder.pid,
      sid: lease.holder.sid ?? null,
      ttlMs: lease.ttlMs,
      acquiredAt: new Date(lease.acquiredAt).toISOString(),
      renewedAt: new Date(lease.renewedAt).toISOString(),
      outcome: ended?.outcome ?? null,
      reason: ended?.reason ?? null,
    })),
  };
  const lines = rows.map(({ lease, verdict, ended }) => [
    safeText(lease.key, 60),
    `g${lease.generation}`,
    lease.state === 'held' ? verdict.kind : lease.state,
    `${formatDuration(asker.now.wall - lease.acquiredAt)} ago`,
    safeText(ended === undefined ? verdict.words : `${ended.outcome}: ${ended.reason}`, 120),
  ]);
  print(output, invocation, document, table(lines).join('\n'));
  return EXIT.done;
};

/** `task-claim reap`. */
export const claimReap: Handler = async (context, invocation, output) => {
  const dryRun = invocation.options.dryRun === true;
  const { runs, leases, bad } = await reapClaims(context, { dryRun });
  const document = {
    schema: 'session-fleet.task-claim.reap.v1',
    dryRun,
    runs: runs.map(({ runId, summary, words }) => ({ runId, words, summary: summary ?? null })),
    leases,
    bad,
  };
  const lines = [
    ...runs.map(({ runId, words }) => `${runId}: ${safeText(words, 200)}`),
    ...leases.map(({ key, words }) => `${safeText(key, 120)}: ${safeText(words, 200)}`),
  ];
  print(output, invocation, document, invocation.quiet ? '' : lines.join('\n'));
  if (!invocation.json) for (const one of bad) output.err(`task-claim: ${safeText(one, 300)}: it holds no run\n`);
  return EXIT.done;
};
