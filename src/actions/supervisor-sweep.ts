import { type SweepReport, sweep } from '../lib/act/sweep/sweep.ts';
import { type Handler, type Output, print } from '../lib/cli/output.ts';
import type { Invocation } from '../lib/cli/spec.ts';
import { taskNamed } from '../lib/cli/task-argument.ts';
import type { Context } from '../lib/context.ts';
import { type TaskPlan, verdictsIn } from '../lib/decide/sweep/plan.ts';
import { EXIT, type ExitCode, isFleetError, messageOf } from '../lib/errors.ts';
import { safeText } from '../lib/words/safe-text.ts';

/** A sweep begins nothing new after this long, so that a minute's timer finds the next one free to run. */
const BUDGET_MS = 50_000;

/** `supervisor-sweep [TASK...]`. */
export const supervisorSweep: Handler = async (context, invocation, output) => {
  for (const name of invocation.args) taskNamed(context.places.tasksDir, name);
  const { every } = invocation.options;
  if (typeof every !== 'number') return once(context, invocation, output);
  for (;;) {
    try {
      await once(context, invocation, output);
    } catch (error) {
      // Another sweep, or a full disk: the next one may do better.
      if (!isFleetError(error)) throw error;
      output.err(`supervisor-sweep: ${messageOf(error)}\n`);
    }
    await new Promise((done) => setTimeout(done, every));
  }
};

async function once(context: Context, invocation: Invocation, output: Output): Promise<ExitCode> {
  const dryRun = invocation.options.dryRun === true;
  const report = await sweep(context, { dryRun, only: invocation.args, budgetMs: BUDGET_MS });
  const code = exitOf(report);
  const text = [...(invocation.options.explain === true ? explain(report) : []), ...said(report, dryRun)].join('\n');
  print(output, invocation, documentOf(report, dryRun), invocation.quiet ? '' : text);
  if (!invocation.json) for (const line of troubles(report)) output.err(`supervisor-sweep: ${line}\n`);
  return code;
}

function exitOf({ look, outcomes }: SweepReport): ExitCode {
  if (!look.fleet.roster.rows.ok || !look.fleet.processes.ok) return EXIT.unreadable;
  if (outcomes.some(({ result }) => result === 'failed')) return EXIT.internal;
  return look.bad.length > 0 ? EXIT.badData : EXIT.done;
}

/** What was done, or would be. */
function said({ plans, outcomes }: SweepReport, dryRun: boolean): string[] {
  if (!dryRun) {
    return outcomes.map(({ task, rule, kind, result, words }) => {
      const what = rule === kind ? rule : `${rule} ${kind}`;
      return `${task === undefined ? '(fleet)' : safeText(task, 60)}  ${what}, ${result}: ${safeText(words, 300)}`;
    });
  }
  return plans.flatMap((plan) =>
    verdictsIn(plan)
      .filter(({ fires }) => fires)
      .map(({ rule, kind, words }) => `${safeText(plan.name, 60)}  would ${rule} ${kind}: ${safeText(words, 300)}`),
  );
}

function explain({ plans, look, breaker }: SweepReport): string[] {
  const head = `${plans.length} tasks looked at, ${look.settled} settled${look.bad.length > 0 ? `, ${look.bad.length} bad` : ''}`;
  const held = breaker.tripped ? [`breaker ${breaker.reason}: ${safeText(breaker.words, 200)}`] : [];
  return [head, ...held, ...plans.flatMap(explainTask), ''];
}

function explainTask(plan: TaskPlan): string[] {
  const lines = verdictsIn(plan).map(
    ({ rule, kind, fires, words }) => `  ${fires ? '*' : '-'} ${rule.padEnd(11)} ${kind}: ${safeText(words, 300)}`,
  );
  return [`${safeText(plan.name, 60)} (${plan.facts.state})`, ...lines];
}

function troubles({ look, breaker, outcomes }: SweepReport): string[] {
  return [
    ...(breaker.tripped && breaker.reason !== 'first-sweep'
      ? [`nothing is exited, revived or parked: ${safeText(breaker.words, 200)}`]
      : []),
    ...look.bad.map(({ file, field, problem }) => `${safeText(file, 300)}: ${field}: ${safeText(problem, 160)}`),
    ...outcomes
      .filter(({ result }) => result === 'failed')
      .map(({ task, rule, words }) => `${safeText(task ?? 'fleet', 60)}: ${rule}: ${safeText(words, 300)}`),
  ];
}

function documentOf({ look, plans, breaker, outcomes }: SweepReport, dryRun: boolean) {
  return {
    schema: 'session-fleet.supervisor-sweep.v1',
    at: new Date(look.fleet.at).toISOString(),
    dryRun,
    breaker: breaker.tripped
      ? { tripped: true, reason: breaker.reason, words: breaker.words, tasks: breaker.tasks }
      : { tripped: false, reason: null, words: null, tasks: [] },
    tasks: plans.map((plan) => ({
      task: plan.name,
      state: plan.facts.state,
      liveness: plan.facts.liveness.kind,
      verdicts: verdictsIn(plan).map(({ rule, kind, fires, words }) => ({ rule, kind, fires, words })),
    })),
    settled: look.settled,
    outcomes: outcomes.map(({ task, ...rest }) => ({ task: task ?? null, ...rest })),
    bad: look.bad.map(({ file, field, problem }) => ({ file, field, problem })),
  };
}
