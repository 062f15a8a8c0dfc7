import { join } from 'node:path';
import { type LeaveOutcome, leave } from '../lib/act/leave.ts';
import { type Handler, print } from '../lib/cli/output.ts';
import type { Context } from '../lib/context.ts';
import { decideExpire, type ExpireVerdict, isMassVerdict } from '../lib/decide/expire.ts';
import { EXIT, type ExitCode, FleetError, messageOf } from '../lib/errors.ts';
import { expireFacts } from '../lib/observe/expire-look.ts';
import { observeAfresh } from '../lib/observe/fleet.ts';
import { logObserved, observes } from '../lib/observe-mode.ts';
import { appendLine } from '../lib/store/json-lines.ts';
import { acquireLock } from '../lib/store/lock.ts';
import { safeText } from '../lib/words/safe-text.ts';
import { table } from '../lib/words/table.ts';

interface Row {
  sessionId: string | undefined;
  name: string | undefined;
  pid: number;
  verdict: ExpireVerdict;
  outcome?: LeaveOutcome;
  failure?: string;
}

/** `session-cap expire`. */
export const expire: Handler = async (context, invocation, output) => {
  const { idle, wait, allowMass } = invocation.options;
  const observed = observes(context, 'expire');
  const dryRun = invocation.options.dryRun === true || observed;
  const lock = dryRun
    ? undefined
    : await acquireLock(join(context.places.ownDir, 'expire'), { waitMs: 0, what: 'session-cap expire' });
  try {
    const fleet = await observeAfresh(context, { withPanes: true });
    if (!fleet.roster.rows.ok) throw new FleetError(EXIT.unreadable, `nothing done: ${fleet.roster.rows.why}`);
    if (!fleet.processes.ok) throw new FleetError(EXIT.unreadable, `nothing done: ${fleet.processes.why}`);
    const idleMs = typeof idle === 'number' ? idle : context.policy.expire.idle;
    const rows: Row[] = (await expireFacts(context, fleet)).map((facts) => ({
      sessionId: facts.sessionId,
      name: facts.name,
      pid: facts.pid,
      verdict: decideExpire(facts, idleMs),
    }));
    const due = rows.filter(({ verdict }) => verdict.kind === 'expire');
    const mass = isMassVerdict(due.length, rows.length, context.policy.breaker);
    const stopped = mass && allowMass !== true;
    if (stopped) logMass(context, due.length, rows.length);
    if (observed)
      for (const { sessionId, verdict } of due)
        logObserved(context, { rule: 'expire', sessionId, words: verdict.words });
    if (!dryRun && !stopped) {
      for (const row of due) await letLeave(context, row, typeof wait === 'number' ? wait : context.policy.exit.wait);
    }
    const document = expireDocument(rows, { dryRun, mass, stopped, idleMs });
    const code = expireExit(rows, stopped);
    print(output, invocation, document, invocation.quiet && code === EXIT.done ? '' : expireText(rows));
    if (stopped) {
      output.err(
        `session-cap: refusing to expire ${due.length} of ${rows.length} sessions at once: more likely a misreading; look at the verdicts, then --allow-mass\n`,
      );
    }
    return code;
  } finally {
    lock?.release();
  }
};

async function letLeave(context: Context, row: Row, waitMs: number): Promise<void> {
  try {
    // leave reads its own guards afresh; ours are older by every session that left before this one.
    row.outcome = await leave(context, row.sessionId ?? '', { waitMs, dryRun: false });
  } catch (error) {
    row.failure = messageOf(error);
  }
}

function expireExit(rows: readonly Row[], stopped: boolean): ExitCode {
  if (stopped) return EXIT.guard;
  const open = rows.some(
    ({ outcome, failure }) => failure !== undefined || (outcome !== undefined && outcome.verdict === 'still-running'),
  );
  if (open) return EXIT.later;
  return rows.some(({ outcome }) => outcome?.verdict === 'unreadable') ? EXIT.unreadable : EXIT.done;
}

function expireDocument(
  rows: readonly Row[],
  flags: { dryRun: boolean; mass: boolean; stopped: boolean; idleMs: number },
) {
  return {
    schema: 'session-fleet.session-cap.expire.v1',
    ...flags,
    sessions: rows.map(({ sessionId, name, pid, verdict, outcome, failure }) => ({
      sessionId: sessionId ?? null,
      name: name ?? null,
      pid,
      verdict: verdict.kind,
      reason: verdict.reason,
      words: verdict.words,
      outcome: outcome?.verdict ?? (failure === undefined ? null : 'failed'),
      outcomeWords: outcome?.words ?? failure ?? null,
      resume: outcome?.resume ?? null,
    })),
  };
}

function expireText(rows: readonly Row[]): string {
  if (rows.length === 0) return 'no live session';
  const lines = rows.map(({ sessionId, name, pid, verdict, outcome, failure }) => [
    verdict.kind.toUpperCase(),
    sessionId ?? `pid ${pid}`,
    safeText(name ?? '-', 30),
    safeText([verdict.words, outcome?.words ?? failure].filter((word) => word !== undefined).join(' → '), 160),
  ]);
  return table(lines).join('\n');
}

function logMass({ places }: Context, expiring: number, live: number): void {
  appendLine(join(places.ownDir, 'alarms.jsonl'), {
    at: new Date().toISOString(),
    kind: 'mass-expire-verdict',
    expiring,
    live,
  });
}
