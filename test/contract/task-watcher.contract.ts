import { beforeAll, beforeEach, expect, it } from 'vitest';
import { documentOf, fleet } from '../support/fleet-commands.ts';
import { isAlive } from '../support/processes.ts';
import {
  eventsOf,
  forgetTasks,
  killHard,
  liveRows,
  setPolicy,
  startDriver,
  sweep,
  sweepOf,
  taskOf,
} from '../support/supervised.ts';
import type { World } from '../support/world.ts';
import { userTexts } from './facts.ts';
import { inEachWorld } from './worlds.ts';

interface Tick {
  task: string;
  kind: string;
  words: string;
  result: string | null;
}

async function tickOf(world: World, task: string): Promise<Tick> {
  const done = await fleet(world, 'task-watcher', ['tick', task, '--json']);
  const [one] = documentOf(done).tasks as Tick[];
  if (one === undefined) throw new Error(`no tick: ${done.stdout}${done.stderr}`);
  return one;
}

/** A Driver that was killed, and both halves have seen alive before. */
async function killedDriver(world: World, task: string) {
  const driver = await startDriver(world, task, 'interactive');
  await sweepOf(world, task);
  expect(await tickOf(world, task)).toMatchObject({ kind: 'none' });
  await killHard(world, driver.pid);
  await world.until(() => !isAlive(driver.pid), { what: 'the process to be gone' });
  return driver;
}

inEachWorld('task-watcher, the embedded engine', (world) => {
  beforeAll(async () => {
    setPolicy(world());
    await sweep(world());
  });

  beforeEach(() => forgetTasks(world()));

  it('revives a dead Driver in the same conversation, once, with the Supervisor beside it', async () => {
    const { sessionId, pid } = await killedDriver(world(), 'both');
    // Its heartbeat is fresh: the Supervisor leaves the death to it.
    expect((await sweepOf(world(), 'both')).verdicts.revival).toMatchObject({ kind: 'defer-to-watcher', fires: false });
    const both = await Promise.all([tickOf(world(), 'both'), sweepOf(world(), 'both')]);
    expect(both[0]).toMatchObject({ kind: 'revive', result: 'done' });
    const [row, ...others] = await liveRows(world(), sessionId);
    expect(others).toEqual([]);
    expect(row?.pid).not.toBe(pid);
    expect(userTexts(await world().transcript(sessionId)).at(-1)).toContain('this revives it');
    expect(await tickOf(world(), 'both')).toMatchObject({ kind: 'none' });
    expect((await sweepOf(world(), 'both')).verdicts.revival).toMatchObject({ kind: 'alive', fires: false });
    expect(eventsOf(world(), 'both').filter((event) => event.endsWith(' driver-started'))).toHaveLength(2);
    // The watcher carries its own list; the Supervisor's is for its own revivals.
    expect(taskOf(world(), 'both')).not.toHaveProperty('driverRespawnTimes');
  });

  it('and the Supervisor at the same moment: one death, one revival, one Driver', async () => {
    // A grace of nothing: both want it at once.
    setPolicy(world(), { revive: { watcherGrace: '0s', daemonGrace: '1s', wait: '90s' } });
    const { sessionId } = await killedDriver(world(), 'race');
    await Promise.all([tickOf(world(), 'race'), sweepOf(world(), 'race'), tickOf(world(), 'race')]);
    await world().until(
      async () => {
        await Promise.all([tickOf(world(), 'race'), sweepOf(world(), 'race')]);
        return (await liveRows(world(), sessionId)).length > 0;
      },
      { what: 'a revived Driver', interval: 300 },
    );
    expect(await liveRows(world(), sessionId)).toHaveLength(1);
    const revived = (await world().roster()).filter(
      (row) => row.name?.startsWith('race-') && row.sessionId !== sessionId,
    );
    expect(revived).toEqual([]);
    expect(eventsOf(world(), 'race').filter((event) => event.endsWith(' driver-started'))).toHaveLength(2);
    setPolicy(world());
  });

  it('never revives a live session because it was renamed', async () => {
    const { sessionId, pid } = await startDriver(world(), 'renamed', 'interactive');
    await tickOf(world(), 'renamed');
    const pane = await paneOf(world(), pid);
    await world().run('tmux', ['send-keys', '-t', pane, '-l', '/rename somebody-else']);
    await world().until(async () => (await screenOf(world(), pane)).includes('/rename'), { what: 'the typed /rename' });
    await world().run('tmux', ['send-keys', '-t', pane, 'Enter']);
    await world().row((row) => row.sessionId === sessionId && row.name === 'somebody-else');
    expect(await tickOf(world(), 'renamed')).toMatchObject({ kind: 'none' });
    expect(await liveRows(world(), sessionId)).toHaveLength(1);
  });

  it('gives a turn that is busy and silent one wake, and an idle Driver none', async () => {
    setPolicy(world(), { watcher: { wedged: '2s', nudges: 2 } });
    const { sessionId } = await startDriver(world(), 'wedged', 'background', [
      '--permission-mode',
      'bypassPermissions',
    ]);
    await world().until(async () => (await tickOf(world(), 'wedged')).kind === 'none', { what: 'an idle tick' });
    await fleet(world(), 'session-msg', ['send', sessionId, 'SLOW20']);
    await world().row((row) => row.sessionId === sessionId, { status: 'busy' });
    const nudged = await world().until(
      async () => {
        const one = await tickOf(world(), 'wedged');
        return one.kind === 'nudge' && one;
      },
      { what: 'the wake of a wedged turn', interval: 300 },
    );
    expect(nudged).toMatchObject({ result: 'done' });
    expect(eventsOf(world(), 'wedged').filter((event) => event === 'task-watcher nudged')).toHaveLength(1);
    const inbox = documentOf(await fleet(world(), 'session-msg', ['inbox', sessionId, '--json']));
    expect(JSON.stringify(inbox)).toContain('nudge-');
    setPolicy(world());
  });
});

async function paneOf(world: World, pid: number): Promise<string> {
  const { stdout } = await world.run('tmux', ['list-panes', '-a', '-F', '#{pane_id} #{pane_pid}']);
  const line = stdout.split('\n').find((one) => one.endsWith(` ${pid}`));
  return line?.split(' ')[0] ?? '';
}

async function screenOf(world: World, pane: string): Promise<string> {
  return (await world.run('tmux', ['capture-pane', '-p', '-t', pane])).stdout;
}
