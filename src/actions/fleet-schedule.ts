import { resolve } from 'node:path';
import { type Handler, type Output, print } from '../lib/cli/output.ts';
import type { Invocation } from '../lib/cli/spec.ts';
import type { Context } from '../lib/context.ts';
import { EXIT, FleetError } from '../lib/errors.ts';
import { cronBlock } from '../lib/schedule/cron.ts';
import type { Plan } from '../lib/schedule/entries.ts';
import { type Change, filesOf, install, remove, type Target } from '../lib/schedule/install.ts';
import { planOf } from '../lib/schedule/plan.ts';
import { runnerScript } from '../lib/schedule/runner.ts';
import { entryState } from '../lib/schedule/state.ts';
import { formatDuration } from '../lib/words/duration.ts';
import { safeText } from '../lib/words/safe-text.ts';
import { table } from '../lib/words/table.ts';

/** An entry that missed so many of its times does not run. */
const MISSED = 5;

/** `fleet-schedule print`. */
export const schedulePrint: Handler = async (context, invocation, output) => {
  const target = targetOf(invocation);
  const plan = planHere(context);
  const files = [
    { name: plan.runner, text: runnerScript(plan) },
    ...(target === 'cron' ? [{ name: 'crontab', text: `${cronBlock(plan)}\n` }] : filesOf(target, plan)),
  ];
  const document = { schema: 'session-fleet.fleet-schedule.print.v1', target, files };
  print(output, invocation, document, files.map(({ name, text }) => `# ${name}\n${text}`).join('\n'));
  return EXIT.done;
};

/** `fleet-schedule install`. */
export const scheduleInstall: Handler = async (context, invocation, output) => {
  if (invocation.options.dryRun === true) return schedulePrint(context, invocation, output);
  const target = targetOf(invocation);
  return say('installed', target, await install(context, target, planHere(context)), invocation, output);
};

/** `fleet-schedule remove`. */
export const scheduleRemove: Handler = async (context, invocation, output) => {
  const target = targetOf(invocation);
  return say('removed', target, await remove(context, target, planHere(context)), invocation, output);
};

/** `fleet-schedule status`. */
export const scheduleStatus: Handler = async (context, invocation, output) => {
  const plan = planHere(context);
  const now = Date.now();
  const rows = plan.entries.map((entry) => {
    const state = entryState(plan.stateDir, entry.name);
    const age = state.lastAt === undefined ? undefined : Math.max(0, now - Date.parse(state.lastAt));
    const late = age === undefined || age > entry.everySeconds * 1000 * MISSED;
    const well = !late && (state.lastCode === 0 || state.lastCode === EXIT.later);
    return { entry, state, age, late, well };
  });
  const document = {
    schema: 'session-fleet.fleet-schedule.status.v1',
    entries: rows.map(({ entry, state, late, well }) => ({
      name: entry.name,
      command: [entry.command, ...entry.args].join(' '),
      everyMs: entry.everySeconds * 1000,
      lastAt: state.lastAt ?? null,
      lastCode: state.lastCode ?? null,
      failedAt: state.failedAt ?? null,
      failedCode: state.failedCode ?? null,
      failedWords: state.said === '' ? null : state.said,
      late,
      well,
    })),
  };
  const lines = rows.map(({ entry, state, age, late, well }) => [
    well ? 'ok' : late ? 'LATE' : 'FAILED',
    entry.name,
    [entry.command, ...entry.args].join(' '),
    age === undefined ? 'never ran' : `${formatDuration(age)} ago, exit ${state.lastCode}`,
    state.failedAt === undefined
      ? ''
      : `failed ${state.failedAt} (${state.failedCode}): ${safeText(state.said.split('\n')[0] ?? '', 100)}`,
  ]);
  const healthy = rows.every(({ well }) => well);
  print(output, invocation, document, invocation.quiet && healthy ? '' : table(lines).join('\n'));
  return healthy ? EXIT.done : EXIT.finding;
};

function planHere({ env, places }: Context): Plan {
  // dist/lazy/ lies beside bin/, in a checkout and in an installed package alike.
  return planOf(env, places, resolve(__dirname, '..', '..', 'bin'));
}

function targetOf({ options }: Invocation): Target {
  const { target = process.platform === 'darwin' ? 'launchd' : 'cron' } = options;
  if (target === 'cron' || target === 'systemd' || target === 'launchd') return target;
  throw new FleetError(EXIT.usage, '--target is cron, systemd or launchd', { field: 'target' });
}

function say(what: string, target: Target, change: Change, invocation: Invocation, output: Output) {
  const document = { schema: 'session-fleet.fleet-schedule.change.v1', target, what, ...change };
  const text = change.changed ? `${what} for ${target}` : `nothing to change for ${target}`;
  print(output, invocation, document, invocation.quiet ? '' : text);
  if (!invocation.json)
    for (const line of change.notRun) output.err(`fleet-schedule: not run: ${safeText(line, 400)}\n`);
  return change.notRun.length > 0 ? EXIT.finding : EXIT.done;
}
