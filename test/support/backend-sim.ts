import { symlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Backend, baseEnv, type Places } from './backend.ts';
import { finished } from './spawned.ts';

const standIn = fileURLToPath(new URL('../claude-sim/claude', import.meta.url));

/** A world whose claude is the stand-in: no root, no network namespace, no download. */
export async function simBackend(places: Places, extra: Record<string, string>): Promise<Backend> {
  await symlink(standIn, `${places.root}/bin/claude`);
  const env = {
    ...baseEnv(places, [`${places.root}/bin`, dirname(process.execPath)]),
    // A test run that is killed must not leave a fleet behind: the stand-in ends when this process does.
    CLAUDE_SIM_LEASH: String(process.pid),
    ...extra,
  };
  return {
    env,
    run: (command, args, options = {}) => finished(command, args, { ...env, ...options.env }, options),
    stop: async () => {},
  };
}
