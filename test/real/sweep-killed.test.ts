import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { documentOf, fleet } from '../support/fleet-commands.ts';
import { isAlive } from '../support/processes.ts';
import {
  editTask,
  eventsOf,
  killHard,
  liveRows,
  setPolicy,
  startDriver,
  sweep,
  sweepOf,
  taskOf,
} from '../support/supervised.ts';
import { World } from '../support/world.ts';

const BIN = join(import.meta.dirname, '..', '..', 'bin', 'supervisor-sweep.cjs');
const traces = spawnSync('strace', ['-o', '/dev/null', 'true']).status === 0;
let made: World | undefined;
const world = (): World => {
  if (made === undefined) throw new Error('the world was not made');
  return made;
};

/** A sweep of one task that the kernel ends right before it replaces its n-th file. True when it came to that. */
async function killedAt(task: string, n: number): Promise<boolean> {
  const inject = ['-qq', '-e', 'trace=rename', '-e', `inject=rename:signal=KILL:when=${n}`, '-o', '/dev/null'];
  const done = await world().run('strace', [...inject, process.execPath, BIN, '--json', task], { timeout: 120_000 });
  return done.signal === 'SIGKILL' || done.code === 137;
}

/**
 * Plays one story again and again, each time ended one file later, until it is not ended any more; after each, sweeps go on until
 * `settled`, and `check` says what must be so.
 */
async function endedAnywhere(
  name: string,
  prepare: (task: string) => Promise<string>,
  settled: (task: string) => boolean | Promise<boolean>,
  check: (task: string, first: string) => Promise<void>,
  { last = Number.POSITIVE_INFINITY, stride = 1 } = {},
): Promise<number> {
  for (let n = 1; ; n += stride) {
    const task = `${name}${n}`;
    const first = await prepare(task);
    const killed = await killedAt(task, n);
    await world().until(
      async () => {
        if (await settled(task)) return true;
        const { done } = await sweepOf(world(), task);
        return done.code !== 0 && done.code !== 70 ? false : settled(task);
      },
      {
        what: `${task} to be settled`,
        interval: 300,
        timeout: 30_000,
        evidence: () => JSON.stringify(taskOf(world(), task)),
      },
    );
    await check(task, first);
    await end(task);
    if (!killed || n >= last) return n;
  }
}

/** Lets the sessions of a task go, so that the machine stays quiet. */
async function end(task: string): Promise<void> {
  editTask(world(), task, {
    state: 'abandoned',
    releasedAt: new Date().toISOString(),
    exitedAt: new Date().toISOString(),
  });
  for (const row of await world().roster()) {
    if (row.sessionId === taskOf(world(), task).driverSid) await fleet(world(), 'session-exit', [row.sessionId ?? '']);
  }
}

async function told(sessionId: string, text: string): Promise<number> {
  const lines = await world().transcript(sessionId);
  return lines.filter((line) => line.type === 'user' && JSON.stringify(line).includes(text)).length;
}

// Every step is played with sessions of its own.
vi.setConfig({ testTimeout: 240_000 });

