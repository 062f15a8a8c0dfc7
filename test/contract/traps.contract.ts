import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { isAlive } from '../support/processes.ts';
import { bashCall, sidOf, userTexts } from './facts.ts';
import { inEachWorld } from './worlds.ts';

inEachWorld('traps', (world) => {
  it('/exit and Enter at a permission prompt run the pending command', async () => {
    const cwd = await world().folder();
    const args = ['--permission-mode', 'manual'];
    const pane = await world().startInteractive({ prompt: bashCall({ command: 'touch approved' }), args, cwd });
    await world().row(pane, { status: 'waiting', waitingFor: 'permission prompt' });
    expect(existsSync(`${cwd}/approved`)).toBe(false);
    await world().shows(pane, /❯ 1\. Yes/);
    await world().type(pane, '/exit');
    await world().keys(pane, 'Enter');
    await world().until(() => existsSync(`${cwd}/approved`), { what: 'the command that nobody meant to approve' });
    await world().row(pane, { status: 'idle' });
  });

  it('Esc at a permission prompt refuses the command', async () => {
    const cwd = await world().folder();
    const args = ['--permission-mode', 'manual'];
    const pane = await world().startInteractive({ prompt: bashCall({ command: 'touch refused' }), args, cwd });
    await world().row(pane, { status: 'waiting' });
    await world().keys(pane, 'Escape');
    await world().row(pane, { status: 'idle' });
    expect(existsSync(`${cwd}/refused`)).toBe(false);
  });

  it('a background session that waits says so, and its state is blocked', async () => {
    const args = ['--permission-mode', 'manual'];
    const { id } = await world().startBackground({
      prompt: bashCall({ command: 'touch never' }),
      name: 'blocked',
      args,
    });
    const row = await world().row((candidate) => candidate.id === id, { status: 'waiting' });
    expect(row).toMatchObject({ waitingFor: 'permission prompt', state: 'blocked' });
  });

  it('/exit behind a draft becomes a message', async () => {
    const pane = await world().startInteractive({ prompt: 'hi' });
    const sid = sidOf(await world().answered(pane));
    await world().type(pane, 'please do not delete ');
    await world().type(pane, '/exit');
    await world().shows(pane, /^❯\u00a0please do not delete \/exit$/m);
    await world().keys(pane, 'Enter');
    await world().until(async () => userTexts(await world().transcript(sid)).includes('please do not delete /exit'));
    await world().row(pane, { status: 'idle' });
    expect(isAlive(pane.pid)).toBe(true);
  });

  it('the box is a rule, the draft after a no-break space, a rule; five backspaces take /exit back', async () => {
    const pane = await world().startInteractive({ prompt: 'hi' });
    await world().answered(pane);
    await world().shows(pane, /^─+\n❯\u00a0?\n─+\n/m);
    await world().type(pane, '/exit');
    await world().shows(pane, /^─+\n❯\u00a0\/exit\n─+\n/m);
    await world().keys(pane, ...Array<string>(5).fill('BSpace'));
    await world().shows(pane, /^─+\n❯\u00a0?\n─+\n/m);
  });

  it('Ctrl-U takes one row of a draft away, not all of it', async () => {
    const pane = await world().startInteractive({ prompt: 'hi', width: 80 });
    await world().answered(pane);
    await world().type(pane, 'draft '.repeat(20).trim());
    await world().shows(pane, /^❯\u00a0draft.*\n {2}draft/m);
    await world().keys(pane, 'C-u');
    await world().shows(pane, /^❯\u00a0draft.*\n(\s*\n)?─+\n/m);
    await world().keys(pane, 'C-u', 'C-u');
    await world().shows(pane, /^─+\n❯\u00a0?\n─+\n/m);
  });

  it('/exit while a background shell runs opens a dialog; Esc closes it and the session stays', async () => {
    const args = ['--dangerously-skip-permissions', '--settings', '{"skipDangerousModePermissionPrompt":true}'];
    const prompt = bashCall({ command: 'sleep 600', run_in_background: true });
    const pane = await world().startInteractive({ prompt, args, remain: true });
    await world().shows(pane, /· 1 shell ·/);
    await world().until(async () => (await world().sessionFile(pane.pid))?.status === 'shell', {
      what: 'status shell',
    });
    await world().row(pane, { status: 'busy' });
    await world().submit(pane, '/exit');
    await world().shows(
      pane,
      /Background work is running[\s\S]*❯ 1\. Exit and stop tasks\n\s+2\. Move to background and exit\n\s+3\. Stay/,
    );
    await world().row(pane, { status: 'waiting', waitingFor: 'dialog open' });
    await world().keys(pane, 'Escape');
    await world().row(pane, { status: 'busy' });
    expect(isAlive(pane.pid)).toBe(true);
    // The default of the dialog leaves, and stops the shell.
    await world().submit(pane, '/exit');
    await world().shows(pane, 'Background work is running');
    await world().keys(pane, 'Enter');
    await world().until(async () => (await world().tmux.value(pane, 'pane_dead')) === '1', { what: 'a dead pane' });
  });

  it('"Move to background and exit" goes on as a background session under another sid', async () => {
    const args = ['--dangerously-skip-permissions', '--settings', '{"skipDangerousModePermissionPrompt":true}'];
    const cwd = await world().folder();
    const prompt = bashCall({ command: 'sleep 601', run_in_background: true });
    const pane = await world().startInteractive({ prompt, args, cwd });
    const before = await world().row(pane, { status: 'busy' });
    await world().shows(pane, /· 1 shell ·/);
    await world().submit(pane, '/exit');
    await world().shows(pane, 'Background work is running');
    await world().keys(pane, 'Down', 'Enter');
    const moved = await world().row((row) => row.cwd === cwd && row.kind === 'background' && Boolean(row.pid));
    expect(moved.sessionId).not.toBe(before.sessionId);
    expect((await world().roster()).map((row) => row.pid)).not.toContain(pane.pid);
  });
});
