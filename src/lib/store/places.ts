import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

export type Environment = Record<string, string | undefined>;

/** The folders and files of one fleet. Two fleets (two config dirs) on one machine share nothing but its memory. */
export interface Places {
  /** Claude Code's own config dir: `$CLAUDE_CONFIG_DIR`, else `~/.claude`. */
  claudeDir: string;
  /** `$FLEET_HOME`, else `<claudeDir>/jobs`. */
  fleetHome: string;
  tasksDir: string;
  /** The toolkit's own files. */
  ownDir: string;
  configFile: string;
}

/** Works out a fleet's places from the environment; touches nothing. */
export function placesOf(env: Environment): Places {
  const home = env.HOME || homedir();
  const claudeDir = resolve(env.CLAUDE_CONFIG_DIR || join(home, '.claude'));
  const fleetHome = resolve(env.FLEET_HOME || join(claudeDir, 'jobs'));
  return {
    claudeDir,
    fleetHome,
    tasksDir: join(fleetHome, 'tasks'),
    ownDir: join(fleetHome, 'fleet'),
    configFile: resolve(
      env.FLEET_CONFIG || join(env.XDG_CONFIG_HOME || join(home, '.config'), 'session-fleet', 'config.json'),
    ),
  };
}
