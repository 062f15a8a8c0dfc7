import { realpathSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import type { Environment } from '../store/places.ts';

/** A value of the TMUX variable: `socket,server pid,session`. The socket's path may hold commas, so cut from the end. */
export function socketOfTmuxVariable(value: string): string | undefined {
  const hit = /^(\/.*),\d+,\d+$/.exec(value);
  return hit?.[1];
}

/**
 * Every tmux socket the fleet may live on, each once, as real paths: the default server's, those of
 * `$FLEET_TMUX_SOCKETS` (names or paths, colon-separated) and those in live sessions' own TMUX variables.
 */
export function tmuxSockets(
  env: Environment,
  tmuxVariables: readonly string[],
  uid = process.getuid?.() ?? 0,
): string[] {
  const folder = join(env.TMUX_TMPDIR || '/tmp', `tmux-${uid}`);
  const named = (env.FLEET_TMUX_SOCKETS ?? '').split(':').filter((word) => word !== '');
  const own = tmuxVariables.flatMap((value) => socketOfTmuxVariable(value) ?? []);
  const paths = [
    join(folder, 'default'),
    ...named.map((word) => (isAbsolute(word) ? word : join(folder, word))),
    ...own,
  ];
  return [...new Set(paths.map(realPath))];
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
