import { rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { type FinalizationSummary, finalizeClaims, NO_CLAIMS } from '../lib/act/claim/finalize.ts';
import { askerHere, holderOf } from '../lib/act/claim/holder.ts';
import { launch } from '../lib/act/claim/launch.ts';
import { acquire, renew } from '../lib/claims/leases.ts';
import { withClaims } from '../lib/claims/open.ts';
import type { Handler, Output } from '../lib/cli/output.ts';
import type { Context } from '../lib/context.ts';
import { endReason, isCleanEnd, type RunEnd } from '../lib/decide/claim/finalize.ts';
import { isClaimKey } from '../lib/decide/claim/sidecar.ts';
import { EXIT, FleetError, messageOf } from '../lib/errors.ts';
import { writeAtomic } from '../lib/store/atomic-write.ts';
import { momentNow } from '../lib/store/boot-clock.ts';
import { type ClaimRun, newRun, writeRun } from '../lib/store/claim-runs.ts';
import { ownIdentity, procStartOf } from '../lib/store/process-identity.ts';
import { HOLDER_VARIABLE, nameInSidecar, readSidecar, SIDECAR_VARIABLE } from '../lib/store/sidecar.ts';
import { safeText } from '../lib/words/safe-text.ts';

/** Leases are renewed at a third of their time, so that two attempts may fail. */
const RENEWALS_PER_TTL = 3;

/** `session-run -- CMD…`. */
export const sessionRun: Handler = async (context, invocation, output) => {
  const { options, args } = invocation;
  const { timeout, category, preclaim, ttl, result, statusCommand } = options;
  if (preclaim !== undefined && !isClaimKey(String(preclaim)))
    throw new FleetError(EXIT.usage, `${safeText(String(preclaim), 60)} can be no key`, { field: 'preclaim' });
  const ttlMs = typeof ttl === 'number' ? ttl : context.policy.claims.ttl;
  if (ttlMs < 1000) throw new FleetError(EXIT.usage, '--ttl is at least 1s', { field: 'ttl' });
  const run = newRun(context.places, {
    host: hostname(),
    boot: momentNow().boot,
    launcher: ownIdentity(),
    startedAt: new Date().toISOString(),
    command: [...args],
    category: typeof category === 'string' ? category : undefined,
    statusCommand: typeof statusCommand === 'string' ? statusCommand : undefined,
    resultFile: typeof result === 'string' ? resolve(result) : undefined,
  });
  if (typeof preclaim === 'string') await claimFirst(context, run, preclaim, ttlMs);
  const renewing = keepRenewing(context, run, ttlMs / RENEWALS_PER_TTL);
  const end = await launch({
    command: args,
    env: { ...context.env, [SIDECAR_VARIABLE]: run.sidecar, [HOLDER_VARIABLE]: String(process.pid) },
    timeoutMs: typeof timeout === 'number' ? timeout : undefined,
    onStart: (pid) => nameChild(run, pid),
  });
  clearInterval(renewing);
  await finish(context, run, end, output);
  return end.code;
};

/** The pre-claim. It is named in the sidecar like any other: at the end nobody asks who claimed it. */
async function claimFirst(context: Context, run: ClaimRun, key: string, ttlMs: number): Promise<void> {
  try {
    const holder = holderOf(process.pid, context.env);
    const request = { key, ttlMs, holder, category: run.category };
    const got = await withClaims(context, (db) => acquire(db, request, askerHere(context.places)));
    if (!got.ok) throw new FleetError(EXIT.later, `${key}: ${safeText(got.words, 300)}; not run`);
    nameInSidecar(run.sidecar, { key, generation: got.lease.generation, ...holder, preclaim: true });
  } catch (error) {
    rmSync(run.dir, { recursive: true, force: true });
    throw error;
  }
}

/** Writes down which process the command is, for whoever finds this run without its launcher. */
function nameChild(run: ClaimRun, pid: number): void {
  try {
    const procStart = procStartOf(pid);
    if (procStart !== undefined) writeRun({ ...run, child: { pid, procStart } });
  } catch {
    // The command runs all the same; a reap that finds no child takes the run for over, and its leases are fenced.
  }
}

/** Renews what the sidecar names while the command runs. One that is somebody else's by now is not. */
function keepRenewing(context: Context, run: ClaimRun, everyMs: number): NodeJS.Timeout {
  let busy = false;
  const timer = setInterval(async () => {
    if (busy) return;
    busy = true;
    try {
      const { claims } = readSidecar(run.sidecar);
      if (claims.length > 0) {
        await withClaims(context, async (db) => {
          for (const claim of claims) await renew(db, claim, momentNow());
        });
      }
    } catch {
      // The next time may do better; a lease that was not renewed lapses, and its end is refused then.
    } finally {
      busy = false;
    }
  }, everyMs);
  timer.unref();
  return timer;
}

/** Finalizes, writes the result, and forgets the run; in this order, so that one that is ended in between is reaped. */
async function finish(context: Context, run: ClaimRun, end: RunEnd, output: Output): Promise<void> {
  let summary: FinalizationSummary = NO_CLAIMS;
  let problem: string | undefined;
  try {
    const { claims, skipped } = readSidecar(run.sidecar);
    if (skipped > 0) output.err(`session-run: ${skipped} lines of the sidecar were no claims\n`);
    const how = { source: 'session-run', statusCommand: run.statusCommand };
    if (claims.length > 0) summary = await withClaims(context, (db) => finalizeClaims(context, db, claims, end, how));
  } catch (error) {
    problem = messageOf(error);
    output.err(`session-run: its claims were not finalized, task-claim reap will: ${problem}\n`);
  }
  for (const { key, result } of summary.claims) {
    if (result === 'lost') output.err(`session-run: ${safeText(key, 120)}: somebody else’s by now, left alone\n`);
  }
  try {
    if (run.resultFile !== undefined)
      writeAtomic(run.resultFile, `${JSON.stringify(resultOf(run, end, summary, problem))}\n`);
  } catch (error) {
    output.err(`session-run: ${run.resultFile}: ${messageOf(error)}\n`);
  }
  if (problem === undefined) rmSync(run.dir, { recursive: true, force: true });
}

/** The result file; its field names are those of the source document. */
function resultOf(run: ClaimRun, end: RunEnd, summary: FinalizationSummary, problem: string | undefined) {
  return {
    schema: 'session-fleet.session-run.result.v1',
    runId: run.runId,
    category: run.category ?? null,
    command: run.command,
    startedAt: run.startedAt,
    endedAt: new Date().toISOString(),
    exit_clean: isCleanEnd(end),
    reason: endReason(end),
    raw_exit_code: end.rawExitCode ?? null,
    task_claim_finalization_summary: summary,
    task_claim_finalization_problem: problem ?? null,
  };
}
