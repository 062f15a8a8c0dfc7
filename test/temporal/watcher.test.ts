import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { documentOf, fleet } from '../support/fleet-commands.ts';
import { onlyThese, taskDir } from '../support/made-drivers.ts';
import { HOUR, makeFleet, makeTask } from '../support/made-fleet.ts';
import { rosterFault } from '../support/stand-in.ts';
import { editTask, eventsOf, killHard, liveRows, startDriver } from '../support/supervised.ts';
import { TemporalServer, temporalBin } from '../support/temporal-server.ts';
import {
  beatAfter,
  beatOf,
  endOf,
  endsOf,
  type RunningWorker,
  serving,
  setTemporal,
  startWorker,
  watcher,
} from '../support/temporal-world.ts';
import { World } from '../support/world.ts';

const STARTED = 'task-watcher driver-started';

describe.skipIf(temporalBin === undefined)('a watcher as a workflow, on a real server', () => {
  let world: World;
  let server: TemporalServer;
  let worker: RunningWorker;

  beforeAll(async () => {
    world = await World.create({ kind: 'sim', env: { CLAUDE_SIM_SPARES: '0' } });
    server = await TemporalServer.place(world.root);
    await server.start();
    setTemporal(world, server);
    worker = startWorker(world);
    await serving(world, worker);
  });
  afterAll(async () => {
    await worker?.end('SIGKILL');
    await world?.destroy();
    await server?.stop();
  });

  /** Live idle sessions that only sleep, a task for each. */
  const idleTasks = (names: readonly string[], row: Record<string, unknown> = {}) => {
    const made = makeFleet(world, Object.fromEntries(names.map((name) => [name, { row, ageMs: HOUR }])));
    for (const name of names) {
      const driverSid = made[name]?.sid;
      makeTask(world, name, { state: 'working', cwd: `/made/${name}`, driverSid, launch: { kind: 'interactive' } });
    }
    return made;
  };
  const statusIs = (workflowId: string, status: string) =>
    world.until(async () => (await server.statusOf(workflowId)) === status, {
      what: `${workflowId} to be ${status}`,
      evidence: () => server.statusOf(workflowId),
    });

  // First, while the roster is the stand-in's own.
  it('revives a dead Driver once, in its own conversation, and carries that into its next run', async () => {
    setTemporal(world, server, { lifetime: '4s' }, { revive: { max: 1, daemonGrace: '1s', wait: '90s' } });
    const { sessionId, pid } = await startDriver(world, 'dies', 'interactive');
    const { workflowId } = await watcher(world, 'start', 'dies');
    const first = await beatAfter(world, 'dies', 0, ({ found }) => found);
    await killHard(world, pid);
    const row = await world.row(
      (one) => one.sessionId === sessionId && one.pid !== undefined && one.pid !== pid,
      {},
      {
        timeout: 60_000,
        evidence: () => `${worker.said()}\n${eventsOf(world, 'dies').join('\n')}`,
      },
    );
    const revived = await beatAfter(world, 'dies', Date.now(), ({ found, runId }) => found && runId !== first.runId);
    expect(revived).toMatchObject({ workflowId, sid: sessionId });
    // Its one revival is spent, in the runs that follow too.
    await killHard(world, row.pid ?? 0);
    const dead = await beatAfter(world, 'dies', Date.now(), ({ found }) => !found);
    const later = await beatAfter(world, 'dies', Date.parse(dead.tickAt), ({ runId }) => runId !== dead.runId);
    expect(later.found).toBe(false);
    expect(eventsOf(world, 'dies').filter((event) => event === STARTED)).toHaveLength(1);
    expect(await liveRows(world, sessionId)).toEqual([]);
    // Nor does a watcher that is started anew forget it.
    await watcher(world, 'stop', 'dies');
    await endOf(world, 'dies');
    await watcher(world, 'start', 'dies');
    const anew = await beatAfter(world, 'dies', Date.now());
    await beatAfter(world, 'dies', Date.parse(anew.tickAt));
    expect(eventsOf(world, 'dies').filter((event) => event === STARTED)).toHaveLength(1);
    await watcher(world, 'stop', 'dies');
  });

  it('starts once, is found by its task, and stops', async () => {
    setTemporal(world, server);
    const made = idleTasks(['one']);
    const answers = await Promise.all([watcher(world, 'start', 'one'), watcher(world, 'start', 'one')]);
    expect(answers.map(({ changed }) => changed).sort()).toEqual([false, true]);
    const { workflowId, changed } = await watcher(world, 'start', 'one');
    expect(changed).toBe(false);
    const beat = await beatAfter(world, 'one', 0, ({ found }) => found);
    expect(beat).toMatchObject({ workflowId, rosterOk: true, sid: made.one?.sid });
    const status = await fleet(world, 'task-watcher', ['status', 'one', '--json']);
    expect(documentOf(status).tasks).toMatchObject([{ watcher: 'ticking', workflowId }]);
    await world.until(async () => (await server.list('WorkflowId STARTS_WITH "task-watcher:one:"')).length > 0);
    expect(await server.list('WorkflowId STARTS_WITH "task-watcher:one:"')).toEqual([workflowId]);
    // The embedded engine leaves it to the workflow.
    const tick = await fleet(world, 'task-watcher', ['tick', 'one', '--json']);
    expect(documentOf(tick).tasks).toMatchObject([{ kind: 'other-engine' }]);

    expect(await watcher(world, 'stop', 'one')).toMatchObject({ workflowId, changed: true });
    expect(await endOf(world, 'one')).toMatchObject({ status: 'STOPPED' });
    await statusIs(workflowId, 'COMPLETED');
    expect(endsOf(world, 'one')).toHaveLength(1);
    const again = await fleet(world, 'task-watcher', ['stop', 'one', '--engine', 'temporal']);
    expect(again.code).toBe(66);
    // Nor does the embedded engine begin by itself what was stopped, however old the heartbeat grows.
    const older = { ...beatOf(world, 'one'), tickAt: new Date(Date.now() - HOUR).toISOString() };
    writeFileSync(join(taskDir(world, 'one'), 'watcher.json'), JSON.stringify(older));
    const after = await fleet(world, 'task-watcher', ['tick', 'one', '--json']);
    expect(documentOf(after).tasks).toMatchObject([{ kind: 'closed-before' }]);
    const anew = await watcher(world, 'start', 'one');
    expect(anew.changed).toBe(true);
    editTask(world, 'one', { state: 'done' });
    await world.until(() => endsOf(world, 'one').length === 2, { what: 'the second end', timeout: 30_000 });
    expect(endsOf(world, 'one').at(-1)).toMatchObject({ status: 'COMPLETED', reason: 'the task is done' });
  });

  it('beats on a blind tick too, and revives nobody on it', async () => {
    const made = idleTasks(['blind', 'other']);
    await watcher(world, 'start', 'blind');
    await beatAfter(world, 'blind', 0, ({ found }) => found);
    onlyThese(world, made, ['other']);
    rosterFault(world, { mode: 'garbage' });
    const blind = await beatAfter(world, 'blind', Date.now(), ({ rosterOk }) => !rosterOk);
    const next = await beatAfter(world, 'blind', Date.parse(blind.tickAt), ({ rosterOk }) => !rosterOk);
    expect(next.runId).toBe(blind.runId);
    expect(eventsOf(world, 'blind')).toEqual([]);
    rosterFault(world, undefined);
    await watcher(world, 'stop', 'blind');
    await endOf(world, 'blind');
  });

  it('closes when nothing moves, and fails when waking a wedged turn is in vain', async () => {
    setTemporal(world, server, { idleExit: '3s' });
    idleTasks(['idle']);
    const idle = await watcher(world, 'start', 'idle');
    expect(await endOf(world, 'idle')).toMatchObject({
      status: 'IDLE',
      reason: expect.stringMatching(/^nothing moved/),
    });
    await statusIs(idle.workflowId, 'COMPLETED');
    expect(endsOf(world, 'idle')).toHaveLength(1);

    setTemporal(world, server, { wedged: '2s', nudges: 1 });
    idleTasks(['wedged'], { status: 'busy' });
    const wedged = await watcher(world, 'start', 'wedged');
    expect(await endOf(world, 'wedged')).toMatchObject({
      status: 'FAILED',
      reason: expect.stringMatching(/after 1 wakes/),
    });
    await statusIs(wedged.workflowId, 'FAILED');
    expect(endsOf(world, 'wedged')).toHaveLength(1);
    expect(eventsOf(world, 'wedged').filter((event) => event === 'task-watcher nudged')).toHaveLength(1);
  });

  it('writes its end when its workflow is cancelled', async () => {
    setTemporal(world, server);
    idleTasks(['cancelled']);
    const { workflowId } = await watcher(world, 'start', 'cancelled');
    await beatAfter(world, 'cancelled', 0);
    await server.cli('workflow', 'cancel', '-w', workflowId);
    expect(await endOf(world, 'cancelled')).toMatchObject({ status: 'STOPPED', reason: 'its workflow was cancelled' });
    await statusIs(workflowId, 'CANCELED');
    expect(endsOf(world, 'cancelled')).toHaveLength(1);
    expect(beatOf(world, 'cancelled')).toMatchObject({ workflowId });
  });
});
