import type { Pane } from '../observe/tmux.ts';
import { runTmux } from '../observe/tmux.ts';
import type { Environment } from '../store/places.ts';
import { safeText } from '../words/safe-text.ts';

/** Which pane keys go to: the server, the pane, and the process that must be its first. */
export interface KeyGuard {
  env: Environment;
  pane: Pane;
}

/**
 * Sends keys to a pane under a condition that the tmux server checks in the same step as it sends: the pane still holds
 * that process, lives, is in no mode and has no client; with `shown`, a visible line matches that pattern. So nothing
 * can come between the last check and the key on tmux's side. Returns `sent`, or why not.
 */
export async function sendKeys({ env, pane }: KeyGuard, keys: readonly string[], shown?: string): Promise<string> {
  const is = (name: string, value: string | number) => `#{==:#{${name}},${value}}`;
  const conditions = [is('pane_pid', pane.pid), is('pane_dead', 0), is('pane_in_mode', 0), is('session_attached', 0)];
  if (shown !== undefined) conditions.push(`#{!=:#{C/r:${shown}},0}`);
  const all = conditions.reduce((left, right) => `#{&&:${left},${right}}`);
  const send = ['send-keys', '-t', pane.paneId, ...keys].join(' ');
  // In tmux's own words, so that the log says which condition it was.
  const seen = 'process #{pane_pid}, dead #{pane_dead}, mode #{pane_in_mode}, clients #{session_attached}';
  const refuse = `display-message -p -t ${pane.paneId} "${seen}"`;
  const outcome = await runTmux(env, pane.socket, ['if-shell', '-F', '-t', pane.paneId, all, send, refuse]);
  if (outcome.kind !== 'ended') return `tmux: ${outcome.kind}`;
  if (outcome.code !== 0) return 'the pane is gone';
  const said = outcome.stdout.trim();
  // tmux runs if-shell for a pane that is not there, with nothing to tell of it.
  if (said.startsWith('process ,')) return 'the pane is gone';
  return said === '' ? 'sent' : `tmux’s check right before the key said no (${safeText(said, 80)})`;
}
