import { join } from 'node:path';
import { observedTick, type TickReport, tick } from '../lib/act/watcher/embedded.ts';
import { type Handler, type Output, print } from '../lib/cli/output.ts';
import type { Invocation } from '../lib/cli/spec.ts';
import { taskNamed } from '../lib/cli/task-argument.ts';
import type { Context } from '../lib/context.ts';
import { isWatched } from '../lib/decide/watcher/state.ts';
import { EXIT, type ExitCode, FleetError } from '../lib/errors.ts';
import { observeAfresh } from '../lib/observe/fleet.ts';
import { FleetIndex } from '../lib/observe/sweep/fleet-index.ts';
import { observes } from '../lib/observe-mode.ts';
import { appendLog } from '../lib/store/json-lines.ts';
import { isOver, readTasks, type TaskRecord } from '../lib/store/task-files.ts';
import { watchedTasks } from '../lib/store/watcher-file.ts';
import { safeText } from '../lib/words/safe-text.ts';

/** Ticks that may be at work at once: most only read, and one that revives waits for its session. */
const PARALLEL = 4;

/** `task-watcher tick [TASK...] [--all]`. */
export const watcherTick: Handler = async (context, invocation, output) => {
  const { args, options } = invocation;
  if ((options.all === true) === args.length > 0) throw new FleetError(EXIT.usage, 'name tasks, or --all');
  const named = args.map((name) => taskNamed(context.places.tasksDir, name));
  const looking = observeAfresh(context, { withPanes: true });
  const wanted = args.length > 0 ? new Map(named.map((record) => [record.name, record])) : openTasks(context);
  const index = new FleetIndex(await looking);
  const reports: TickReport[] = [];
  const observed = observes(context, 'watch');
  const open = [...wanted];
  const worker = async () => {
    for (let next = open.shift(); next !== undefined; next = open.shift())
      reports.push(await (observed ? observedTick(context, index, ...next) : tick(context, index, ...next)));
  };
  await Promise.all(Array.from({ length: PARALLEL }, worker));
  log(context, reports);
  reports.sort((left, right) => (left.task < right.task ? -1 : 1));
  return say(reports, index, invocation, output);
};

/** Open tasks that have a Driver, and those whose watcher is still to be closed. */
function openTasks({ places }: Context): Map<string, TaskRecord | undefined> {
  const { tasks } = readTasks(places.tasksDir, isOver);
  const wanted = new Map<string, TaskRecord | undefined>(watchedTasks(places).map((name) => [name, undefined]));
  for (const record of tasks) if (isWatched(record.task)) wanted.set(record.name, record);
  return wanted;
}

/** A line for each thing that was done. */
function log({ places }: Context, reports: readonly TickReport[]): void {
  const at = new Date().toISOString();
  for (const { task, kind, outcome } of reports) {
    if (outcome !== undefined) appendLog(join(places.ownDir, 'watcher.jsonl'), { at, task, kind, ...outcome });
  }
}

function say(reports: readonly TickReport[], { fleet }: FleetIndex, invocation: Invocation, output: Output): ExitCode {
  const rosterOk = fleet.roster.rows.ok && fleet.processes.ok;
  const document = {
    schema: 'session-fleet.task-watcher.tick.v1',
    at: new Date(fleet.at).toISOString(),
    rosterOk,
    tasks: reports.map(({ task, kind, words, outcome }) => ({
      task,
      kind,
      words,
      result: outcome?.result ?? null,
      resultWords: outcome?.words ?? null,
    })),
  };
  const acted = reports.filter(({ kind }) => !['none', 'other-engine', 'closed-before'].includes(kind));
  const text = acted.map(({ task, kind, words, outcome }) => {
    const came = outcome === undefined ? '' : ` → ${outcome.result}: ${outcome.words}`;
    return `${safeText(task, 60)}  ${kind}: ${safeText(`${words}${came}`, 300)}`;
  });
  print(output, invocation, document, invocation.quiet ? '' : text.join('\n'));
  const failed = reports.filter(({ kind, outcome }) => kind === 'failed' || outcome?.result === 'failed');
  if (!invocation.json) {
    for (const { task, words, outcome } of failed)
      output.err(`task-watcher: ${safeText(task, 60)}: ${safeText(outcome?.words ?? words, 300)}\n`);
    if (!rosterOk)
      output.err('task-watcher: a blind tick: roster or processes could not be read; nothing was revived\n');
  }
  if (failed.length > 0) return EXIT.internal;
  return rosterOk ? EXIT.done : EXIT.unreadable;
}
