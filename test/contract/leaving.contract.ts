import { expect, it } from 'vitest';
import type { Pane, World } from '../support/world.ts';
import { endReasons, sidOf } from './facts.ts';
import { inEachWorld } from './worlds.ts';

/** Waits for the pane's process to end. tmux 3.3 sometimes never learns the exit code: an empty one says nothing. */
async function exitOf(world: World, pane: Pane): Promise<string> {
  await world.until(async () => (await world.tmux.value(pane, 'pane_dead')) === '1', {
    what: 'a dead pane',
    evidence: () => world.screen(pane),
  });
  return (await world.tmux.value(pane, 'pane_dead_status')) || 'unknown';
}

const ended = (code: string) => expect.stringMatching(new RegExp(`^(${code}|unknown)$`));

inEachWorld('leaving', (world) => {
  it('claude stop takes a short id: exit 0, the transcript grows, SessionEnd says other', async () => {
    const { id } = await world().startBackground({ prompt: 'hi', name: 'to-stop' });
    const sid = sidOf(await world().answered((row) => row.id === id));
    const before = await world().transcriptBytes(sid);
    expect(await world().claude(['stop', id])).toMatchObject({ code: 0, stdout: `stopped ${id}\n` });
    await world().row((row) => row.id === id && !row.pid, { state: 'stopped' });
    expect(await world().transcriptBytes(sid)).toBeGreaterThan(before);
    expect(await endReasons(world(), sid)).toEqual(['other']);
    // A second time is no error, and the beginning of the id is enough.
    expect(await world().claude(['stop', id])).toMatchObject({ code: 0, stdout: `stopped ${id}\n` });
    expect(await world().claude(['stop', id.slice(0, 5)])).toMatchObject({ code: 0, stdout: `stopped ${id}\n` });
  });

  it('claude stop knows neither a full sid, a name, an interactive session nor a stranger', async () => {
    const { id } = await world().startBackground({ prompt: 'hi', name: 'not-by-name' });
    const background = await world().answered((row) => row.id === id);
    const pane = await world().startInteractive({ prompt: 'hi' });
    const interactive = await world().answered(pane);
    for (const wanted of [
      sidOf(background),
      'not-by-name',
      sidOf(interactive),
      sidOf(interactive).slice(0, 8),
      'zzzz',
    ]) {
      const done = await world().claude(['stop', wanted]);
      expect(done).toMatchObject({ code: 1, stdout: '' });
      expect(done.stderr).toContain(`No session matching '${wanted}'. Run 'claude agents' to list running sessions.`);
    }
    expect((await world().roster()).map((row) => row.pid)).toEqual(expect.arrayContaining([background.pid, pane.pid]));
  });

  it('claude stop takes a busy session out of its turn', async () => {
    const { id } = await world().startBackground({ prompt: 'SLOW60', name: 'busy-stop' });
    await world().row((row) => row.id === id, { status: 'busy' });
    expect(await world().claude(['stop', id])).toMatchObject({ code: 0 });
    await world().row((row) => row.id === id && !row.pid, { state: 'stopped' });
  });

  it('/exit and Enter: exit 0, the transcript grows, SessionEnd says prompt_input_exit, the resume command stays', async () => {
    const pane = await world().startInteractive({ prompt: 'hi', remain: true });
    const sid = sidOf(await world().answered(pane));
    const before = await world().transcriptBytes(sid);
    await world().type(pane, '/exit');
    await world().shows(pane, /^❯\u00a0\/exit$/m);
    await world().keys(pane, 'Enter');
    expect(await exitOf(world(), pane)).toEqual(ended('0'));
    await world().shows(pane, `claude --resume ${sid}`);
    expect(await world().transcriptBytes(sid)).toBeGreaterThan(before);
    expect(await endReasons(world(), sid)).toEqual(['prompt_input_exit']);
    expect((await world().roster(true)).map((row) => row.sessionId)).not.toContain(sid);
    expect(await world().sessionFile(pane.pid)).toBeUndefined();
  });

  it('/exit ends a busy session in the middle of its turn', async () => {
    const pane = await world().startInteractive({ prompt: 'SLOW60', remain: true });
    await world().row(pane, { status: 'busy' });
    await world().submit(pane, '/exit');
    await exitOf(world(), pane);
  });

  it('a pane without a shell shows claude and goes with it', async () => {
    const pane = await world().startInteractive({ prompt: 'hi' });
    await world().answered(pane);
    expect(await world().tmux.value(pane, 'pane_current_command')).toBe('claude');
    await world().submit(pane, '/exit');
    await world().until(async () => (await world().tmux.value(pane, 'pane_id')) === undefined, { what: 'no pane' });
  });

  it('in a pane with a shell what is typed after the exit goes to the shell', async () => {
    const pane = await world().startInteractive({ prompt: 'hi', shell: true, name: 'shelled' });
    const tmuxIs = async () =>
      (await world().roster()).find((row) => row.pid !== pane.pid && row.name?.startsWith('w'));
    await world().shows(pane, '● ok');
    expect(await tmuxIs()).toBeDefined();
    await world().submit(pane, '/exit');
    await world().shows(pane, 'claude --resume');
    await world().until(async () => (await world().tmux.value(pane, 'pane_current_command')) === 'bash');
    await world().submit(pane, 'echo $((40 + 2))-shell');
    await world().shows(pane, '42-shell');
  });

  it('two Ctrl-C end an idle session', async () => {
    const pane = await world().startInteractive({ prompt: 'hi', remain: true });
    await world().answered(pane);
    await world().keys(pane, 'C-c');
    await world().shows(pane, 'Press Ctrl-C again to exit');
    await world().keys(pane, 'C-c');
    expect(await exitOf(world(), pane)).toEqual(ended('0'));
  });

  it('in an attached background session /exit only leaves the view, and Ctrl-Z detaches', async () => {
    const { id } = await world().startBackground({ prompt: 'hi', name: 'attached' });
    await world().answered((row) => row.id === id);
    const first = await world().attachBackground(id);
    await world().shows(first, '● ok');
    await world().submit(first, '/exit');
    await world().shows(first, 'describe a task for a new session');
    await world().answered((row) => row.id === id);
    const second = await world().attachBackground(id);
    await world().shows(second, '● ok');
    await world().submit(second, 'typed from outside');
    await world().shows(second, /❯ typed from outside[\s\S]*● ok/);
    await world().keys(second, 'C-z');
    expect(await exitOf(world(), second)).toEqual(ended('0'));
    await world().answered((row) => row.id === id);
  });
});
