import { ENVIRONMENT } from '../lib/cli/environment.ts';
import type { CommandSpec } from '../lib/cli/spec.ts';

const CONFIG_EXIT = { 64: 'usage', 78: 'the config file is wrong' } as const;

/** lane-nudge: check-ins for sessions that are no task's Driver. */
export const spec: CommandSpec = {
  name: 'lane-nudge',
  summary: 'send check-ins to sessions that are no task’s Driver',
  description: [
    'A lane is a session with a check-in. A file arms it, and a timer’s tick sends what is due: there is no process for a lane',
    'that could die. A lane ends with its session. Drivers of open tasks are no lanes: supervisor-sweep wakes those.',
  ],
  actions: [
    {
      name: 'arm',
      summary: 'arm a lane',
      description: [
        'Writes the lane’s file; one of that name is replaced. The text is what its session is sent, as a message.',
      ],
      args: [{ name: 'LANE', summary: 'a name for it' }],
      options: [
        { long: 'sid', type: 'text', value: 'SESSION', summary: 'the session (its full id)', completes: 'session' },
        {
          long: 'every',
          type: 'duration',
          value: 'DURATION',
          summary: 'how long it must be quiet, and between check-ins (default 30m)',
        },
        { long: 'text', type: 'text', value: 'TEXT', summary: 'what it is told' },
        {
          long: 'file',
          type: 'file',
          value: 'FILE',
          summary: 'a file with that text; - is standard input',
          completes: 'file',
        },
      ],
      exits: { 0: 'it is armed', 65: 'the text can’t be sent', 77: 'the session drives an open task', ...CONFIG_EXIT },
      examples: [
        {
          line: 'lane-nudge arm review --sid 7b6a75ce-4d13-4fd3-9f0a-03291e1657ff --every 1h --text "Anything to review?"',
          about: 'hourly, while it is idle',
        },
      ],
      schema: 'session-fleet.lane-nudge.arm.v1',
    },
    {
      name: 'stop',
      summary: 'stop a lane, or all of a session',
      description: ['Removes the file. The session is not touched.'],
      args: [{ name: 'LANE', summary: 'its name', optional: true, completes: 'lane' }],
      options: [
        { long: 'sid', type: 'text', value: 'SESSION', summary: 'every lane of this session', completes: 'session' },
      ],
      exits: { 0: 'stopped', 66: 'no such lane', ...CONFIG_EXIT },
      examples: [{ line: 'lane-nudge stop --sid 7b6a75ce-4d13-4fd3-9f0a-03291e1657ff', about: 'all its check-ins' }],
      schema: 'session-fleet.lane-nudge.stop.v1',
    },
    {
      name: 'list',
      summary: 'list the lanes',
      description: ['Reads files alone.'],
      args: [],
      options: [],
      exits: { 0: 'done', 65: 'some lane files are bad; the others were listed', ...CONFIG_EXIT },
      examples: [{ line: 'lane-nudge list', about: 'what is armed' }],
      schema: 'session-fleet.lane-nudge.list.v1',
    },
    {
      name: 'tick',
      summary: 'send what is due',
      description: [
        'Looks once at the fleet. A session that is idle and has been quiet for long enough gets its check-in; a lane whose session',
        'has ended is removed. Nothing is sent to one that stands on a dialog, and nothing when that can’t be told.',
      ],
      args: [],
      options: [{ long: 'dry-run', type: 'flag', summary: 'say what would be done, and do nothing' }],
      exits: {
        0: 'done',
        65: 'some lane files are bad',
        69: 'roster or processes could not be read',
        70: 'something failed',
        ...CONFIG_EXIT,
      },
      examples: [{ line: 'lane-nudge tick --quiet', about: 'from cron, every minute' }],
      schema: 'session-fleet.lane-nudge.tick.v1',
    },
  ],
  files: [{ path: '$FLEET_HOME/fleet/lanes/LANE.json', about: 'an armed lane' }],
  environment: ENVIRONMENT,
  seeAlso: ['session-msg(1)', 'supervisor-sweep(1)', 'watcher-doctor(1)'],
};
