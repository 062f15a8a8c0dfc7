import { ENVIRONMENT } from '../lib/cli/environment.ts';
import type { CommandSpec } from '../lib/cli/spec.ts';

/** supervisor-sweep: one look at every task, and what follows from it. */
export const spec: CommandSpec = {
  name: 'supervisor-sweep',
  summary: 'wake, revive, release and let go the Drivers of every task, once',
  description: [
    'One sweep over every task, for cron, launchd or a systemd timer, once a minute. A Driver that went idle with its task open is',
    'woken; a dead one is revived in the same conversation; a finished task is released, and its session asked to leave by its own',
    'door. What only a person can decide is written into the decision ledger, and what was answered there is done. Unknown never',
    'acts; nothing is ever ended by a signal.',
  ],
  actions: [
    {
      name: '',
      summary: 'do one sweep',
      description: [
        'Looks once at the roster, the processes, tmux and every task, asks every rule, and does what fires. One sweep at a time.',
        'When the roster can’t be read, when sweeps lie too far apart (sleep, reboot, a clock that was set) or when many Drivers',
        'seem dead at once, nothing is exited, revived or parked in that sweep; if it repeats, a person is asked.',
        'The first sweep of all has nothing to compare with, and does none of these either.',
      ],
      args: [{ name: 'TASK', summary: 'only these tasks', optional: true, several: true, completes: 'task' }],
      options: [
        { long: 'dry-run', type: 'flag', summary: 'say what would be done, and do nothing' },
        { long: 'explain', type: 'flag', summary: 'say for every task what each rule says, and why it does not fire' },
        {
          long: 'every',
          type: 'duration',
          value: 'DURATION',
          summary: 'stay, and sweep again after so long (60s or more is usual)',
        },
      ],
      exits: {
        0: 'done; nothing to do is done too',
        64: 'usage',
        65: 'some task or decision files are bad; all others were looked at',
        66: 'no such task',
        69: 'roster or processes could not be read: nothing was exited, revived or parked',
        70: 'something that was to be done failed',
        75: 'another sweep runs',
        78: 'the config file is wrong',
      },
      examples: [
        { line: 'supervisor-sweep --quiet', about: 'from cron, every minute' },
        { line: 'supervisor-sweep --dry-run --explain', about: 'what would be done, and why not more' },
        { line: 'supervisor-sweep --every 60s', about: 'stay in the foreground' },
        { line: 'supervisor-sweep --dry-run --explain my-task', about: 'why is this one not woken?' },
      ],
      schema: 'session-fleet.supervisor-sweep.v1',
    },
  ],
  files: [
    { path: '$FLEET_HOME/fleet/sweep.json', about: 'what one sweep tells the next' },
    { path: '$FLEET_HOME/fleet/supervisor.jsonl', about: 'a line for each thing that was done' },
    { path: '$FLEET_HOME/fleet/decisions/', about: 'what a person is asked, see decision-ledger(1)' },
    { path: '$FLEET_HOME/tasks/TASK/', about: 'the tasks, see task-file(1)' },
  ],
  environment: ENVIRONMENT,
  seeAlso: ['decision-ledger(1)', 'task-file(1)', 'start-driver(1)', 'session-exit(1)', 'session-cap(1)'],
};