describe.runIf(traces)('a sweep that is ended between any two files it writes', () => {
  beforeAll(async () => {
    made = await World.create({ kind: 'sim', env: { CLAUDE_SIM_SPARES: '0' } });
    setPolicy(made, {
      // Each start that is ended keeps its slot until its time has run out.
      cap: { max: 1000 },
      wake: { quiet: '1s', steps: ['1h'] },
      exit: { settle: '0s', quiet: '0s', askWait: '0s', requestGap: '1h', wait: '30s' },
    });
    await sweep(made);
  });
  afterAll(() => made?.destroy());

  it('wakes a Driver exactly once', async () => {
    const steps = await endedAnywhere(
      'wake',
      async (task) => {
        const { sessionId } = await startDriver(world(), task, 'background');
        await world().until(async () => (await sweepOf(world(), task, ['--dry-run'])).verdicts.wake?.fires, {
          what: 'a due wake',
        });
        return sessionId;
      },
      (task) => taskOf(world(), task).wake?.pending === false,
      async (task, sessionId) => {
        expect(await told(sessionId, 'Check-in: you are the Driver')).toBe(1);
        expect(taskOf(world(), task).wake).toMatchObject({ step: 1 });
      },
    );
    expect(steps).toBeGreaterThan(3);
  });

  it('asks a session to leave once, and lets it go', async () => {
    const steps = await endedAnywhere(
      'leave',
      async (task) => {
        const { sessionId } = await startDriver(world(), task, 'background');
        await fleet(world(), 'task-file', ['finish', task, '--without-board']);
        return sessionId;
      },
      (task) => taskOf(world(), task).exitedAt !== undefined,
      async (task, sessionId) => {
        expect(await told(sessionId, 'is done and released')).toBe(1);
        expect(taskOf(world(), task)).toMatchObject({ releasedAt: expect.any(String), exitRequests: 1 });
        expect(await liveRows(world(), sessionId)).toEqual([]);
      },
    );
    expect(steps).toBeGreaterThan(1);
  });

  it.each(['interactive', 'background'] as const)(
    'revives a dead Driver once, and counts it once (%s)',
    async (kind) => {
      const steps = await endedAnywhere(
        `dead-${kind}`,
        async (task) => {
          const { sessionId, pid } = await startDriver(world(), task, kind);
          await sweepOf(world(), task);
          if (kind === 'interactive') await killHard(world(), pid);
          // A background one that was killed would be brought back by its daemon; a stopped one is not.
          else await fleet(world(), 'session-exit', [sessionId]);
          await world().until(() => !isAlive(pid), { what: 'the process to be gone' });
          // The first reading of the death begins the daemon's grace.
          if (kind === 'background') await sweepOf(world(), task);
          await world().until(async () => (await sweepOf(world(), task, ['--dry-run'])).verdicts.revival?.fires, {
            what: 'a due revival',
          });
          return sessionId;
        },
        async (task) => {
          const { spawnIntent, driverSid } = taskOf(world(), task);
          return spawnIntent === undefined && (await liveRows(world(), String(driverSid))).length > 0;
        },
        async (task, sessionId) => {
          const rows = await world().roster();
          const own = rows.filter(
            (row) => row.pid !== undefined && (row.sessionId === sessionId || row.name?.startsWith(`${task}-`)),
          );
          expect(own).toHaveLength(1);
          expect(own[0]?.sessionId).toBe(sessionId);
          const task_ = taskOf(world(), task);
          if (kind === 'interactive') expect(task_.driverRespawnTimes).toHaveLength(1);
          expect(eventsOf(world(), task).filter((event) => event.endsWith(' driver-started'))).toHaveLength(2);
          expect(await told(sessionId, 'this revives it')).toBe(1);
        },
        { stride: kind === 'interactive' ? 1 : 3 },
      );
      expect(steps).toBeGreaterThan(5);
    },
  );

  it('parks a task once, asks once, and executes the answer once', async () => {
    const times = [5, 4, 3, 2, 1].map((hours) => new Date(Date.now() - hours * 3_600_000).toISOString());
    const steps = await endedAnywhere(
      'park',
      async (task) => {
        const { sessionId, pid } = await startDriver(world(), task, 'interactive');
        await sweepOf(world(), task);
        editTask(world(), task, { driverRespawnTimes: times });
        await killHard(world(), pid);
        await world().until(() => !isAlive(pid), { what: 'the process to be gone' });
        return sessionId;
      },
      (task) => taskOf(world(), task).state === 'parked',
      async (task) => {
        const { decisions } = documentOf(await fleet(world(), 'decision-ledger', ['list', '--all', '--json'])) as {
          decisions: { id: string; task: string | null; state: string }[];
        };
        const own = decisions.filter((one) => one.task === task);
        expect(own).toHaveLength(1);
        const id = own[0]?.id ?? '';
        await fleet(world(), 'decision-ledger', ['answer', id, 'leave-parked']);
        await sweep(world(), [task]);
        const shown = documentOf(await fleet(world(), 'decision-ledger', ['show', id, '--json'])) as { state?: string };
        expect(JSON.stringify(shown)).toContain('"executed"');
        expect(taskOf(world(), task).state).toBe('parked');
      },
    );
    expect(steps).toBeGreaterThan(2);
  });

  it('executes an answer exactly once', async () => {
    const times = [5, 4, 3, 2, 1].map((hours) => new Date(Date.now() - hours * 3_600_000).toISOString());
    await endedAnywhere(
      'answer',
      async (task) => {
        const { sessionId, pid } = await startDriver(world(), task, 'interactive');
        await sweepOf(world(), task);
        editTask(world(), task, { driverRespawnTimes: times });
        await killHard(world(), pid);
        await world().until(() => !isAlive(pid), { what: 'the process to be gone' });
        await world().until(async () => (await sweepOf(world(), task)).outcomes.includes('revival park done'), {
          what: 'parking',
        });
        const { decisions } = documentOf(await fleet(world(), 'decision-ledger', ['list', '--json'])) as {
          decisions: { id: string; task: string | null }[];
        };
        const id = decisions.find((one) => one.task === task)?.id ?? '';
        await fleet(world(), 'decision-ledger', ['answer', id, 'revive-once-more']);
        return sessionId;
      },
      async (task) => {
        const { spawnIntent, state, answered } = taskOf(world(), task) as {
          spawnIntent?: object;
          state: string;
          answered?: object;
        };
        if (state !== 'working' || spawnIntent !== undefined || answered === undefined) return false;
        const listed = await fleet(world(), 'decision-ledger', ['list', '--json']);
        const waiting = (documentOf(listed).decisions as { task: string; state: string }[]).filter(
          (one) => one.task === task,
        );
        return waiting.length === 0 && (await liveRows(world(), String(taskOf(world(), task).driverSid))).length === 1;
      },
      async (task) => {
        expect(eventsOf(world(), task).filter((event) => event.endsWith(' answered')).length).toBeLessThanOrEqual(1);
        expect(taskOf(world(), task).driverRespawnTimes).toHaveLength(1);
      },
      // What comes after is the revival, which has a story of its own.
      { last: 6 },
    );
  });
});
