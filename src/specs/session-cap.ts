import { ENVIRONMENT } from '../lib/cli/environment.ts';
import type { ActionSpec, CommandSpec, OptionSpec } from '../lib/cli/spec.ts';

const DRY_RUN: OptionSpec = { long: 'dry-run', type: 'flag', summary: 'say what would be done, and do nothing' };
const FOR: OptionSpec = {
  long: 'for',
  type: 'text',
  value: 'NAME',
  summary: 'whom the slot is for; the name the session will have, if it gets one',
};
const TTL: OptionSpec = {
  long: 'ttl',
  type: 'duration',
  value: 'DURATION',
  summary: 'how long the slot is kept for a session that does not appear (default 120s, config cap.reservationTtl)',
};
const MAX: OptionSpec = {
  long: 'max',
  type: 'count',
  value: 'N',
  summary: 'the ceiling on live sessions (default 0.55 a GiB of memory, config cap.max)',
};
const FLOOR: OptionSpec = {
  long: 'memory-floor',
  type: 'share',
  value: 'SHARE',
  summary: 'memory that must stay available (default 10%, config cap.memoryFloor)',
};
const SINCE = (what: string, usual: string): OptionSpec => ({
  long: 'since',
  type: 'duration',
  value: 'DURATION',
  summary: `${what} (default ${usual})`,
});

const COMMON_EXITS = { 0: 'done', 64: 'usage', 78: 'the config file is wrong' } as const;

