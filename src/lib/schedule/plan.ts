import { existsSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import type { Environment, Places } from '../store/places.ts';
import { ENTRIES, type Plan } from './entries.ts';

/** Variables that decide which fleet a command works on, and with what; a timer must be given them. */
const KEPT = [
  'FLEET_HOME',
  'FLEET_CONFIG',
  'FLEET_CLAUDE',
  'FLEET_TMUX',
  'FLEET_TMUX_SOCKETS',
  'CLAUDE_CONFIG_DIR',
  'XDG_CONFIG_HOME',
  'TMUX_TMPDIR',
];
const SYSTEM = ['/usr/local/bin', '/usr/bin', '/bin', '/usr/sbin', '/sbin'];

export const scheduleDir = ({ ownDir }: Places): string => join(ownDir, 'schedule');

/** What would be scheduled from here: this Node, these launchers, and a PATH on which claude, tmux and git are found. */
export function planOf(env: Environment, places: Places, binDir: string): Plan {
  const kept = KEPT.flatMap((name) => (env[name] ? [[name, env[name]] as const] : []));
  return {
    entries: ENTRIES,
    runner: join(scheduleDir(places), 'run'),
    node: process.execPath,
    binDir,
    stateDir: scheduleDir(places),
    env: { PATH: pathOf(env), HOME: env.HOME ?? '/', ...Object.fromEntries(kept) },
    fleetHome: places.fleetHome,
  };
}

/** The absolute folders of the caller's PATH that are there, and the system's own. */
function pathOf({ PATH = '' }: Environment): string {
  const own = PATH.split(delimiter).filter((folder) => isAbsolute(folder) && existsSync(folder));
  return [...new Set([dirname(process.execPath), ...own, ...SYSTEM])].join(delimiter);
}
