import { type Pane, runTmux } from '../observe/tmux.ts';
import type { Environment } from '../store/places.ts';

/**
 * Removes a dead pane. Not by ending anything: the pane is told not to remain and is given `true` to run, after which tmux
 * closes it. Without -k, respawn-pane refuses a pane whose process lives, so one that came back to life is safe from us.
 * Returns `removed`, or why not.
 */
export async function removeDeadPane(env: Environment, pane: Pane): Promise<string> {
  const target = ['-t', pane.paneId];
  const outcome = await runTmux(env, pane.socket, [
    'if-shell', '-F', ...target, `#{&&:#{==:#{pane_dead},1},#{==:#{pane_pid},${pane.pid}}}`,
    `set-option -p -t ${pane.paneId} remain-on-exit off ; respawn-pane -t ${pane.paneId} true reaped`,
    `display-message -p -t ${pane.paneId} refused`,
  ]); // biome-ignore format: one tmux command
  if (outcome.kind !== 'ended') return `tmux: ${outcome.kind}`;
  if (outcome.code !== 0) return 'the pane is gone or lives again';
  return outcome.stdout.trim() === '' ? 'removed' : 'the pane lives again';
}
