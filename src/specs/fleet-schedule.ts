import { ENVIRONMENT } from '../lib/cli/environment.ts';
import type { CommandSpec, OptionSpec } from '../lib/cli/spec.ts';

const TARGET: OptionSpec = {
  long: 'target',
  type: 'text',
  value: 'TARGET',
  choices: ['cron', 'systemd', 'launchd'],
  summary: 'cron, systemd (user timers) or launchd (agents); default: launchd on macOS, else cron',
};
const EXITS = { 64: 'usage', 78: 'the config file is wrong' } as const;

/** fleet-schedule: the timers that keep a fleet. */
export const spec: CommandSpec = {
  name: 'fleet-schedule',
  summary: 'install the timers that keep a fleet, and say how they do',
  description: [
    'Makes the entries for cron, systemd or launchd that run the sweep, the watchers’ ticks and the lanes each minute, samples and claims every',
    'five, reap every ten and expire every thirty. All are started by one script, with full paths, a PATH on which this claude and tmux are',
    'found, and the variables that name this fleet; it writes down when each last ran and failed.',
  ],
  actions: [
    {
      name: 'print',
      summary: 'print what would be installed',
      description: ['Changes nothing.'],
      args: [],
      options: [TARGET],
      exits: { 0: 'done', ...EXITS },
      examples: [{ line: 'fleet-schedule print --target cron', about: 'the lines of a crontab' }],
      schema: 'session-fleet.fleet-schedule.print.v1',
    },
    {
      name: 'install',
      summary: 'install the timers',
      description: [
        'Again, it changes what differs and nothing else. Every other line of a crontab stays byte for byte. Where systemctl or launchctl can’t be',
        'run, the files are there and the commands that are left are said.',
      ],
      args: [],
      options: [TARGET, { long: 'dry-run', type: 'flag', summary: 'the same as print' }],
      exits: {
        0: 'installed',
        1: 'installed, but not every command of the system could be run',
        65: 'the crontab’s own lines of this fleet are broken',
        69: 'the crontab can’t be read or written',
        73: 'a file can’t be written',
        ...EXITS,
      },
      examples: [{ line: 'fleet-schedule install --target systemd', about: 'user timers' }],
      schema: 'session-fleet.fleet-schedule.change.v1',
    },
    {
      name: 'remove',
      summary: 'take the timers away',
      description: ['Removes this fleet’s entries and their script. What the commands themselves wrote stays.'],
      args: [],
      options: [TARGET],
      exits: {
        0: 'removed, or there were none',
        1: 'removed, but not every command of the system could be run',
        65: 'the crontab’s own lines of this fleet are broken',
        69: 'the crontab can’t be read or written',
        ...EXITS,
      },
      examples: [{ line: 'fleet-schedule remove', about: 'stop keeping this fleet' }],
      schema: 'session-fleet.fleet-schedule.change.v1',
    },
    {
      name: 'status',
      summary: 'say when each last ran and failed',
      description: ['By what the script wrote down; nobody is asked.'],
      args: [],
      options: [],
      exits: { 0: 'each ran lately, and its last run was well', 1: 'one did not', ...EXITS },
      examples: [{ line: 'fleet-schedule status', about: 'is everything being run?' }],
      schema: 'session-fleet.fleet-schedule.status.v1',
    },
  ],
  files: [{ path: '$FLEET_HOME/fleet/schedule/', about: 'the script, and how each entry last ended' }],
  environment: ENVIRONMENT,
  seeAlso: ['supervisor-sweep(1)', 'watcher-doctor(1)', 'crontab(5)'],
};
