import { type Handler, type Output, print } from '../lib/cli/output.ts';
import type { Invocation } from '../lib/cli/spec.ts';
import { taskNamed } from '../lib/cli/task-argument.ts';
import type { Context } from '../lib/context.ts';
import { assignment, decideFinish, LATCHES } from '../lib/decide/task-change.ts';
import { EXIT, FleetError } from '../lib/errors.ts';
import { type BoardReading, parseBoard, readBoard } from '../lib/store/board.ts';
import type { Places } from '../lib/store/places.ts';
import { isTaskName, type TaskRecord, writeTask } from '../lib/store/task-files.ts';
import { appendEvent, taskFolder, writeBrief } from '../lib/store/task-folder.ts';
import { type Task, TERMINAL_STATES } from '../lib/store/task-schema.ts';
import { safeText } from '../lib/words/safe-text.ts';
import { boardInput, folderOf, readBriefInput } from './driver-input.ts';
import { showDocument, showText } from './task-document.ts';

const BY = 'task-file';

/** `task-file new TASK`. */
export const newTask: Handler = async (context, invocation, output) => {
  const { places } = context;
  const [name = ''] = invocation.args;
  const { title, cwd, brief, acceptance } = invocation.options;
  if (!isTaskName(name)) throw new FleetError(EXIT.usage, `${safeText(name, 60)} can be no task’s name`);
  const folder = folderOf(typeof cwd === 'string' ? cwd : process.cwd());
  const text = typeof brief === 'string' ? readBriefInput(brief) : undefined;
  const board = typeof acceptance === 'string' ? boardInput(acceptance) : undefined;
  const at = new Date().toISOString();
  const record = await writeTask(
    places.tasksDir,
    name,
    (document) => {
      Object.assign(document, {
        id: name,
        ...(title === undefined ? {} : { title }),
        state: 'working',
        createdAt: at,
        stateChangedAt: at,
        cwd: folder,
      });
    },
    { create: true, dryRun: isDry(invocation) },
  );
  if (!isDry(invocation)) writeBrief(taskFolder(places, name), text, board);
  return say(context, record, invocation, output, board === undefined ? undefined : parseBoard(board));
};

/** `task-file set TASK KEY=VALUE…`. */
export const setFields: Handler = async (context, invocation, output) => {
  const [name = '', ...words] = invocation.args;
  const changes = words.map((word) => {
    const made = assignment(word, TERMINAL_STATES);
    if ('problem' in made)
      throw new FleetError(made.problem.endsWith('key=value') ? EXIT.usage : EXIT.guard, safeText(made.problem, 160));
    return made;
  });
  taskNamed(context.places.tasksDir, name);
  let from: string | undefined;
  const edit = (document: Record<string, unknown>, task: Task | undefined) => {
    from = task?.state;
    for (const { field, value } of changes) {
      if (field === 'state') refuseOver(name, task);
      if (value === undefined) delete document[field];
      else document[field] = value;
      if (field === 'state' && value !== task?.state) document.stateChangedAt = new Date().toISOString();
    }
  };
  const record = await writeTask(context.places.tasksDir, name, edit, { dryRun: isDry(invocation) });
  const { state } = record.task;
  if (state !== from && !isDry(invocation))
    appendEvent(taskFolder(context.places, name), BY, 'state', { from, to: state });
  return say(context, record, invocation, output);
};

/** `task-file park TASK`. */
export const park: Handler = async (context, invocation, output) => {
  const record = await changeState(context.places, invocation, (task, name) => {
    refuseOver(name, task);
    return 'parked';
  });
  return say(context, record, invocation, output);
};

/** `task-file unpark TASK`. */
export const unpark: Handler = async (context, invocation, output) => {
  const record = await changeState(context.places, invocation, ({ state }, name, document) => {
    if (state !== 'parked') throw new FleetError(EXIT.guard, `task ${name} is ${state}, not parked`);
    for (const latch of LATCHES) delete document[latch];
    return 'working';
  });
  return say(context, record, invocation, output);
};

/** `task-file finish TASK`. */
export const finish: Handler = async (context, invocation, output) => {
  const { abandon, reason, withoutBoard } = invocation.options;
  if (abandon === true && reason === undefined)
    throw new FleetError(EXIT.usage, '--abandon needs --reason', { field: 'reason' });
  const record = await changeState(context.places, invocation, (task, name) => {
    if (abandon === true) {
      refuseOver(name, task);
      return 'abandoned';
    }
    // The board is read under the task's lock, right before the task is declared done.
    const { board: file } = taskFolder(context.places, name);
    const board = readBoard(file);
    const decision = decideFinish({
      state: task.state,
      terminal: TERMINAL_STATES.has(task.state),
      board:
        board.kind === 'bad'
          ? { kind: 'bad', words: `${file}:${board.line}:${board.column}: ${board.problem}` }
          : board,
      withoutBoard: withoutBoard === true,
    });
    if (decision.kind === 'refuse')
      throw new FleetError(EXIT.guard, `task ${name} is not finished: ${safeText(decision.words, 2000)}`, { file });
    return 'done';
  });
  return say(context, record, invocation, output);
};

async function changeState(
  places: Places,
  invocation: Invocation,
  next: (task: Task, name: string, document: Record<string, unknown>) => Task['state'],
): Promise<TaskRecord> {
  const { args, options } = invocation;
  const [name = ''] = args;
  taskNamed(places.tasksDir, name);
  let from = '';
  const edit = (document: Record<string, unknown>, task: Task | undefined) => {
    if (task === undefined) throw new FleetError(EXIT.noSuch, `no such task: ${name}`);
    from = task.state;
    document.state = next(task, name, document);
    document.stateChangedAt = new Date().toISOString();
  };
  const record = await writeTask(places.tasksDir, name, edit, { dryRun: isDry(invocation) });
  if (isDry(invocation)) return record;
  const reason = typeof options.reason === 'string' ? { reason: options.reason } : {};
  appendEvent(taskFolder(places, name), BY, 'state', { from, to: record.task.state, ...reason });
  return record;
}

function refuseOver(name: string, task: Task | undefined): void {
  if (task !== undefined && TERMINAL_STATES.has(task.state)) {
    const how = task.state === 'parked' ? '; un-park it first' : '';
    throw new FleetError(EXIT.guard, `task ${name} is ${task.state} already${how}`);
  }
}

/** `--dry-run`: what is refused is refused, and nothing is changed. */
const isDry = ({ options }: Invocation) => options.dryRun === true;

function say({ places }: Context, record: TaskRecord, invocation: Invocation, output: Output, board?: BoardReading) {
  const dryRun = isDry(invocation);
  const document = showDocument(places, record, { dryRun, board });
  const [line = ''] = showText(document).split('\n');
  print(output, invocation, document, invocation.quiet ? '' : dryRun ? `would be: ${line}` : line);
  return EXIT.done;
}
