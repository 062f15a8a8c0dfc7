import { ENVIRONMENT } from '../lib/cli/environment.ts';
import type { CommandSpec, OptionSpec } from '../lib/cli/spec.ts';

export const WAIT: OptionSpec = {
  long: 'wait',
  type: 'duration',
  value: 'DURATION',
  summary: 'how long the session may take to appear with its brief (default 90s)',
};

export const DRY_RUN: OptionSpec = {
  long: 'dry-run',
  type: 'flag',
  summary: 'say whether it would start, and how, with the exit code it would have; change nothing',
};

export const DRIVER_FILES = [
  { path: '$FLEET_HOME/tasks/TASK/task.json', about: 'the task; says who drives it' },
  { path: '$FLEET_HOME/tasks/TASK/BRIEF.md', about: 'the kickoff brief' },
  { path: '$FLEET_HOME/tasks/TASK/acceptance.json', about: 'the board' },
  { path: '$FLEET_HOME/tasks/TASK/events.jsonl', about: 'driver-started, spawn-failed' },
  {
    path: '$FLEET_HOME/fleet/spawns.jsonl',
    about: 'what was started and what came of it, with the screen of a failed start',
  },
  { path: '~/.claude.json', about: 'Claude Code’s own state, in which first-run questions are answered beforehand' },
] as const;

export const DRIVER_EXITS = {
  0: 'started: the session lives, and its first message is the brief (with --dry-run: it would be started)',
  64: 'usage',
  65: 'a task, brief or board that is wrong; file and field are named',
  66: 'no such folder or file',
  69: 'the fleet could not be read; nothing was started',
  70: 'a failed start: not called a Driver, logged, let go of where it could be',
  73: 'the task, or its Driver, exists',
  75: 'no slot, or another start of this task runs; nothing was made',
  77: 'the task is terminal',
  78: 'the config file is wrong',
} as const;

/** start-driver: a new task and its Driver. */
export const spec: CommandSpec = {
  name: 'start-driver',
  summary: 'make a task and start the Claude Code session that drives it',
  description: ['Makes a task and starts its Driver, with the brief as the session’s own first prompt.'],
  actions: [
    {
      name: '',
      summary: 'make a task and start its Driver',
      description: [
        'Takes a slot (as session-cap admit does), makes the task, answers Claude Code’s first-run questions for the folder',
        'beforehand, and starts a session whose first prompt is the brief: read from its file into the command’s argument,',
        'never typed or pasted. The brief is put into the form that Claude Code keeps: line breaks become newlines, and control',
        'characters and others that nobody sees are taken out. One that Claude Code would run as a command is refused. It has',
        'started only when the roster shows it alive under its identity and its transcript’s first message is the brief, byte',
        'for byte. A start that lands on a dialog, dies or stays silent is a failed start. Called again after it was',
        'interrupted, it finds what the first call left and goes on from there.',
      ],
      args: [
        { name: 'TASK', summary: 'the new task’s name; becomes a folder’s name' },
        {
          name: 'CLAUDE_ARG',
          summary: 'further words for claude, behind --; kept for a later resume',
          optional: true,
          variadic: true,
        },
      ],
      options: [
        {
          long: 'cwd',
          type: 'file',
          value: 'DIR',
          summary: 'the folder it works in (default: this one)',
          completes: 'file',
        },
        {
          long: 'brief',
          type: 'file',
          value: 'FILE',
          summary: 'the brief; - reads standard input (needed)',
          completes: 'file',
        },
        { long: 'acceptance', type: 'file', value: 'FILE', summary: 'the board, as JSON', completes: 'file' },
        {
          long: 'kind',
          type: 'text',
          value: 'KIND',
          choices: ['background', 'interactive'],
          summary: 'background (default) or interactive, in a tmux session of its own',
        },
        {
          long: 'name',
          type: 'text',
          value: 'NAME',
          summary: 'the session’s name, unlike any other’s (default: the task’s, made unique)',
        },
        { long: 'title', type: 'text', value: 'TEXT', summary: 'what the task is about, in a line' },
        DRY_RUN,
        WAIT,
      ],
      exits: DRIVER_EXITS,
      examples: [
        {
          line: 'start-driver payments --cwd ~/shop --brief brief.md -- --permission-mode acceptEdits',
          about: 'a background Driver',
        },
        {
          line: 'start-driver payments --cwd ~/shop --brief brief.md --dry-run',
          about: 'would it start, and what is answered beforehand',
        },
        { line: 'start-driver payments --brief - --kind interactive < brief.md', about: 'one in a tmux session' },
      ],
      schema: 'session-fleet.start-driver.v1',
    },
  ],
  files: DRIVER_FILES,
  environment: ENVIRONMENT,
  seeAlso: ['driver-kickoff(1)', 'session-cap(1)', 'session-exit(1)', 'claude(1)'],
};
