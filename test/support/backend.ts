import type { Finished, RunOptions } from './spawned.ts';

/** Which claude a world runs: the stand-in, the pinned real one, or (for the demo) the one on the caller's PATH. */
export type WorldKind = 'sim' | 'real' | 'path';

/** Where a world lives on disk. All paths are short: a Unix socket's path may not exceed about 100 bytes. */
export interface Places {
  readonly root: string;
  readonly home: string;
  readonly configDir: string;
}

/** What differs between the worlds: which claude stands on PATH, and where commands run. */
export interface Backend {
  readonly env: Record<string, string>;
  run(command: string, args: readonly string[], options?: RunOptions): Promise<Finished>;
  /** Stops what the backend itself started; the world's own processes are gone by then. */
  stop(): Promise<void>;
}

/** The environment that both worlds give to their commands. Nothing of the caller's own leaks in. */
export function baseEnv(places: Places, path: readonly string[]): Record<string, string> {
  return {
    HOME: places.home,
    PATH: [...path, '/usr/local/bin', '/usr/bin', '/bin', '/usr/sbin', '/sbin'].join(':'),
    TERM: 'xterm-256color',
    LANG: 'C.UTF-8',
    SHELL: '/bin/bash',
    TMUX_TMPDIR: `${places.root}/t`,
    TMPDIR: `${places.root}/tmp`,
    FLEET_HOME: `${places.configDir}/jobs`,
    FLEET_CONFIG: `${places.root}/fleet.json`,
  };
}