const actions: readonly ActionSpec[] = [
  {
    name: 'status',
    summary: 'show the sessions, the ceiling and memory',
    description: [
      'Shows every live session with the memory of its process tree, how long it has been silent, and the pane it lives in;',
      'the count against the ceiling; memory; and the helpers (daemon, pty hosts, spares), which are no sessions but use memory.',
      'On a terminal, where samples are taken, a line of bars draws the sessions’ memory over the last 24 hours, against the machine’s.',
    ],
    args: [],
    options: [
      MAX,
      FLOOR,
      { long: 'pss', type: 'flag', summary: 'add each session’s proportional set size (Linux; slower)' },
    ],
    exits: {
      ...COMMON_EXITS,
      1: 'no further session would be admitted',
      69: 'the roster, the processes or memory could not be read',
    },
    examples: [
      { line: 'session-cap status', about: 'the fleet at a glance' },
      {
        line: "session-cap status --json | jq '.sessions[] | select(.rssBytes > 700e6) | .sessionId'",
        about: 'the heavy ones',
      },
    ],
    schema: 'session-fleet.session-cap.status.v1',
  },
  {
    name: 'admit',
    summary: 'ask for a slot before a launch',
    description: [
      'Asks whether one more session may start and, if so, keeps a slot for it. Prints the slot’s token. The slot ends when',
      'its session appears (under the name given by --for, or with FLEET_RESERVATION=TOKEN in its environment), when it is',
      'released, or when its time runs out. Of any number of callers at one below the ceiling, one is admitted.',
    ],
    args: [],
    options: [FOR, TTL, MAX, FLOOR],
    exits: {
      ...COMMON_EXITS,
      69: 'the fleet could not be counted: not admitted',
      75: 'at the ceiling or below the memory floor: not admitted, try later',
    },
    examples: [
      {
        line: 'token=$(session-cap admit --for build-42) && FLEET_RESERVATION=$token claude --bg --name build-42 "…"',
        about: 'start a session only if there is room',
      },
    ],
    schema: 'session-fleet.session-cap.admit.v1',
  },
  {
    name: 'release',
    summary: 'give a slot back',
    description: ['Ends a reservation: its launch failed or was given up. One that has ended by itself is no error.'],
    args: [{ name: 'TOKEN', summary: 'what admit printed', completes: 'reservation' }],
    options: [],
    exits: { ...COMMON_EXITS, 66: 'no such reservation', 75: 'admission is locked, try later' },
    examples: [{ line: 'session-cap release "$token"', about: 'the launch failed' }],
    schema: 'session-fleet.session-cap.release.v1',
  },
  {
    name: 'run',
    summary: 'run a command that starts a session, if there is a slot',
    description: [
      'Asks for a slot as admit does, then runs CMD with it and returns its exit code. The slot ends when the session',
      'appears; when CMD fails it is given back at once. CMD keeps the terminal and gets FLEET_RESERVATION.',
    ],
    args: [{ name: 'CMD', summary: 'the command and its arguments, after --', variadic: true, completes: 'command' }],
    options: [FOR, TTL, MAX, FLOOR],
    exits: {
      ...COMMON_EXITS,
      66: 'CMD was not found',
      69: 'the fleet could not be counted: CMD was not run',
      75: 'not admitted: CMD was not run',
    },
    examples: [
      {
        line: 'session-cap run --for nightly -- claude --bg --name nightly "run the nightly checks"',
        about: 'a background session',
      },
      { line: 'session-cap run -- claude', about: 'an interactive one, here' },
    ],
  },
  {
    name: 'log',
    summary: 'show refused starts',
    description: ['Shows the starts that were refused, newest last, each with its reason.'],
    args: [],
    options: [
      SINCE('how far back', '7d'),
      { long: 'limit', type: 'count', value: 'N', summary: 'at most so many, the newest (default 50)' },
    ],
    exits: COMMON_EXITS,
    examples: [{ line: 'session-cap log --since 24h', about: 'yesterday’s refusals' }],
    schema: 'session-fleet.session-cap.log.v1',
  },
  {
    name: 'reap',
    summary: 'remove dead panes that claude left behind',
    description: [
      'Removes tmux panes whose process has ended and whose start command was claude, or that carry the fleet’s mark',
      '(tmux option @session-fleet). Nothing else in a person’s tmux is touched. A dead pane holds no memory; the sessions',
      'that still run are the business of expire and session-exit.',
    ],
    args: [],
    options: [DRY_RUN],
    exits: { ...COMMON_EXITS, 69: 'a tmux server could not be read; the panes of the others were seen to' },
    examples: [{ line: 'session-cap reap --dry-run', about: 'which panes would go' }],
    schema: 'session-fleet.session-cap.reap.v1',
  },
  {
    name: 'expire',
    summary: 'let long-silent sessions leave',
    description: [
      'Asks every live session to leave that no open task protects and that has been silent, its sub-agents too, for two',
      'days, is idle, unattached, has an empty inbox and is not pinned. Prints KEEP or EXPIRE with the reason for each.',
      'What can’t be read protects. A verdict on most of the fleet at once is taken for a misreading and stops itself.',
    ],
    args: [],
    options: [
      DRY_RUN,
      {
        long: 'allow-mass',
        type: 'flag',
        summary: 'go on though most of the fleet expires at once; only after looking at the verdicts',
      },
      {
        long: 'idle',
        type: 'duration',
        value: 'DURATION',
        summary: 'silence after which a session expires (default 48h, config expire.idle)',
      },
      {
        long: 'wait',
        type: 'duration',
        value: 'DURATION',
        summary: 'how long to wait for each to be gone (default 60s, config exit.wait)',
      },
    ],
    exits: {
      ...COMMON_EXITS,
      69: 'the fleet could not be read (any more); what was done is said',
      75: 'some were asked and still run; or another expire is at it',
      77: 'a mass verdict: nothing was done',
    },
    examples: [{ line: 'session-cap expire --dry-run', about: 'the verdicts, and nothing done' }],
    schema: 'session-fleet.session-cap.expire.v1',
  },
  {
    name: 'sample',
    summary: 'record the fleet’s size for report',
    description: [
      'Appends one line to today’s samples: sessions with memory and silence, reservations, the ceiling, free memory.',
      'Meant to run every five minutes.',
    ],
    args: [],
    options: [
      {
        long: 'keep',
        type: 'duration',
        value: 'DURATION',
        summary: 'remove whole days of samples older than this (default 90d)',
      },
    ],
    exits: { ...COMMON_EXITS, 69: 'the fleet could not be read; what could be read was recorded' },
    examples: [{ line: 'session-cap sample --quiet', about: 'from cron, every five minutes' }],
    schema: 'session-fleet.session-cap.sample.v1',
  },
  {
    name: 'report',
    summary: 'draw the samples',
    description: [
      'Draws sessions against the ceiling, fleet memory and free memory over time, and counts refusals and exits.',
    ],
    args: [],
    options: [
      SINCE('how far back', '7d'),
      {
        long: 'html',
        type: 'file',
        value: 'FILE',
        summary: 'write a self-contained HTML page with plots to FILE',
        completes: 'file',
      },
    ],
    exits: { ...COMMON_EXITS, 1: 'there are no samples in that time', 73: 'FILE could not be made' },
    examples: [
      { line: 'session-cap report --since 24h', about: 'the last day, in the terminal' },
      { line: 'session-cap report --html fleet.html', about: 'a page with plots' },
    ],
    schema: 'session-fleet.session-cap.report.v1',
  },
];

/** session-cap: the ceiling on live sessions. */
export const spec: CommandSpec = {
  name: 'session-cap',
  summary: 'keep a fleet of Claude Code sessions within the machine',
  description: ['Counts live Claude Code sessions, admits new ones below a ceiling, and lets finished ones leave.'],
  actions,
  files: [
    { path: '$FLEET_HOME/fleet/admissions.json', about: 'slots that are taken and not yet seen as sessions' },
    { path: '$FLEET_HOME/fleet/refusals.jsonl', about: 'refused starts, a JSON line each' },
    { path: '$FLEET_HOME/fleet/exits.jsonl', about: 'what was asked of sessions, and what came of it' },
    { path: '$FLEET_HOME/fleet/samples/DATE.jsonl', about: 'the samples of one day' },
    { path: '$FLEET_HOME/tasks/TASK/task.json', about: 'the tasks; an open one protects its session from expire' },
  ],
  environment: ENVIRONMENT,
  seeAlso: ['session-exit(1)', 'claude(1)', 'tmux(1)'],
};
