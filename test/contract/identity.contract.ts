import { expect, it } from 'vitest';
import { isAlive } from '../support/processes.ts';
import { endReasons, sidOf, userTexts } from './facts.ts';
import { inEachWorld } from './worlds.ts';

inEachWorld('identity', (world) => {
  it('--session-id is honoured by an interactive start, and refused when it is in use', async () => {
    const cwd = await world().folder();
    const sid = '11111111-2222-4333-8444-555555555555';
    const pane = await world().startInteractive({ prompt: 'hi', args: ['--session-id', sid], cwd });
    expect(await world().answered(pane)).toMatchObject({ sessionId: sid });
    // In a shell: tmux can lose the last words of a pane that dies at once.
    const again = await world().startInteractive({ prompt: 'hi', args: ['--session-id', sid], cwd, shell: true });
    await world().shows(again, `Session ID ${sid} is already in use.`);
  });

  it('/clear gives a new sid; pid and startedAt stay', async () => {
    const pane = await world().startInteractive({ prompt: 'hi' });
    const before = await world().answered(pane);
    await world().submit(pane, '/clear');
    const after = await world().until(async () => {
      const row = (await world().roster()).find((candidate) => candidate.pid === pane.pid);
      return row && row.sessionId !== before.sessionId && row;
    });
    expect(after).toMatchObject({ pid: before.pid, startedAt: before.startedAt, name: before.name });
    expect(await endReasons(world(), sidOf(before))).toEqual(['clear']);
  });

  it('/rename changes the name alone', async () => {
    const pane = await world().startInteractive({ prompt: 'hi' });
    const before = await world().answered(pane);
    await world().submit(pane, '/rename another-name');
    expect(await world().row(pane, { name: 'another-name' })).toEqual({ ...before, name: 'another-name' });
  });

  it('interactive --resume goes on under the same sid, and of a live session makes twins', async () => {
    const cwd = await world().folder();
    const first = await world().startInteractive({ prompt: 'one', cwd });
    const sid = sidOf(await world().answered(first));
    await world().submit(first, '/exit');
    await world().until(() => !isAlive(first.pid), { what: 'the first to leave' });
    const second = await world().startInteractive({ prompt: 'two', args: ['--resume', sid], cwd });
    expect(await world().row(second, { status: 'idle' })).toMatchObject({ sessionId: sid });
    const third = await world().startInteractive({ prompt: 'three', args: ['--resume', sid], cwd });
    await world().row(third, { status: 'idle', sessionId: sid });
    const twins = (await world().roster()).filter((row) => row.sessionId === sid).map((row) => row.pid);
    expect(twins.sort()).toEqual([second.pid, third.pid].sort());
    await world().until(async () => userTexts(await world().transcript(sid)).includes('three'));
    expect(userTexts(await world().transcript(sid))).toEqual(expect.arrayContaining(['one', 'two', 'three']));
  });

  it('--resume of an unknown sid is refused in a pane, but --bg says backgrounded and fails later', async () => {
    const sid = '99999999-2222-4333-8444-555555555555';
    const cwd = await world().folder();
    const pane = await world().startInteractive({ prompt: 'hi', args: ['--resume', sid], cwd, shell: true });
    await world().shows(pane, `No conversation found with session ID: ${sid}`);
    const done = await world().startBackground({ prompt: 'hi', args: ['--resume', sid], cwd });
    expect(done).toMatchObject({ code: 0, id: '99999999' });
    const failed = await world().row((row) => row.id === '99999999', { state: 'failed' });
    expect(failed).not.toHaveProperty('pid');
  });

  it('--bg ignores --session-id', async () => {
    const given = '22222222-2222-4333-8444-555555555555';
    const done = await world().startBackground({ prompt: 'hi', name: 'own-id', args: ['--session-id', given] });
    expect(done.code).toBe(0);
    const row = await world().row((candidate) => candidate.name === 'own-id');
    expect(row.sessionId).not.toBe(given);
  });

  it('--bg prints the short id and the name, and refuses an untrusted folder', async () => {
    const done = await world().startBackground({ prompt: 'hi', name: 'printed' });
    expect(done.stdout.split('\n')[0]).toBe(`backgrounded · ${done.id} · printed`);
    const cwd = await world().folder('never-trusted', { trusted: false });
    const refused = await world().startBackground({ prompt: 'hi', cwd });
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain('Workspace not trusted');
  });

  it('--bg --resume of a stopped session keeps sid and id; of a live one it makes a copy and only a note says so', async () => {
    const cwd = await world().folder();
    const { id } = await world().startBackground({ prompt: 'first', name: 'comes-back', cwd });
    const sid = sidOf(await world().answered((row) => row.id === id));
    await world().claude(['stop', id]);
    const same = await world().startBackground({ prompt: 'second', args: ['--resume', sid], cwd });
    expect(same).toMatchObject({ code: 0, id });
    await world().row((row) => row.id === id, { status: 'idle', sessionId: sid });
    await world().until(async () => userTexts(await world().transcript(sid)).includes('second'));
    const copy = await world().startBackground({ prompt: 'third', args: ['--resume', sid], cwd });
    expect(copy.code).toBe(0);
    expect(copy.id).not.toBe(id);
    expect(copy.stderr).toContain(
      `session ${id} is already running in the background, so this started a copy as ${copy.id}`,
    );
    await world().row((row) => row.id === copy.id, { status: 'idle' });
    await world().row((row) => row.id === id, { status: 'idle' });
  });

  it('--bg --resume of a stopped background session with flags makes a copy; without, it continues with its saved ones', async () => {
    const cwd = await world().folder();
    const flags = ['--permission-mode', 'acceptEdits'];
    const { id } = await world().startBackground({ prompt: 'first', cwd, args: flags });
    const sid = sidOf(await world().answered((row) => row.id === id));
    await world().claude(['stop', id]);
    const copy = await world().startBackground({ prompt: 'second', args: ['--resume', sid, ...flags], cwd });
    expect(copy.id).not.toBe(id);
    expect(copy.stderr).toContain(`background session ${id} keeps its own saved options`);
    const same = await world().startBackground({ prompt: 'third', args: ['--resume', sid], cwd });
    expect(same.id).toBe(id);
    expect(same.stderr).toMatch(/woke session \w+ with its saved options \(.*--permission-mode/);
  });

  it('--bg --resume of a live interactive session makes a copy; of an ended one it keeps the sid', async () => {
    const cwd = await world().folder();
    const pane = await world().startInteractive({ prompt: 'one', cwd });
    const sid = sidOf(await world().answered(pane));
    const copy = await world().startBackground({ prompt: 'two', args: ['--resume', sid], cwd });
    expect(copy.stderr).toContain(`session ${sid.slice(0, 8)} is open in another Claude Code process`);
    expect(sid.startsWith(copy.id)).toBe(false);
    await world().submit(pane, '/exit');
    await world().until(() => !isAlive(pane.pid), { what: 'the session to leave' });
    const same = await world().startBackground({ prompt: 'three', args: ['--resume', sid], cwd });
    expect(sid.startsWith(same.id)).toBe(true);
  });

  it('a background session killed with -9 is brought back by the daemon under the same sid', async () => {
    const { id } = await world().startBackground({ prompt: 'hi', name: 'unkillable' });
    const before = await world().answered((row) => row.id === id);
    process.kill(before.pid ?? 0, 'SIGKILL');
    // Between the two lives it is listed, also without --all, but has no pid.
    await world().until(async () => (await world().roster()).some((row) => row.id === id && !row.pid), {
      interval: 20,
    });
    const after = await world().row(
      (row) => row.id === id && Boolean(row.pid),
      { status: 'idle' },
      { timeout: 60_000 },
    );
    expect(after.sessionId).toBe(before.sessionId);
    expect(after.pid).not.toBe(before.pid);
  });
});
