import { ENVIRONMENT } from '../lib/cli/environment.ts';
import type { CommandSpec } from '../lib/cli/spec.ts';

/** watcher-doctor: is everything that should be at work at work? */
export const spec: CommandSpec = {
  name: 'watcher-doctor',
  summary: 'say what of the fleet’s supervision is not at work, and how to mend it',
  description: [
    'Looks at everything that keeps a fleet supervised, and says of each part that is not as it should be what that means and which',
    'command mends it. Changes nothing unless asked to.',
  ],
  actions: [
    {
      name: '',
      summary: 'examine the fleet’s supervision',
      description: [
        'Checks: roster, processes and every tmux server can be read; the version of claude; task files; the age of the last sweep;',
        'for every open task its watcher, who would revive its Driver and why (a watcher that closed while the task is open is a',
        'failure); starts that were not settled; lanes armed against lanes expected (Drivers are the Supervisor’s once it sweeps);',
        'questions that wait for a person; first-run dialogs; timers; claims that nobody will return; locks and temp files left behind.',
      ],
      args: [],
      options: [
        {
          long: 'fix',
          type: 'flag',
          summary:
            'do the safe repairs: remove what the dead have left, stop lanes that are Drivers, answer dialogs, return claims',
        },
        {
          long: 'checkin-text',
          type: 'text',
          value: 'TASK',
          summary: 'print the check-in that a Driver of this task is woken with, and do nothing else',
          completes: 'task',
        },
      ],
      exits: {
        0: 'healthy',
        1: 'findings',
        64: 'usage',
        65: 'the task file is bad (--checkin-text)',
        66: 'no such task (--checkin-text)',
        78: 'the config file is wrong',
      },
      examples: [
        { line: 'watcher-doctor', about: 'what is not at work, and what mends it' },
        { line: 'watcher-doctor --quiet || echo "look at the fleet"', about: 'in a script: only what is wrong' },
        { line: 'watcher-doctor --checkin-text my-task', about: 'what its Driver is told' },
      ],
      schema: 'session-fleet.watcher-doctor.v1',
    },
  ],
  files: [
    { path: '$FLEET_HOME/fleet/', about: 'what the commands write down, and what is examined' },
    { path: '$FLEET_HOME/tasks/', about: 'the tasks' },
  ],
  environment: ENVIRONMENT,
  seeAlso: ['supervisor-sweep(1)', 'task-watcher(1)', 'lane-nudge(1)', 'decision-ledger(1)'],
};
