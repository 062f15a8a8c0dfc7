import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isAlive } from '../support/processes.ts';
import { eventsOf, killHard, liveRows, startDriver, taskOf } from '../support/supervised.ts';
import { TemporalServer, temporalBin } from '../support/temporal-server.ts';
import {
  beatAfter,
  beatOf,
  endOf,
  endsOf,
  serving,
  setTemporal,
  startWorker,
  watcher,
} from '../support/temporal-world.ts';
import { World } from '../support/world.ts';

const started = (world: World, task: string) =>
  eventsOf(world, task).filter((event) => event === 'task-watcher driver-started');

describe.skipIf(temporalBin === undefined)('a workflow outlives', () => {
  let world: World;
  let server: TemporalServer;

  beforeEach(async () => {
    world = await World.create({ kind: 'sim', env: { CLAUDE_SIM_SPARES: '0' } });
    server = await TemporalServer.place(world.root);
  });
  afterEach(async () => {
    await world?.destroy();
    await server?.stop();
  });

  it('its worker, ended with -9 between ticks and in the middle of a revival: one death, one Driver', async () => {
    await server.start();
    setTemporal(world, server);
    const { sessionId, pid } = await startDriver(world, 'goes-on', 'interactive');
    let worker = startWorker(world);
    await watcher(world, 'start', 'goes-on');
    const first = await beatAfter(world, 'goes-on', 0, ({ found }) => found);
    expect(await worker.end('SIGKILL')).toBe('SIGKILL');
    worker = startWorker(world);
    const second = await beatAfter(world, 'goes-on', Date.now(), ({ found }) => found);
    expect(second).toMatchObject({ workflowId: first.workflowId, runId: first.runId });

    await killHard(world, pid);
    await world.until(() => taskOf(world, 'goes-on').spawnIntent !== undefined, { what: 'a revival', timeout: 60_000 });
    expect(await worker.end('SIGKILL')).toBe('SIGKILL');
    worker = startWorker(world);
    await world.until(
      async () => taskOf(world, 'goes-on').spawnIntent === undefined && (await liveRows(world, sessionId)).length > 0,
      { what: 'its Driver', timeout: 90_000, evidence: () => `${worker.said()}\n${eventsOf(world, 'goes-on')}` },
    );
    const after = await beatAfter(world, 'goes-on', Date.now(), ({ found }) => found);
    await beatAfter(world, 'goes-on', Date.parse(after.tickAt), ({ found }) => found);
    expect(after.runId).toBe(first.runId);
    expect(await liveRows(world, sessionId)).toHaveLength(1);
    expect(started(world, 'goes-on')).toHaveLength(1);
    expect(await worker.end('SIGTERM')).toBe(0);
    expect(worker.said()).toContain('has ended, as it was told to');
  });

  it('its server, started again on its database file', async () => {
    await server.start();
    setTemporal(world, server);
    const { sessionId, pid } = await startDriver(world, 'stays', 'interactive');
    const worker = startWorker(world);
    await watcher(world, 'start', 'stays');
    const before = await beatAfter(world, 'stays', 0, ({ found }) => found);
    await server.stop('SIGKILL');
    await world.until(() => worker.said().includes('does not answer; its watchers wait'), {
      what: 'word of the server’s end',
      timeout: 40_000,
      evidence: worker.said,
    });
    expect(isAlive(worker.pid)).toBe(true);
    await killHard(world, pid);
    await server.start();
    await world.until(async () => (await liveRows(world, sessionId)).length > 0, {
      what: 'the Driver, revived once the server is back',
      timeout: 90_000,
      evidence: worker.said,
    });
    const after = await beatAfter(world, 'stays', Date.now(), ({ found }) => found);
    expect(after.runId).toBe(before.runId);
    expect(started(world, 'stays')).toHaveLength(1);
    expect(worker.said()).toContain('answers again');
    await watcher(world, 'stop', 'stays');
    expect(await endOf(world, 'stays')).toMatchObject({ status: 'STOPPED' });
    expect(endsOf(world, 'stays')).toHaveLength(1);
    expect(await worker.end('SIGTERM')).toBe(0);
  });

  it('a reboot: a worker that is there before its server waits, says so, and then works', async () => {
    setTemporal(world, server);
    await startDriver(world, 'boots', 'interactive');
    const early = startWorker(world);
    await world.until(() => early.said().includes('waits for the Temporal server'), {
      timeout: 30_000,
      evidence: early.said,
    });
    expect(isAlive(early.pid)).toBe(true);
    // One that waits is ended at once.
    expect(await early.end('SIGTERM')).toBe('SIGTERM');
    const worker = startWorker(world);
    await world.until(() => worker.said().includes('waits for the Temporal server'), { timeout: 30_000 });
    await server.start();
    await serving(world, worker);
    await watcher(world, 'start', 'boots');
    expect(await beatAfter(world, 'boots', 0, ({ found }) => found)).toMatchObject({ rosterOk: true });
    expect(worker.said().match(/waits for/g)).toHaveLength(1);
    expect(await worker.end('SIGTERM')).toBe(0);
    expect(beatOf(world, 'boots')).toBeDefined();
  });
});
