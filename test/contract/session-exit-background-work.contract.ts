import { expect, it } from 'vitest';
import { fleet, stagehand } from '../support/fleet-commands.ts';
import { isAlive } from '../support/processes.ts';
import type { World } from '../support/world.ts';
import { bashCall, sidOf } from './facts.ts';
import { inEachWorld } from './worlds.ts';

/** A session whose background shell is at work; the roster says busy while it is. */
async function withShell(world: World) {
  const args = ['--dangerously-skip-permissions', '--settings', '{"skipDangerousModePermissionPrompt":true}'];
  const prompt = bashCall({ command: 'sleep 600', run_in_background: true });
  const pane = await world.startInteractive({ prompt, args, remain: true });
  await world.shows(pane, /· 1 shell ·/);
  await world.until(async () => (await world.sessionFile(pane.pid))?.status === 'shell', { what: 'status shell' });
  return { pane, sid: sidOf(await world.row(pane, { status: 'busy' })) };
}

const MOVES = `words=()
for word in "$@"; do words+=("$(printf %s "$word" | sed s/Escape/2/)"); done
exec tmux "\${words[@]}"`;

/** A roster that says idle where it should say busy: only so can the dialog be met at all. */
const blindRoster = (world: World) =>
  stagehand(
    world,
    'blind-claude',
    `if [ "$1" = agents ]; then claude "$@" | sed 's/"busy"/"idle"/'; else exec claude "$@"; fi`,
  );

inEachWorld('session-exit and background work that the roster did not tell of', (world) => {
  it('closes the dialog with Esc; session and shell stay, and it is not called left', async () => {
    const { pane, sid } = await withShell(world());
    const done = await fleet(world(), 'session-exit', [sid, '--json'], { FLEET_CLAUDE: blindRoster(world()) });
    expect(done, done.stdout + done.stderr).toMatchObject({ code: 75 });
    expect(JSON.parse(done.stdout)).toMatchObject({
      verdict: 'still-running',
      words: expect.stringContaining('background work is running'),
    });
    expect(isAlive(pane.pid)).toBe(true);
    await world().shows(pane, /· 1 shell ·/);
    expect(await world().screen(pane)).not.toMatch(/Background work is running|❯\u00a0\/exit/);
  });

  it('does not call left what only moved to the background, under whatever id', async () => {
    const { pane, sid } = await withShell(world());
    // A tmux that turns our Esc into the choice "Move to background and exit".
    const tmux = stagehand(world(), 'tmux-moves', MOVES);
    const done = await fleet(world(), 'session-exit', [sid, '--json'], {
      FLEET_CLAUDE: blindRoster(world()),
      FLEET_TMUX: tmux,
    });
    expect(isAlive(pane.pid), await world().screen(pane)).toBe(false);
    expect(done, done.stdout + done.stderr).toMatchObject({ code: 75 });
    expect(JSON.parse(done.stdout)).toMatchObject({
      verdict: 'still-running',
      words: expect.stringContaining('moved to the background'),
    });
  });
});
