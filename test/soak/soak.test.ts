import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bashCall } from '../contract/facts.ts';
import { rosterFault } from '../support/stand-in.ts';
import { killHard, taskOf } from '../support/supervised.ts';
import { World } from '../support/world.ts';
import { check, type Deeds, living, newDeeds, openDecisions, paneOf, populate, run, tasksIn } from './fleet.ts';
import { Random } from './random.ts';

// A fleet of stand-ins lives through what happens to fleets, by a seed; after each step the invariants are asked. A run that
// fails is played again by SOAK_SEED (up to what the machine's own timing changes), a longer one by SOAK_SECONDS.
const SECONDS = Number(process.env.SOAK_SECONDS ?? 120);
const DRIVERS = Number(process.env.SOAK_DRIVERS ?? 14);
const SEED = Number(process.env.SOAK_SEED ?? Math.floor(Math.random() * 2 ** 31));

const BIN = join(import.meta.dirname, '..', '..', 'bin');
const random = new Random(SEED);
const deeds: Deeds = newDeeds();
let made: World | undefined;
const world = (): World => {
  if (made === undefined) throw new Error('the world was not made');
  return made;
};

beforeAll(async () => {
  made = await World.create({ kind: 'sim', env: { CLAUDE_SIM_SPARES: '0', CLAUDE_SIM_RESPAWN_MS: '2000' } });
  await populate(made, DRIVERS);
  // The first sweep only looks.
  await run(made, 'supervisor-sweep');
}, 300_000);
afterAll(() => made?.destroy(), 120_000);

/** A Driver of an open task that lives, and its pane where it has one. */
async function somebody(kind?: 'interactive' | 'background') {
  const rows = (await living(world())).filter((row) => kind === undefined || row.kind === kind);
  const row = random.pick(rows);
  return row?.pid === undefined ? undefined : { ...row, pid: row.pid, pane: await paneOf(world(), row.pid) };
}

const EVENTS: Record<string, () => Promise<void>> = {
  'a session is killed': async () => {
    const one = await somebody();
    if (one === undefined) return;
    deeds.killed.add(one.pid);
    await killHard(world(), one.pid);
  },
  'a Driver runs /clear': async () => {
    const one = await somebody('interactive');
    if (one?.pane === undefined || one.status !== 'idle' || deeds.drafts.has(one.pane)) return;
    await world().run('tmux', ['send-keys', '-t', one.pane, '-l', '/clear']);
    await new Promise((done) => setTimeout(done, 150));
    await world().run('tmux', ['send-keys', '-t', one.pane, 'Enter']);
  },
  'somebody leaves a draft': async () => {
    const one = await somebody('interactive');
    if (one?.pane === undefined || one.status !== 'idle' || deeds.drafts.has(one.pane) || deeds.drafts.size > 2) return;
    const text = `draft-${random.below(1e6)}`;
    await world().run('tmux', ['send-keys', '-t', one.pane, '-l', text]);
    await new Promise((done) => setTimeout(done, 300));
    const { stdout } = await world().run('tmux', ['capture-pane', '-p', '-t', one.pane]);
    // A message or an exit that was under way in that moment has the box.
    if (stdout.includes(`❯\u00a0${text}`)) deeds.drafts.set(one.pane, { pid: one.pid, text });
  },
  'a session asks for permission': async () => {
    const one = await somebody();
    if (one?.sessionId === undefined || deeds.forbidden.length > 4) return;
    const file = `${world().root}/forbidden-${deeds.forbidden.length}`;
    deeds.forbidden.push(file);
    await run(world(), 'session-msg', 'send', one.sessionId, bashCall({ command: `touch ${file}` }), '--wait', '2s');
  },
  'the roster fails for a sweep': async () => {
    rosterFault(world(), { mode: random.pick(['garbage', 'empty']) ?? 'garbage' });
    await run(world(), 'supervisor-sweep');
    await run(world(), 'task-watcher', 'tick', '--all');
    rosterFault(world(), undefined);
  },
  'a task is finished': async () => {
    const open = tasksIn(world()).filter((name) => taskOf(world(), name).state === 'working');
    const name = open.length > 3 ? random.pick(open) : undefined;
    if (name !== undefined) await run(world(), 'task-file', 'finish', name, '--without-board');
  },
  'a task is un-parked': async () => {
    const name = random.pick(tasksIn(world()).filter((one) => taskOf(world(), one).state === 'parked'));
    if (name === undefined) return;
    deeds.reset.add(name);
    await run(world(), 'task-file', 'unpark', name);
  },
  'a person answers': async () => {
    const one = random.pick(await openDecisions(world()));
    const option = random.pick(one?.options ?? []);
    if (one === undefined || option === undefined) return;
    if (one.task !== null) deeds.reset.add(one.task);
    await run(world(), 'decision-ledger', 'answer', one.id, option.id);
  },
  'a command is killed in the middle': async () => {
    const words = random.pick([
      ['supervisor-sweep'],
      ['task-watcher', 'tick', '--all'],
      ['session-cap', 'expire'],
      ['session-run', '--preclaim', `soak:${random.below(1e6)}`, '--', 'sleep', '5'],
    ]) ?? ['supervisor-sweep'];
    const [command = '', ...args] = words;
    const child = spawn(process.execPath, [`${BIN}/${command}.cjs`, ...args], { env: world().env, stdio: 'ignore' });
    await new Promise((done) => setTimeout(done, 80 + random.below(1500)));
    child.kill('SIGKILL');
    await new Promise((done) =>
      child.exitCode === null && child.signalCode === null ? child.once('exit', done) : done(0),
    );
    deeds.ended += 1;
  },
};

