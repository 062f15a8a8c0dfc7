import { type Handler, print } from '../lib/cli/output.ts';
import { taskNamed } from '../lib/cli/task-argument.ts';
import { EXIT } from '../lib/errors.ts';
import { watchStateOf } from '../lib/observe/watch-state.ts';
import { isOver, readTasks } from '../lib/store/task-files.ts';
import { formatDuration } from '../lib/words/duration.ts';
import { safeText } from '../lib/words/safe-text.ts';
import { table } from '../lib/words/table.ts';

/** States of a watcher that leave an open task with one half of its supervision alone. */
const LACKING = ['stale', 'unwatched', 'closed'];

/** `task-watcher status [TASK...]`. */
export const watcherStatus: Handler = async (context, invocation, output) => {
  const { tasksDir } = context.places;
  const named = invocation.args.map((name) => taskNamed(tasksDir, name));
  const records = named.length > 0 ? named : readTasks(tasksDir, isOver).tasks;
  const now = Date.now();
  const rows = records
    .map((record) => ({ name: record.name, state: record.task.state, ...watchStateOf(context, record, now) }))
    .sort((left, right) => (left.name < right.name ? -1 : 1));
  const document = {
    schema: 'session-fleet.task-watcher.status.v1',
    tasks: rows.map(({ name, state, kind, words, heartbeat }) => ({
      task: name,
      state,
      watcher: kind,
      words,
      workflowId: heartbeat?.workflowId ?? null,
      tickAt: heartbeat === undefined ? null : new Date(heartbeat.tickAt).toISOString(),
      rosterOk: heartbeat?.rosterOk ?? null,
      found: heartbeat?.found ?? null,
    })),
  };
  const lines = rows.map(({ name, kind, words, heartbeat }) => [
    safeText(name, 40),
    kind,
    heartbeat === undefined ? '-' : `${formatDuration(now - heartbeat.tickAt)} ago`,
    safeText(words, 160),
  ]);
  print(output, invocation, document, table(lines).join('\n'));
  return rows.some(({ kind }) => LACKING.includes(kind)) ? EXIT.finding : EXIT.done;
};
