import { ENVIRONMENT } from '../lib/cli/environment.ts';
import type { CommandSpec } from '../lib/cli/spec.ts';

const TASK = { name: 'TASK', summary: 'the task', completes: 'task' } as const;
const CONFIG_EXIT = { 64: 'usage', 78: 'the config file is wrong' } as const;

/** task-watcher: the other half of supervision, one watcher a task. */
export const spec: CommandSpec = {
  name: 'task-watcher',
  summary: 'watch a task: revive its Driver, and give a wedged turn one wake',
  description: [
    'The other half of supervision, beside supervisor-sweep. A watcher revives a dead Driver by resuming its own conversation,',
    'at most five times in a rolling day, and gives a turn that is busy and silent for half an hour one wake. It never wakes an',
    'idle Driver: that is the Supervisor’s. Each tick writes watcher.json beside the task, also when it could read nothing; while',
    'that is fresh the Supervisor leaves a death to the watcher for a grace of 15 minutes.',
    'Two engines run the same tick: the embedded one, from a timer (tick), and Temporal workflows (worker, start).',
  ],
  actions: [
    {
      name: 'tick',
      summary: 'do one tick of the embedded engine',
      description: [
        'Looks once at the fleet, writes each task’s heartbeat, and does what the tick decides: nothing, revive, wake a wedged turn,',
        'or close. A task that a Temporal workflow watches (its heartbeat is fresh) is left to that. A watcher closes when its task',
        'is over, when nothing moved for two days, or when three wakes of a wedged turn moved nothing (FAILED); what closed on an open',
        'task stays closed until it is started again.',
      ],
      args: [{ ...TASK, optional: true, several: true, summary: 'these tasks' }],
      options: [{ long: 'all', type: 'flag', summary: 'every open task that has a Driver' }],
      exits: {
        0: 'done',
        66: 'no such task',
        69: 'a blind tick: roster or processes could not be read; the heartbeats were written',
        70: 'something that was to be done failed',
        ...CONFIG_EXIT,
      },
      examples: [
        { line: 'task-watcher tick --all --quiet', about: 'from cron, every minute' },
        { line: 'task-watcher tick my-task', about: 'one task, and say what was done' },
      ],
      schema: 'session-fleet.task-watcher.tick.v1',
    },
    {
      name: 'status',
      summary: 'say who watches each task, and since when',
      description: ['Reads heartbeats and the embedded engine’s files; asks nobody. Without a task: every open one.'],
      args: [{ ...TASK, optional: true, several: true, summary: 'these tasks' }],
      options: [],
      exits: {
        0: 'all are watched',
        1: 'one is not, or its watcher has closed while it is open',
        66: 'no such task',
        ...CONFIG_EXIT,
      },
      examples: [{ line: 'task-watcher status', about: 'who watches what' }],
      schema: 'session-fleet.task-watcher.status.v1',
    },
    {
      name: 'start',
      summary: 'start a task’s watcher, or start it again after it closed',
      description: [
        'With the Temporal engine: a workflow whose id is made of the task, in a task queue of this host; one that runs already is',
        'found, and no second one is started. With the embedded engine: the task’s watcher begins anew at the next tick.',
        'Which engine: --engine, else Temporal when watcher.temporal.address is set in the config, else the embedded one.',
      ],
      args: [TASK],
      options: [
        {
          long: 'engine',
          type: 'text',
          value: 'ENGINE',
          summary: 'embedded or temporal',
          choices: ['embedded', 'temporal'],
        },
      ],
      exits: {
        0: 'it runs now, or did already',
        66: 'no such task',
        69: 'the Temporal server can’t be reached, or its packages are not installed',
        77: 'the task is over',
        ...CONFIG_EXIT,
      },
      examples: [{ line: 'task-watcher start my-task', about: 'watch it (again)' }],
      schema: 'session-fleet.task-watcher.start.v1',
    },
    {
      name: 'stop',
      summary: 'stop a task’s watcher',
      description: ['Its end is written into the task’s events as STOPPED. The Driver is not touched.'],
      args: [TASK],
      options: [
        {
          long: 'engine',
          type: 'text',
          value: 'ENGINE',
          choices: ['embedded', 'temporal'],
          summary: 'embedded or temporal; default: the one that watches it',
        },
      ],
      exits: {
        0: 'it is stopped',
        66: 'no such task, or nobody watches it',
        69: 'the Temporal server can’t be reached',
        ...CONFIG_EXIT,
      },
      examples: [{ line: 'task-watcher stop my-task', about: 'leave it to the Supervisor alone' }],
      schema: 'session-fleet.task-watcher.stop.v1',
    },
    {
      name: 'worker',
      summary: 'run the Temporal workflows of this host, and stay',
      description: [
        'Serves the task queue session-fleet-HOST until it is told to end by a signal; what is under way then may finish. Its state is',
        'said on standard error. While the server can’t be reached, at the start or later, it waits and tries again.',
        'A workflow goes on where it was when its worker is replaced, or ended in the middle of a tick. The watchers of a task on',
        'every host: temporal workflow list --query "WorkflowId STARTS_WITH ’task-watcher:TASK:’"; those of this host:',
        '--query "TaskQueue = ’session-fleet-HOST’" (with plain quotes). Fleets that share a host need a namespace each.',
        'Temporal’s packages are no part of this one; what to install is said when they are not there.',
      ],
      args: [],
      options: [
        {
          long: 'address',
          type: 'text',
          value: 'HOST:PORT',
          summary: 'the Temporal server; default: watcher.temporal.address of the config, else 127.0.0.1:7233',
        },
      ],
      exits: {
        0: 'it was told to end, and has',
        69: 'Temporal’s packages are not installed',
        70: 'it was told to end, and something did not finish in time',
        ...CONFIG_EXIT,
      },
      examples: [{ line: 'task-watcher worker', about: 'from a systemd unit or a launchd job that restarts it' }],
    },
  ],
  files: [
    { path: '$FLEET_HOME/tasks/TASK/watcher.json', about: 'the heartbeat of the last tick' },
    { path: '$FLEET_HOME/fleet/watchers/', about: 'what the embedded engine remembers of each task' },
  ],
  environment: ENVIRONMENT,
  seeAlso: ['supervisor-sweep(1)', 'watcher-doctor(1)', 'task-file(1)'],
};