it(`keeps its invariants (seed ${SEED})`, { timeout: (SECONDS + 600) * 1000 }, async () => {
  const until = Date.now() + SECONDS * 1000;
  const counts: Record<string, number> = {};
  let steps = 0;
  for (; Date.now() < until; steps++) {
    const name = random.pick(Object.keys(EVENTS)) ?? '';
    await EVENTS[name]?.();
    counts[name] = (counts[name] ?? 0) + 1;
    const both = random.below(3);
    // Either half may be absent for a while, or both at work at once.
    await Promise.all([
      both === 1 ? undefined : run(world(), 'supervisor-sweep'),
      both === 0 ? undefined : run(world(), 'task-watcher', 'tick', '--all'),
    ]);
    if (random.below(6) === 0) await run(world(), 'task-claim', 'reap');
    const wrong = await check(world(), deeds);
    expect(wrong, `step ${steps}, after “${name}”, seed ${SEED}`).toEqual([]);
  }
  process.stdout.write(
    `soak: ${steps} steps, ${deeds.ended} commands ended in the middle, seed ${SEED}: ${JSON.stringify(counts)}\n`,
  );
  expect(steps).toBeGreaterThan(5);

  // Left in peace it comes to rest: every open task has its Driver, or a person is asked, or it is said why not.
  deeds.drafts.clear();
  await world().until(
    async () => {
      await run(world(), 'supervisor-sweep');
      await run(world(), 'task-watcher', 'tick', '--all');
      const rows = await living(world());
      const asked = await openDecisions(world());
      return tasksIn(world()).every((name) => {
        const task = taskOf(world(), name);
        if (task.state !== 'working' || task.spawnIntent !== undefined) return task.spawnIntent === undefined;
        return (
          rows.some(({ sessionId }) => sessionId === task.driverSid) ||
          asked.some((one) => one.task === name || one.task === null)
        );
      });
    },
    {
      what: 'the fleet to come to rest',
      timeout: 240_000,
      interval: 1000,
      evidence: () =>
        tasksIn(world())
          .map((name) => JSON.stringify(taskOf(world(), name)))
          .join('\n'),
    },
  );
  expect(await check(world(), deeds)).toEqual([]);
  await run(world(), 'task-claim', 'reap');
});
