import { mkdir } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { sidOf } from './facts.ts';
import { inEachWorld } from './worlds.ts';

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

inEachWorld('the roster', (world) => {
  it('is an empty array when nothing runs', async () => {
    expect(await world().roster()).toEqual([]);
    expect(await world().roster(true)).toEqual([]);
  });

  it('says exit 1 and prints nothing on stdout when agent view is disabled', async () => {
    const done = await world().claude(['agents', '--json'], { env: { CLAUDE_CODE_DISABLE_AGENT_VIEW: '1' } });
    expect(done).toMatchObject({ code: 1, stdout: '' });
    expect(done.stderr).toContain("'claude agents --json' is disabled by CLAUDE_CODE_DISABLE_AGENT_VIEW.");
  });

  it('lists an interactive session with just these fields', async () => {
    const cwd = await world().folder();
    const pane = await world().startInteractive({ prompt: 'hello', cwd });
    const row = await world().answered(pane);
    expect(row).toEqual({
      pid: pane.pid,
      cwd,
      kind: 'interactive',
      startedAt: expect.any(Number),
      sessionId: expect.stringMatching(uuid),
      name: expect.stringMatching(/^w\d+-[0-9a-f]{2}$/),
      status: 'idle',
    });
  });

  it('says busy during a turn', async () => {
    const pane = await world().startInteractive({ prompt: 'SLOW4' });
    await world().row(pane, { status: 'busy' });
    await world().row(pane, { status: 'idle' });
  });

  it('lists a background session with a short id and a state', async () => {
    const cwd = await world().folder();
    const { id } = await world().startBackground({ prompt: 'hi', name: 'bg-row', cwd });
    const row = await world().answered((candidate) => candidate.id === id);
    expect(row).toEqual({
      pid: expect.any(Number),
      id,
      cwd,
      kind: 'background',
      startedAt: expect.any(Number),
      sessionId: expect.stringMatching(uuid),
      name: 'bg-row',
      status: 'idle',
      state: 'working',
    });
    expect(sidOf(row).startsWith(id)).toBe(true);
  });

  it('shows a finished background session only with --all, without pid and status', async () => {
    const { id } = await world().startBackground({ prompt: 'hi', name: 'bg-done' });
    await world().answered((row) => row.id === id);
    await world().claude(['stop', id]);
    const gone = await world().row((row) => row.id === id && !row.pid, { state: 'stopped' });
    expect(gone).not.toHaveProperty('status');
    expect((await world().roster()).map((row) => row.id)).not.toContain(id);
  });

  it('does not list a session that stands on the trust dialog, and lists it once that is answered', async () => {
    const cwd = await world().folder('untrusted', { trusted: false });
    const pane = await world().startInteractive({ prompt: 'hi', cwd });
    await world().shows(pane, /Quick safety check[\s\S]*❯ No, exit/);
    expect((await world().roster(true)).map((row) => row.pid)).not.toContain(pane.pid);
    expect(await world().sessionFile(pane.pid)).toBeUndefined();
    await world().keys(pane, 'Down');
    await world().shows(pane, /❯ Yes, I trust/);
    await world().keys(pane, 'Enter');
    await world().row(pane, { status: 'idle' });
  });

  it('does not list a session that is asked about one more folder either', async () => {
    const args = ['--add-dir', await world().folder('foreign', { trusted: false })];
    const pane = await world().startInteractive({ args });
    await world().shows(pane, /Adding a new directory[\s\S]*❯ No, exit/);
    expect((await world().roster(true)).map((row) => row.pid)).not.toContain(pane.pid);
  });

  it('leaves, not with exit 0, when Enter takes the trust dialog’s default', async () => {
    const cwd = await world().folder('untrusted-2', { trusted: false });
    const pane = await world().startInteractive({ prompt: 'hi', cwd, remain: true });
    await world().shows(pane, /Quick safety check[\s\S]*❯ No, exit/);
    // A dialog that has just been drawn does not take keys yet.
    const dead = async () => {
      if ((await world().tmux.value(pane, 'pane_dead')) === '1') return true;
      if ((await world().screen(pane)).includes('❯ No, exit')) await world().keys(pane, 'Enter');
      return false;
    };
    await world().until(dead, { what: 'a dead pane', interval: 500 });
    expect(['1', '']).toContain(await world().tmux.value(pane, 'pane_dead_status'));
  });

  it('ignores a folder of somebody else beside the jobs', async () => {
    const before = (await world().roster(true)).length;
    await mkdir(`${world().configDir}/jobs/tasks/some-task`, { recursive: true });
    expect(await world().roster(true)).toHaveLength(before);
  });

  it('knows more in sessions/<pid>.json: the pane, the start of the process, the inbox', async () => {
    const pane = await world().startInteractive({ prompt: 'hello', name: 'noted' });
    const row = await world().answered(pane);
    const note = await world().until(async () => {
      const read = await world().sessionFile(pane.pid);
      return read?.tmux ? read : undefined;
    });
    expect(note).toMatchObject({ pid: pane.pid, sessionId: row.sessionId, kind: 'interactive', status: 'idle' });
    expect(note.tmux).toMatch(new RegExp(`^noted:@\\d+\\.${pane.id}$`));
    expect(note.procStart).toMatch(/^\d+$/);
    expect(note.messagingSocketPath).toContain(`/${pane.pid}.sock`);
  });
});
