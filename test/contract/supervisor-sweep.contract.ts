import { writeFileSync } from 'node:fs';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { documentOf, fleet } from '../support/fleet-commands.ts';
import { isAlive } from '../support/processes.ts';
import {
  editTask,
  eventsOf,
  forgetTasks,
  killHard,
  liveRows,
  setPolicy,
  startDriver,
  sweep,
  sweepOf,
  sweepUntil,
  taskOf,
} from '../support/supervised.ts';
import type { World } from '../support/world.ts';
import { bashCall, userTexts } from './facts.ts';
import { inEachWorld } from './worlds.ts';

const CHECK_IN = 'Check-in: you are the Driver of task';

/** Messages of a session that hold a text, however they came. */
async function told(world: World, sessionId: string, text: string): Promise<number> {
  const lines = await world.transcript(sessionId);
  return lines.filter((line) => line.type === 'user' && JSON.stringify(line).includes(text)).length;
}

inEachWorld('supervisor-sweep', (world) => {
  beforeAll(async () => {
    setPolicy(world());
    // The first sweep has nothing to compare with; it makes the memory.
    const first = await sweep(world());
    expect(documentOf(first).breaker).toMatchObject({ tripped: true, reason: 'first-sweep' });
  });

  beforeEach(() => forgetTasks(world()));

  it.each(['background', 'interactive'] as const)('lets a finished task’s session leave (%s)', async (kind) => {
    const task = `done-${kind}`;
    const { sessionId, pid } = await startDriver(world(), task, kind);
    expect(await fleet(world(), 'task-file', ['finish', task, '--without-board'])).toMatchObject({ code: 0 });
    expect((await sweepOf(world(), task)).outcomes).toEqual(['release release done']);
    expect(isAlive(pid), 'released is not exited').toBe(true);
    expect(taskOf(world(), task)).not.toHaveProperty('exitedAt');
    await sweepUntil(world(), task, 'exit-ladder ask done');
    expect(await told(world(), sessionId, `Task ${task} is done and released`)).toBe(1);
    const before = await world().transcriptBytes(sessionId);
    await sweepUntil(world(), task, 'exit-ladder request done');
    await world().until(() => !isAlive(pid), { what: 'the process to be gone' });
    expect(await world().transcriptBytes(sessionId)).toBeGreaterThanOrEqual(before);
    expect(taskOf(world(), task)).toMatchObject({ exitRequests: 1, exitedAt: expect.any(String) });
    expect(taskOf(world(), task)).not.toHaveProperty('exitGaveUpAt');
    expect(eventsOf(world(), task).slice(-5)).toEqual([
      'supervisor-sweep released',
      'supervisor-sweep exit-asked',
      'supervisor-sweep exit-requested',
      'supervisor-sweep exit-answered',
      'supervisor-sweep exited',
    ]);
    // Settled: it is not looked at any more, not even when somebody brings the conversation back.
    const resumed = await world().claude(['--resume', sessionId, '--bg', 'again'], {
      cwd: taskOf(world(), task).cwd as string,
    });
    expect(resumed.code, resumed.stderr).toBe(0);
    await world().until(async () => (await liveRows(world(), sessionId)).length === 1, { what: 'the resumed session' });
    expect((await sweepOf(world(), task)).document.tasks).toEqual([]);
    expect(taskOf(world(), task)).toHaveProperty('exitedAt');
  });

  it('wakes an idle Driver, with growing gaps, and starts anew when the board is edited', async () => {
    const { sessionId } = await startDriver(world(), 'idle', 'background');
    await sweepUntil(world(), 'idle', 'wake wake done');
    expect(await told(world(), sessionId, CHECK_IN)).toBe(1);
    expect(taskOf(world(), 'idle').wake).toMatchObject({ step: 1, pending: false, verdict: 'delivered' });
    await world().answered((row) => row.sessionId === sessionId, 2);
    // The first gap is one second; the second one is five.
    const held = await world().until(
      async () => {
        const { verdicts } = await sweepOf(world(), 'idle', ['--dry-run']);
        return verdicts.wake?.kind === 'backing-off' && verdicts.wake;
      },
      { what: 'the backoff', interval: 300 },
    );
    expect(held.words).toContain('of 5s since the last wake');
    await sweepUntil(world(), 'idle', 'wake wake done');
    expect(taskOf(world(), 'idle').wake).toMatchObject({ step: 2 });
    expect(await told(world(), sessionId, CHECK_IN)).toBe(2);
    const board = { groups: [{ title: 'all', items: [{ text: 'the last thing', state: 'open' }] }] };
    writeFileSync(`${world().configDir}/jobs/tasks/idle/acceptance.json`, JSON.stringify(board));
    await sweepUntil(world(), 'idle', 'wake wake done');
    expect(taskOf(world(), 'idle').wake).toMatchObject({ step: 1 });
    expect(await told(world(), sessionId, 'the last thing')).toBe(1);
    editTask(world(), 'idle', { state: 'awaiting-human' });
    expect((await sweepOf(world(), 'idle')).verdicts.wake).toMatchObject({ kind: 'awaiting-human', fires: false });
  });

  it('revives a Driver that was killed, in the same conversation, exactly once (interactive)', async () => {
    const { sessionId, pid } = await startDriver(world(), 'killed', 'interactive');
    await sweepOf(world(), 'killed');
    await killHard(world(), pid);
    await world().until(() => !isAlive(pid), { what: 'the process to be gone' });
    await sweepUntil(world(), 'killed', 'revival revive done');
    const [row, ...others] = await liveRows(world(), sessionId);
    expect(others).toEqual([]);
    expect(row?.pid).not.toBe(pid);
    const texts = userTexts(await world().transcript(sessionId));
    expect(texts[0]).toBe('the brief of killed\n');
    expect(texts.at(-1)).toContain('this revives it');
    const task = taskOf(world(), 'killed');
    expect(task).toMatchObject({ driverSid: sessionId, driverRespawns: 1, driverSeen: { pid: row?.pid } });
    expect(task.driverRespawnTimes).toHaveLength(1);
    const next = await sweepOf(world(), 'killed');
    expect(next.verdicts.revival).toMatchObject({ kind: 'alive', fires: false });
  });

  it('leaves a killed background Driver to Claude’s own daemon, within its grace', async () => {
    setPolicy(world(), { revive: { daemonGrace: '5m' } });
    const { sessionId, pid } = await startDriver(world(), 'respawned', 'background');
    await sweepOf(world(), 'respawned');
    await killHard(world(), pid);
    await world().until(() => !isAlive(pid), { what: 'the process to be gone' });
    const { verdicts } = await sweepOf(world(), 'respawned');
    expect(['daemon-grace', 'alive', 'undetermined']).toContain(verdicts.revival?.kind);
    await world().until(async () => (await liveRows(world(), sessionId)).length === 1, {
      what: 'the daemon to bring it back',
      timeout: 60_000,
    });
    const after = await world().until(
      async () => {
        const one = await sweepOf(world(), 'respawned');
        return one.verdicts.liveness?.kind === 'alive' && one;
      },
      { what: 'an alive Driver' },
    );
    expect(after.verdicts.revival).toMatchObject({ kind: 'alive' });
    expect(taskOf(world(), 'respawned')).not.toHaveProperty('driverRespawnTimes');
    expect(taskOf(world(), 'respawned')).not.toHaveProperty('deadSince');
    setPolicy(world());
  });

  it('makes no copy of a background Driver that the daemon brings back at the same moment', async () => {
    const { sessionId, pid } = await startDriver(world(), 'raced', 'background');
    await sweepOf(world(), 'raced');
    await killHard(world(), pid);
    await world().until(() => !isAlive(pid), { what: 'the process to be gone' });
    await world().until(
      async () => {
        await sweepOf(world(), 'raced');
        return (await liveRows(world(), sessionId)).length > 0;
      },
      { what: 'the Driver to be back', timeout: 60_000, interval: 500 },
    );
    await world().until(async () => (await sweepOf(world(), 'raced')).verdicts.liveness?.kind === 'alive', {
      what: 'an alive Driver',
    });
    expect(await liveRows(world(), sessionId)).toHaveLength(1);
    expect(taskOf(world(), 'raced').driverSid).toBe(sessionId);
    const rows = await world().roster();
    const copies = rows.filter((row) => row.name?.startsWith('raced-') && row.pid !== undefined);
    expect(copies.map((row) => row.sessionId)).toEqual([sessionId]);
  });

  it('adopts a Driver that ran /clear, and tells it what it drives', async () => {
    const { sessionId, pid } = await startDriver(world(), 'cleared', 'interactive');
    await sweepOf(world(), 'cleared');
    const pane = (await world().run('tmux', ['list-panes', '-a', '-F', '#{pane_id} #{pane_pid}'])).stdout
      .split('\n')
      .map((line) => line.split(' '))
      .find(([, held]) => Number(held) === pid)?.[0];
    await world().run('tmux', ['send-keys', '-t', pane ?? '', '-l', '/clear']);
    await world().until(
      async () => (await world().run('tmux', ['capture-pane', '-p', '-t', pane ?? ''])).stdout.includes('/clear'),
      {
        what: 'the typed /clear',
      },
    );
    await world().run('tmux', ['send-keys', '-t', pane ?? '', 'Enter']);
    const row = await world().row((one) => one.pid === pid && one.sessionId !== sessionId, { status: 'idle' });
    const adopted = await sweepUntil(world(), 'cleared', 'liveness adopt done');
    expect(adopted.verdicts.revival).toMatchObject({ kind: 'alive', fires: false });
    expect(taskOf(world(), 'cleared')).toMatchObject({ driverSid: row.sessionId, driverSeen: { pid } });
    await world().until(async () => (await told(world(), row.sessionId ?? '', CHECK_IN)) === 1, {
      what: 'the check-in',
    });
    expect(eventsOf(world(), 'cleared')).toContain('supervisor-sweep adopted');
  });

  it('neither wakes, nor lets go, nor revives a Driver at a permission prompt', async () => {
    const touched = `${world().root}/touched`;
    writeFileSync(`${world().root}/asking.md`, bashCall({ command: `touch ${touched}` }));
    const brief = `${world().root}/asking.md`;
    const cwd = await world().folder();
    await fleet(world(), 'start-driver', [
      'asking',
      '--cwd',
      cwd,
      '--brief',
      brief,
      '--kind',
      'interactive',
      ...['--', '--permission-mode', 'default'],
    ]);
    const row = await world().row((one) => one.name?.startsWith('asking-') === true, { status: 'waiting' });
    const open = await sweepOf(world(), 'asking');
    expect(open.verdicts.wake).toMatchObject({ fires: false, kind: 'not-idle' });
    expect(open.verdicts.revival).toMatchObject({ fires: false, kind: 'alive' });
    await fleet(world(), 'task-file', ['finish', 'asking', '--abandon', '--reason', 'a test']);
    await sweepOf(world(), 'asking');
    await world().until(
      async () => {
        const { verdicts, outcomes } = await sweepOf(world(), 'asking');
        expect(outcomes).toEqual([]);
        return verdicts['exit-ladder']?.kind === 'not-idle';
      },
      { what: 'the ladder to wait', interval: 400 },
    );
    expect((await world().roster()).find((one) => one.pid === row.pid)).toMatchObject({ status: 'waiting' });
    expect((await world().run('test', ['-e', touched])).code, 'the pending command was not run').toBe(1);
  });

  it('parks a task at the sixth death in a day, and the answer of a person revives it', async () => {
    const { sessionId, pid } = await startDriver(world(), 'dying', 'interactive');
    await sweepOf(world(), 'dying');
    const times = [5, 4, 3, 2, 1].map((hours) => new Date(Date.now() - hours * 3_600_000).toISOString());
    editTask(world(), 'dying', { driverRespawnTimes: times, driverRespawns: 9 });
    await killHard(world(), pid);
    await world().until(() => !isAlive(pid), { what: 'the process to be gone' });
    await sweepUntil(world(), 'dying', 'revival park done');
    expect(taskOf(world(), 'dying')).toMatchObject({ state: 'parked' });
    expect(await liveRows(world(), sessionId)).toEqual([]);
    const listed = documentOf(await fleet(world(), 'decision-ledger', ['list', '--json'])) as {
      decisions: { id: string; kind: string; task: string | null }[];
    };
    const decision = listed.decisions.find((one) => one.task === 'dying');
    expect(decision).toMatchObject({ kind: 'driver-respawn-cap' });
    const id = decision?.id ?? '';
    expect(await fleet(world(), 'decision-ledger', ['answer', id, 'revive-once-more'])).toMatchObject({ code: 0 });
    const swept = await sweepUntil(world(), 'dying', 'revival revive done');
    expect(swept.outcomes).toContain('answer revive-once-more done');
    expect(await liveRows(world(), sessionId)).toHaveLength(1);
    expect(taskOf(world(), 'dying')).toMatchObject({ state: 'working', answered: { id } });
    expect((await sweepOf(world(), 'dying')).outcomes.filter((one) => one.startsWith('answer'))).toEqual([]);
  });

  it.each(['background', 'interactive'] as const)(
    'wakes a Driver that bypasses permission prompts, which was started so that it hears messages (%s)',
    async (kind) => {
      const task = `bold-${kind}`;
      const { sessionId } = await startDriver(world(), task, kind, ['--dangerously-skip-permissions']);
      await sweepUntil(world(), task, 'wake wake done');
      expect(await told(world(), sessionId, CHECK_IN)).toBe(1);
    },
  );
});
