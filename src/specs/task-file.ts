import { ENVIRONMENT } from '../lib/cli/environment.ts';
import type { ActionSpec, ArgumentSpec, CommandSpec } from '../lib/cli/spec.ts';

const TASK: ArgumentSpec = { name: 'TASK', summary: 'the task', completes: 'task' };
const EXITS = {
  0: 'done',
  64: 'usage',
  65: 'a task file that is wrong; file and field are named',
  66: 'no such task',
  75: 'the task is locked, try later',
  78: 'the config file is wrong',
} as const;
const DRY_RUN = {
  long: 'dry-run',
  type: 'flag',
  summary: 'say what it would be, or why not, and change nothing',
} as const;
const REASON = { long: 'reason', type: 'text', value: 'TEXT', summary: 'why; stands in the task’s events' } as const;

const actions: readonly ActionSpec[] = [
  {
    name: 'new',
    summary: 'make a task, without starting anything',
    description: ['Makes a task. start-driver makes one and starts its Driver as well.'],
    args: [{ name: 'TASK', summary: 'the new task’s name; becomes a folder’s name' }],
    options: [
      { long: 'title', type: 'text', value: 'TEXT', summary: 'what it is about, in a line' },
      {
        long: 'cwd',
        type: 'file',
        value: 'DIR',
        summary: 'the folder its Driver works in (default: this one)',
        completes: 'file',
      },
      {
        long: 'brief',
        type: 'file',
        value: 'FILE',
        summary: 'the kickoff brief; - reads standard input',
        completes: 'file',
      },
      { long: 'acceptance', type: 'file', value: 'FILE', summary: 'the board', completes: 'file' },
      DRY_RUN,
    ],
    exits: { ...EXITS, 73: 'the task exists' },
    examples: [
      {
        line: 'task-file new payments --title "Refunds" --cwd ~/shop --brief brief.md',
        about: 'a task to kick off later',
      },
    ],
    schema: 'session-fleet.task-file.show.v1',
  },
  {
    name: 'show',
    summary: 'show a task and its board',
    description: ['Shows a task: its state, its Driver, and what is open on its board.'],
    args: [TASK],
    options: [],
    exits: EXITS,
    examples: [{ line: 'task-file show payments', about: 'where it stands' }],
    schema: 'session-fleet.task-file.show.v1',
  },
  {
    name: 'list',
    summary: 'list the tasks',
    description: ['Lists tasks by state and age. A bad task file is listed with file and field, and stops no other.'],
    args: [],
    options: [
      {
        long: 'state',
        type: 'text',
        value: 'STATE',
        summary: 'only those in this state',
        choices: ['working', 'awaiting-human', 'ready_for_review', 'done', 'abandoned', 'parked'],
      },
      { long: 'open', type: 'flag', summary: 'only those that are not done, abandoned or parked' },
    ],
    exits: { ...EXITS, 65: 'some task files are wrong; the others are listed' },
    examples: [{ line: 'task-file list --state awaiting-human', about: 'what waits for a person' }],
    schema: 'session-fleet.task-file.list.v1',
  },
  {
    name: 'set',
    summary: 'change fields of a task',
    description: [
      'Sets top-level fields: KEY=VALUE, where a VALUE that is JSON is that value and anything else is text; KEY= removes the',
      'field. Fields that the toolkit writes itself, and terminal states, can’t be set: see finish and park.',
    ],
    args: [
      TASK,
      {
        name: 'KEY=VALUE',
        summary: 'what to set',
        several: true,
        choices: ['state=working', 'state=awaiting-human', 'state=ready_for_review'],
      },
    ],
    options: [DRY_RUN],
    exits: { ...EXITS, 77: 'that can’t be set' },
    examples: [{ line: 'task-file set payments state=awaiting-human', about: 'a person owes the next move' }],
    schema: 'session-fleet.task-file.show.v1',
  },
  {
    name: 'park',
    summary: 'put a task aside',
    description: ['Makes a task parked: terminal, so its session is let go, until it is un-parked.'],
    args: [TASK],
    options: [REASON, DRY_RUN],
    exits: { ...EXITS, 77: 'it is over already' },
    examples: [{ line: 'task-file park payments --reason "waits for the bank"', about: 'not now' }],
    schema: 'session-fleet.task-file.show.v1',
  },
  {
    name: 'unpark',
    summary: 'take a parked task up again',
    description: ['Makes a parked task working again and clears the latches of its release and exit.'],
    args: [TASK],
    options: [DRY_RUN],
    exits: { ...EXITS, 77: 'it is not parked' },
    examples: [{ line: 'task-file unpark payments && driver-kickoff payments', about: 'go on' }],
    schema: 'session-fleet.task-file.show.v1',
  },
  {
    name: 'finish',
    summary: 'declare a task done',
    description: [
      'Declares a task done: the only way to that state. Refuses while its board has open items, and names them; a board that',
      'can’t be read, or has no items, is no finished one. --abandon ends it otherwise, and wants a reason.',
    ],
    args: [TASK],
    options: [
      { long: 'abandon', type: 'flag', summary: 'give it up instead; needs --reason' },
      REASON,
      { long: 'without-board', type: 'flag', summary: 'finish a task that has no board, or one without items' },
      DRY_RUN,
    ],
    exits: { ...EXITS, 77: 'its board has open items or none, can’t be read or is not there; or it is over already' },
    examples: [
      { line: 'task-file finish payments --dry-run', about: 'what is open?' },
      { line: 'task-file finish payments', about: 'all is met' },
      { line: 'task-file finish payments --abandon --reason "not wanted any more"', about: 'or not' },
    ],
    schema: 'session-fleet.task-file.show.v1',
  },
  {
    name: 'validate',
    summary: 'check task files and boards',
    description: [
      'Checks every task’s task.json and board, or those of the tasks named, and names what is wrong by file and field.',
    ],
    args: [{ name: 'TASK', summary: 'only these', optional: true, several: true, completes: 'task' }],
    options: [],
    exits: { ...EXITS, 65: 'something is wrong, and is named' },
    examples: [{ line: 'task-file validate', about: 'is every file as it should be' }],
    schema: 'session-fleet.task-file.validate.v1',
  },
  {
    name: 'path',
    summary: 'print a task’s folder',
    description: ['Prints the path of a task’s folder.'],
    args: [TASK],
    options: [],
    exits: EXITS,
    examples: [{ line: '$EDITOR "$(task-file path payments)/acceptance.json"', about: 'edit its board' }],
    schema: 'session-fleet.task-file.path.v1',
  },
];

/** task-file: the tasks, and the only way to be done. */
export const spec: CommandSpec = {
  name: 'task-file',
  summary: 'make, read, change and finish the tasks of a fleet',
  description: ['Reads and writes task files; the finisher is the only thing that declares a task done.'],
  actions,
  files: [
    { path: '$FLEET_HOME/tasks/TASK/task.json', about: 'the task' },
    {
      path: '$FLEET_HOME/tasks/TASK/acceptance.json',
      about: 'the board: groups of items, each open, met or dropped, with evidence',
    },
    { path: '$FLEET_HOME/tasks/TASK/events.jsonl', about: 'what happened to it' },
  ],
  environment: ENVIRONMENT,
  seeAlso: ['start-driver(1)', 'driver-kickoff(1)', 'session-cap(1)'],
};
