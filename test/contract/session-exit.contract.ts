import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { fleet } from '../support/fleet-commands.ts';
import { isAlive } from '../support/processes.ts';
import type { Pane, World } from '../support/world.ts';
import { bashCall, endReasons, sidOf, userTexts } from './facts.ts';
import { inEachWorld } from './worlds.ts';

const exit = (world: World, sid: string, ...more: string[]) => fleet(world, 'session-exit', [sid, '--json', ...more]);

/** An idle interactive session with one turn behind it. */
async function idle(world: World, options: Parameters<World['startInteractive']>[0] = {}) {
  const pane = await world.startInteractive({ prompt: 'hi', ...options });
  const sid = sidOf(await world.row(pane));
  await turnDone(world, sid);
  await world.row(pane, { status: 'idle' });
  return { pane, sid };
}

/** A session says idle also before its first turn, so wait until that was answered. */
async function turnDone(world: World, sid: string, answers = 1): Promise<void> {
  const answered = async () =>
    (await world.transcript(sid)).filter(({ type }) => type === 'assistant').length >= answers;
  await world.until(answered, { what: `${answers} answers in the transcript` });
}

/** What a screen shows from its first rule on, without the footer: the logo blinks, and the footer's hints come and go. */
const belowLogo = (screen: string) =>
  screen
    .slice(screen.indexOf('──'))
    .replaceAll('●', ' ')
    .replace(/^ {2}(⏵⏵|\?) .*$/gm, '')
    .trimEnd();

/** Asks the session to leave and expects that a guard refused, with screen and process as they were. */
async function refused(world: World, pane: Pane, sid: string, guard: string): Promise<void> {
  const before = belowLogo(await world.screen(pane));
  const done = await exit(world, sid);
  expect(done, `${done.stdout}${done.stderr}`).toMatchObject({ code: 77 });
  expect(JSON.parse(done.stdout)).toMatchObject({
    verdict: 'refused',
    words: expect.stringContaining(`nothing done: ${guard}`),
  });
  expect(isAlive(pane.pid)).toBe(true);
  expect(belowLogo(await world.screen(pane))).toBe(before);
}

inEachWorld('session-exit lets leave', (world) => {
  it('an idle interactive session: its process is gone, its hook ran, its transcript grew, it can be resumed', async () => {
    const cwd = await world().folder();
    const { pane, sid } = await idle(world(), { cwd });
    const bytes = await world().transcriptBytes(sid);
    const dry = await exit(world(), sid, '--dry-run');
    expect([dry.code, JSON.parse(dry.stdout).verdict]).toEqual([0, 'would-leave']);
    expect(isAlive(pane.pid)).toBe(true);

    const done = await exit(world(), sid);
    expect(done, done.stderr).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(done.stdout)).toMatchObject({
      verdict: 'left',
      path: 'typed',
      pid: pane.pid,
      resume: `cd ${cwd} && claude --resume ${sid}`,
    });
    expect(JSON.parse(done.stdout).transcript.beforeBytes).toBe(bytes);
    expect(JSON.parse(done.stdout).transcript.afterBytes).toBeGreaterThanOrEqual(bytes);
    expect(isAlive(pane.pid)).toBe(false);
    expect(await endReasons(world(), sid)).toEqual(['prompt_input_exit']);
    expect(userTexts(await world().transcript(sid)).join('\n')).not.toMatch(/^\/exit/m);

    const again = await world().startInteractive({ prompt: 'back', args: ['--resume', sid], cwd });
    expect(sidOf(await world().row(again, { status: 'idle' }))).toBe(sid);
    await world().until(async () => userTexts(await world().transcript(sid)).includes('back'));
  });

  it('an idle background session, named by its full or its short id', async () => {
    for (const by of ['full', 'short']) {
      const { id } = await world().startBackground({ prompt: 'hi' });
      const sid = sidOf(await world().row((one) => one.id === id));
      await turnDone(world(), sid);
      const row = await world().row((one) => one.id === id, { status: 'idle' });
      const bytes = await world().transcriptBytes(sid);
      const done = await exit(world(), by === 'full' ? sid : id);
      expect(done, done.stdout + done.stderr).toMatchObject({ code: 0 });
      expect(JSON.parse(done.stdout)).toMatchObject({ verdict: 'left', path: 'stop', sessionId: sid, pid: row.pid });
      expect(isAlive(row.pid ?? 0)).toBe(false);
      expect(await world().transcriptBytes(sid)).toBeGreaterThan(bytes);
      expect(await endReasons(world(), sid)).toEqual(['other']);
      const resumed = await world().claude(['--resume', sid, '--bg', 'back'], { cwd: row.cwd ?? world().root });
      expect(resumed).toMatchObject({ code: 0 });
      await turnDone(world(), sid, 2);
      await world().row((one) => one.sessionId === sid && one.pid !== undefined, { status: 'idle' });
      expect(await exit(world(), sid)).toMatchObject({ code: 0 });
    }
  });

  it('a session in a pane that a shell started; the shell stays and gets nothing typed', async () => {
    const pane = await world().startInteractive({ prompt: 'hi', shell: true });
    const row = await world().row(
      (one) => one.kind === 'interactive' && one.pid !== undefined && parentOf(one.pid) === pane.pid,
      { status: 'idle' },
    );
    await turnDone(world(), sidOf(row));
    await world().row((one) => one.pid === row.pid, { status: 'idle' });
    const done = await exit(world(), sidOf(row));
    expect(done, done.stdout + done.stderr).toMatchObject({ code: 0 });
    expect(isAlive(row.pid ?? 0)).toBe(false);
    expect(isAlive(pane.pid)).toBe(true);
    expect(await world().screen(pane)).not.toMatch(/command not found|No such file/);
  });

  it('a session whose window is narrow, or whose tmux name holds spaces and signs', async () => {
    for (const options of [{ width: 40, height: 20 }, { name: 'a b=c *x' }, { width: 200, height: 50 }]) {
      const { pane, sid } = await idle(world(), options);
      const done = await exit(world(), sid);
      expect(done, done.stdout + done.stderr).toMatchObject({ code: 0 });
      expect(isAlive(pane.pid)).toBe(false);
    }
  });

  it('nobody who is not there', async () => {
    expect(await exit(world(), '00000000-0000-4000-8000-000000000000')).toMatchObject({ code: 66 });
    const { sid } = await idle(world());
    expect(await exit(world(), sid)).toMatchObject({ code: 0 });
    expect(await exit(world(), sid)).toMatchObject({ code: 66 });
  });
});

