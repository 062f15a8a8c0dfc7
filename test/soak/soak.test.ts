import { afterAll, beforeAll, expect, it } from 'vitest';
import { recordsOf } from '../support/stand-in.ts';
import { taskOf } from '../support/supervised.ts';
import { World } from '../support/world.ts';
import { endSomeCommand } from './commands.ts';
import { eventsOf } from './events.ts';
import { type Fleet, living, openDecisions, populate, run, tasksIn } from './fleet.ts';
import { check, checkAtRest, Deeds } from './invariants.ts';
import { Random } from './random.ts';

// A fleet of stand-ins lives through what happens to fleets, by a seed; after each step the invariants are asked. A run that
// fails is played again by SOAK_SEED (up to what the machine's own timing changes), a longer one by SOAK_SECONDS.
const SECONDS = Number(process.env.SOAK_SECONDS ?? 120);
const DRIVERS = Number(process.env.SOAK_DRIVERS ?? 60);
const TASKS = Number(process.env.SOAK_TASKS ?? 5 * DRIVERS);
const SEED = Number(process.env.SOAK_SEED ?? Math.floor(Math.random() * 2 ** 31));

const random = new Random(SEED);
const deeds = new Deeds();
let made: Fleet | undefined;

beforeAll(async () => {
  const world = await World.create({ kind: 'sim', env: { CLAUDE_SIM_SPARES: '0', CLAUDE_SIM_RESPAWN_MS: '2000' } });
  made = { world, ceiling: 0 };
  made = await populate(world, DRIVERS, TASKS);
  // The first sweep only looks.
  await run(world, 'supervisor-sweep');
}, 600_000);
afterAll(() => made?.world.destroy(), 240_000);

/** Both halves, one of them, or the other one first: either may be absent for a while. */
async function supervise(world: World): Promise<void> {
  const who = random.below(4);
  await Promise.all([
    who === 1 ? undefined : run(world, 'supervisor-sweep'),
    who === 0 ? undefined : run(world, 'task-watcher', 'tick', '--all'),
    random.below(5) === 0 ? run(world, 'task-claim', 'reap') : undefined,
    random.below(8) === 0 ? run(world, 'session-cap', 'expire') : undefined,
    random.below(8) === 0 ? run(world, 'lane-nudge', 'tick') : undefined,
    ...Array.from({ length: random.below(3) }, () => endSomeCommand(world, random, deeds)),
  ]);
}

/** Whether every open task has its Driver, or a person is asked about it, or there is no room for its Driver. */
async function isAtRest({ world, ceiling }: Fleet): Promise<boolean> {
  await Promise.all([run(world, 'supervisor-sweep'), run(world, 'task-watcher', 'tick', '--all')]);
  await run(world, 'task-claim', 'reap');
  const rows = await living(world);
  const asked = await openDecisions(world);
  const settled = tasksIn(world).every((name) => {
    const task = taskOf(world, name);
    if (task.spawnIntent !== undefined) return false;
    return (
      task.state !== 'working' ||
      rows.length >= ceiling ||
      rows.some(({ sessionId }) => sessionId === task.driverSid) ||
      asked.some((one) => one.task === name || one.task === null)
    );
  });
  return settled && (await checkAtRest({ world, ceiling })).length === 0;
}

it(`keeps its invariants (seed ${SEED})`, { timeout: (SECONDS + 900) * 1000 }, async () => {
  if (made === undefined) throw new Error('the fleet was not made');
  const fleet = made;
  const { world } = fleet;
  const events = eventsOf(world, random, deeds);
  const until = Date.now() + SECONDS * 1000;
  const counts: Record<string, number> = {};
  let most = 0;
  let steps = 0;
  for (; Date.now() < until; steps++) {
    const name = random.pick(Object.keys(events)) ?? '';
    await events[name]?.();
    counts[name] = (counts[name] ?? 0) + 1;
    await supervise(world);
    most = Math.max(most, (await living(world)).length);
    expect(await check(fleet, deeds), `step ${steps}, after “${name}”, seed ${SEED}`).toEqual([]);
  }
  const done = recordsOf(world, 'supervisor.jsonl').length;
  process.stdout.write(
    `soak: ${steps} steps, at most ${most} sessions of ${fleet.ceiling}, ${tasksIn(world).length} tasks, ${done} supervisor records, ` +
      `seed ${SEED}: ${JSON.stringify(counts)}, ended in the middle: ${JSON.stringify(deeds.ended)}\n`,
  );
  expect(steps).toBeGreaterThan(5);

  // Left in peace it comes to rest.
  deeds.drafts.clear();
  const wait = { what: 'the fleet to come to rest', timeout: 300_000, interval: 1000 };
  await world.until(() => isAtRest(fleet), { ...wait, evidence: () => stateOf(fleet) });
  expect(await check(fleet, deeds)).toEqual([]);
});

async function stateOf(fleet: Fleet): Promise<string> {
  const open = tasksIn(fleet.world)
    .map((name) => taskOf(fleet.world, name))
    .filter((task) => task.state === 'working' || task.spawnIntent !== undefined);
  return [...(await checkAtRest(fleet)), ...open.map((task) => JSON.stringify(task))].join('\n');
}
