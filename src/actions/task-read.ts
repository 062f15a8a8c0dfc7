import { dirname } from 'node:path';
import { type Handler, print } from '../lib/cli/output.ts';
import { taskNamed } from '../lib/cli/task-argument.ts';
import { EXIT, FleetError } from '../lib/errors.ts';
import { readBoard } from '../lib/store/board.ts';
import type { Places } from '../lib/store/places.ts';
import { isTaskName, readTask, readTasks } from '../lib/store/task-files.ts';
import { taskFolder } from '../lib/store/task-folder.ts';
import { TASK_STATES, TERMINAL_STATES } from '../lib/store/task-schema.ts';
import { formatDuration } from '../lib/words/duration.ts';
import { safeText } from '../lib/words/safe-text.ts';
import { table } from '../lib/words/table.ts';
import { showDocument, showText } from './task-document.ts';

/** `task-file show TASK`. */
export const show: Handler = async ({ places }, invocation, output) => {
  const document = showDocument(places, taskNamed(places.tasksDir, invocation.args[0] ?? ''), { dryRun: false });
  print(output, invocation, document, showText(document));
  return EXIT.done;
};

/** `task-file list`. */
export const list: Handler = async ({ places }, invocation, output) => {
  const { state, open } = invocation.options;
  if (state !== undefined && !(TASK_STATES as readonly string[]).includes(String(state))) {
    throw new FleetError(EXIT.usage, `--state is one of ${TASK_STATES.join(', ')}`, { field: 'state' });
  }
  const { tasks, bad } = readTasks(places.tasksDir);
  const rows = tasks
    .filter(
      ({ task }) =>
        (state === undefined || task.state === state) && (open !== true || !TERMINAL_STATES.has(task.state)),
    )
    .sort((left, right) => (left.name < right.name ? -1 : 1));
  const document = {
    schema: 'session-fleet.task-file.list.v1',
    tasks: rows.map(({ name, task }) => ({
      task: name,
      title: task.title ?? null,
      state: task.state,
      stateChangedAt: task.stateChangedAt ?? null,
      driverSid: task.driverSid ?? null,
    })),
    bad: bad.map(({ file, field, problem }) => ({ file, field, problem })),
  };
  const now = Date.now();
  const lines = table(
    rows.map(({ name, task }) => [
      safeText(name, 60),
      task.state,
      task.stateChangedAt === undefined ? '-' : formatDuration(now - Date.parse(task.stateChangedAt)),
      safeText(task.title ?? '', 80),
    ]),
  );
  print(output, invocation, document, lines.join('\n'));
  for (const { file, field, problem } of bad)
    output.err(`task-file: ${safeText(file, 300)}: ${field}: ${safeText(problem, 160)}\n`);
  return bad.length > 0 ? EXIT.badData : EXIT.done;
};

/** `task-file validate [TASK...]`. */
export const validate: Handler = async ({ places }, invocation, output) => {
  const problems = problemsOf(places, invocation.args);
  const document = { schema: 'session-fleet.task-file.validate.v1', valid: problems.length === 0, problems };
  const lines = problems.map(
    ({ file, field, problem, line, column }) =>
      `${safeText(file, 300)}${line === null ? '' : `:${line}:${column}`}: ${field === null ? '' : `${field}: `}${safeText(problem, 160)}`,
  );
  print(output, invocation, document, lines.join('\n'));
  return problems.length > 0 ? EXIT.badData : EXIT.done;
};

interface Problem {
  file: string;
  field: string | null;
  problem: string;
  line: number | null;
  column: number | null;
}

function problemsOf(places: Places, names: readonly string[]): Problem[] {
  const wrong = (
    file: string,
    field: string | null,
    problem: string,
    at?: { line: number; column: number },
  ): Problem => ({ file, field, problem, line: at?.line ?? null, column: at?.column ?? null });
  const listing = names.length === 0 ? readTasks(places.tasksDir) : undefined;
  const problems = (listing?.bad ?? []).map(({ file, field, problem }) => wrong(file, field, problem));
  for (const name of names.length > 0 ? names : (listing?.tasks ?? []).map((one) => one.name)) {
    const record = isTaskName(name) ? readTask(places.tasksDir, name) : undefined;
    if (record === undefined) throw new FleetError(EXIT.noSuch, `no such task: ${safeText(name, 60)}`);
    if (!('task' in record)) problems.push(wrong(record.file, record.field, record.problem));
    const { board } = taskFolder(places, name);
    const reading = readBoard(board);
    if (reading.kind === 'bad') problems.push(wrong(board, null, reading.problem, reading));
  }
  return problems;
}

/** `task-file path TASK`. */
export const path: Handler = async ({ places }, invocation, output) => {
  const { file, name } = taskNamed(places.tasksDir, invocation.args[0] ?? '');
  print(
    output,
    invocation,
    { schema: 'session-fleet.task-file.path.v1', task: name, path: dirname(file) },
    dirname(file),
  );
  return EXIT.done;
};
