import type { Context } from '../../context.ts';
import { monotonicMs } from '../../monotonic.ts';
import { parseScreen } from '../../observe/screen/cells.ts';
import type { Pane } from '../../observe/tmux.ts';
import { runTmux } from '../../observe/tmux.ts';
import { captureScreen } from '../../observe/tmux-screen.ts';
import { sendKeys } from '../keys.ts';
import { removeDeadPane } from '../remove-pane.ts';

const WAIT_MS = 5000;
const POLL_MS = 150;

/** A dialog whose chosen line is the way out, so that Enter there ends the process and approves nothing. */
const WAY_OUT = /^\s*❯\s+(?:\d+\.\s+)?No, exit\s*$/m;

/**
 * Lets a session that never became one leave by its own door: Esc, which every known first-run dialog takes for "No, exit",
 * and Enter only where the chosen line says just that. Nothing else is pressed. Says whether its pane is gone.
 */
export async function leaveStuck({ env }: Context, pane: Pane): Promise<boolean> {
  const guard = { env, pane };
  const chosen = async () => {
    const screen = await captureScreen(env, pane.socket, pane.paneId);
    if (!screen.ok) return 'gone';
    if (screen.value.dead) return 'dead';
    const text = parseScreen(screen.value.ansi)
      .map((row) => row.text)
      .join('\n');
    return WAY_OUT.test(text) ? 'way-out' : 'other';
  };
  const settle = async () => {
    const until = monotonicMs() + WAIT_MS;
    for (;;) {
      const state = await chosen();
      if (state === 'gone' || state === 'dead' || monotonicMs() >= until) return state;
      await new Promise((done) => setTimeout(done, POLL_MS));
    }
  };
  let state = await chosen();
  if (state === 'way-out' || state === 'other') {
    await sendKeys(guard, ['Escape']);
    state = await settle();
  }
  if (state === 'way-out') {
    await sendKeys(guard, ['Enter'], '^ *❯ *([0-9]+\\. *)?No, exit *$');
    state = await settle();
  }
  if (state === 'dead') await removeDeadPane(env, { ...pane, dead: true });
  return state === 'gone' || state === 'dead';
}

/** Once a start is verified its pane need no longer stay behind when the session ends. */
export async function letPaneClose({ env }: Context, pane: Pane): Promise<void> {
  await runTmux(env, pane.socket, ['set-option', '-w', '-u', '-t', pane.paneId, 'remain-on-exit']);
}