inEachWorld('session-exit refuses, and touches nothing,', (world) => {
  it('at a permission prompt: the pending command does not run', async () => {
    const cwd = await world().folder();
    const pane = await world().startInteractive({
      prompt: bashCall({ command: 'touch approved' }),
      args: ['--permission-mode', 'manual'],
      cwd,
    });
    const sid = sidOf(await world().row(pane, { status: 'waiting' }));
    await world().shows(pane, /❯ 1\. Yes/);
    await refused(world(), pane, sid, 'status: status waiting');
    await refused(world(), pane, sid, 'status: status waiting');
    expect(existsSync(`${cwd}/approved`)).toBe(false);
  });

  it('a background session at a permission prompt', async () => {
    const cwd = await world().folder();
    const { id } = await world().startBackground({
      prompt: bashCall({ command: 'touch approved' }),
      args: ['--permission-mode', 'manual'],
      cwd,
    });
    const row = await world().row((one) => one.id === id, { status: 'waiting' });
    expect(await exit(world(), id)).toMatchObject({ code: 77 });
    expect(isAlive(row.pid ?? 0)).toBe(true);
    expect(existsSync(`${cwd}/approved`)).toBe(false);
  });

  it('on the trust dialog, where the roster does not even list it', async () => {
    const cwd = await world().folder(undefined, { trusted: false });
    const sid = '5e551000-0000-4000-8000-000000000001';
    const pane = await world().startInteractive({ prompt: 'hi', args: ['--session-id', sid], cwd });
    await world().shows(pane, /No, exit/);
    await refused(world(), pane, sid, 'input: a dialog is open');
  });

  it('behind a draft: the draft stays', async () => {
    const { pane, sid } = await idle(world());
    await world().type(pane, 'please do not delete ');
    await world().shows(pane, /please do not delete/);
    await refused(world(), pane, sid, 'input: a draft stands in the box');
  });

  it('behind a person’s own /exit that waits for Enter', async () => {
    const { pane, sid } = await idle(world());
    await world().type(pane, '/exit');
    await world().shows(pane, /^❯\u00a0\/exit$/m);
    await refused(world(), pane, sid, 'input: a draft stands in the box');
  });

  it('in a busy turn', async () => {
    const pane = await world().startInteractive({ prompt: 'SLOW20 please' });
    const sid = sidOf(await world().row(pane, { status: 'busy' }));
    const done = await exit(world(), sid);
    expect(done, done.stdout).toMatchObject({ code: 77 });
    expect(JSON.parse(done.stdout).words).toContain('status: status busy');
    expect(isAlive(pane.pid)).toBe(true);
    expect((await world().row(pane)).status).toBe('busy');
  });

  it('in copy mode', async () => {
    const { pane, sid } = await idle(world());
    await world().tmux.command(['copy-mode', '-t', pane.id]);
    await refused(world(), pane, sid, 'mode: ');
    expect(await world().tmux.value(pane, 'pane_in_mode')).toBe('1');
  });

  it('with a client attached, and goes on once it has left', async () => {
    const { pane, sid } = await idle(world());
    const client = await world().attachClient(pane);
    const done = await exit(world(), sid);
    expect(done, done.stdout).toMatchObject({ code: 77 });
    expect(JSON.parse(done.stdout).words).toContain('unattached: 1 client attached');
    expect(await world().screen(pane)).not.toContain('/exit');
    await client.detach();
    expect(await exit(world(), sid)).toMatchObject({ code: 0 });
  });

  it('a background session that somebody views with claude attach', async () => {
    const { id } = await world().startBackground({ prompt: 'hi' });
    const sid = sidOf(await world().row((one) => one.id === id));
    await turnDone(world(), sid);
    const row = await world().row((one) => one.id === id, { status: 'idle' });
    const viewer = await world().attachBackground(id);
    await world().until(
      () =>
        isAlive(viewer.pid) &&
        world()
          .screen(viewer)
          .then((screen) => /❯/.test(screen)),
      { what: 'the attached view' },
    );
    const done = await exit(world(), id);
    expect(done, done.stdout).toMatchObject({ code: 77 });
    expect(JSON.parse(done.stdout).words).toContain('unattached: 1 claude attach');
    expect(isAlive(row.pid ?? 0)).toBe(true);
  });

  it('a session that runs in no pane, though its TMUX_PANE names one: that pane gets no key', async () => {
    const cwd = await world().folder();
    const command = "setsid -f script -qec 'claude hi' /dev/null >/dev/null 2>&1 </dev/null; exec cat";
    const pane = await world().tmux.start(['bash', '-c', command], { name: `elsewhere-${cwd.split('/').at(-1)}`, cwd });
    const sid = sidOf(await world().row((one) => one.cwd === cwd && one.pid !== undefined));
    await turnDone(world(), sid);
    const row = await world().row((one) => one.sessionId === sid, { status: 'idle' });
    const done = await exit(world(), sidOf(row));
    expect(done, done.stdout).toMatchObject({ code: 77 });
    expect(JSON.parse(done.stdout).words).toContain('address: no pane');
    expect((await world().screen(pane)).trim()).toBe('');
    expect(isAlive(row.pid ?? 0)).toBe(true);
  });

  it('two processes under one id', async () => {
    const cwd = await world().folder();
    const { pane, sid } = await idle(world(), { cwd });
    const twin = await world().startInteractive({ prompt: 'twin', args: ['--resume', sid], cwd });
    await world().row(twin, { status: 'idle' });
    const done = await exit(world(), sid);
    expect(done, done.stdout).toMatchObject({ code: 77 });
    expect(JSON.parse(done.stdout).words).toContain('identity: 2 live processes');
    expect([isAlive(pane.pid), isAlive(twin.pid)]).toEqual([true, true]);
  });

  it('with a background shell at work', async () => {
    const args = ['--dangerously-skip-permissions', '--settings', '{"skipDangerousModePermissionPrompt":true}'];
    const pane = await world().startInteractive({
      prompt: bashCall({ command: 'sleep 600', run_in_background: true }),
      args,
    });
    await world().shows(pane, /· 1 shell ·/);
    const sid = sidOf(await world().row(pane, { status: 'busy' }));
    await world().until(async () => (await world().sessionFile(pane.pid))?.status === 'shell', {
      what: 'status shell',
    });
    const done = await exit(world(), sid);
    expect(done, done.stdout).toMatchObject({ code: 77 });
    expect(isAlive(pane.pid)).toBe(true);
    expect(await world().screen(pane)).not.toContain('/exit');
  });
});

/** The parent of a live process; 0 when it is gone. */
function parentOf(pid: number): number {
  try {
    return Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}
