import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { documentOf, fleet, stagehand } from '../support/fleet-commands.ts';
import { isoAgo, makeDrivers, onlyThese, taskDir } from '../support/made-drivers.ts';
import { HOUR, makeTask } from '../support/made-fleet.ts';
import { countingClaude, eachTestAWorld, ownFile, rosterFault } from '../support/stand-in.ts';
import { editTask, eventsOf, setPolicy, sweepOf, taskOf } from '../support/supervised.ts';

const world = eachTestAWorld();
const tick = (args: readonly string[], env: Record<string, string> = {}) =>
  fleet(world(), 'task-watcher', ['tick', '--json', ...args], env);

async function kindsOf(...args: string[]): Promise<Record<string, string>> {
  const { tasks } = documentOf(await tick(args)) as { tasks: { task: string; kind: string }[] };
  return Object.fromEntries(tasks.map(({ task, kind }) => [task, kind]));
}

const heartOf = (task: string) => JSON.parse(readFileSync(join(taskDir(world(), task), 'watcher.json'), 'utf8'));
const fileOf = (task: string) => JSON.parse(readFileSync(ownFile(world(), `watchers/${task}.json`), 'utf8'));

/** Sets the memory of an embedded watcher back, as if time had passed. */
function remember(task: string, change: Record<string, unknown>): void {
  const file = fileOf(task);
  writeFileSync(
    ownFile(world(), `watchers/${task}.json`),
    JSON.stringify({ ...file, memory: { ...file.memory, ...change } }),
  );
}

it('ticks every open task that has a Driver by one look, and writes its heartbeat', async () => {
  const made = await makeDrivers(world(), { a: {}, b: {}, over: { state: 'done' } });
  makeTask(world(), 'driverless', { state: 'working' });
  const claude = countingClaude(world());
  const done = await tick(['--all'], { FLEET_CLAUDE: claude.command });
  expect(done, done.stderr).toMatchObject({ code: 0 });
  expect(claude.calls()).toEqual(['agents --json']);
  expect((documentOf(done).tasks as { task: string }[]).map(({ task }) => task)).toEqual(['a', 'b']);
  expect(heartOf('a')).toMatchObject({
    sid: made.a.sid,
    rosterOk: true,
    found: true,
    workflowId: expect.stringMatching(/^embedded:/),
  });
  expect(Date.now() - Date.parse(heartOf('a').tickAt)).toBeLessThan(60_000);
});

it('a blind tick writes the heartbeat all the same, and revives nothing', async () => {
  const made = await makeDrivers(world(), { a: {} });
  onlyThese(world(), made, []);
  rosterFault(world(), { mode: 'garbage' });
  const done = await tick(['a']);
  expect(done.code).toBe(69);
  expect(documentOf(done)).toMatchObject({ rosterOk: false, tasks: [{ kind: 'none' }] });
  expect(heartOf('a')).toMatchObject({ sid: made.a.sid, rosterOk: false, found: false });
});

it('keeps what another version wrote into the heartbeat', async () => {
  await makeDrivers(world(), { a: {} });
  const file = join(taskDir(world(), 'a'), 'watcher.json');
  writeFileSync(file, JSON.stringify({ tickAt: isoAgo(HOUR), workflowId: 'other', later: { kept: true } }));
  await tick(['a']);
  expect(heartOf('a')).toMatchObject({ later: { kept: true } });
});

it('leaves a task to the workflow that watches it', async () => {
  await makeDrivers(world(), { a: {} });
  const heart = { tickAt: isoAgo(60_000), workflowId: 'task-watcher-a', runId: 'r', sid: 'x' };
  writeFileSync(join(taskDir(world(), 'a'), 'watcher.json'), JSON.stringify(heart));
  expect(await kindsOf('a')).toEqual({ a: 'other-engine' });
  expect(heartOf('a')).toEqual(heart);
  writeFileSync(join(taskDir(world(), 'a'), 'watcher.json'), JSON.stringify({ ...heart, tickAt: isoAgo(11 * 60_000) }));
  expect(await kindsOf('a')).toEqual({ a: 'none' });
});

describe('its end', () => {
  it('after two days without movement: closed IDLE, once, and mirrored as a failure by the Supervisor', async () => {
    const made = await makeDrivers(world(), { a: {} });
    await tick(['a']);
    onlyThese(world(), made, []);
    remember('a', { movedAt: Date.now() - 49 * HOUR });
    expect(await kindsOf('a')).toEqual({ a: 'close' });
    expect(await kindsOf('a')).toEqual({ a: 'closed-before' });
    expect(eventsOf(world(), 'a').filter((event) => event === 'task-watcher closed')).toHaveLength(1);
    await sweepOf(world(), 'a');
    expect(taskOf(world(), 'a')).toMatchObject({ watcher: { status: 'IDLE', health: 'watcher-closed-while-open' } });
    const status = await fleet(world(), 'task-watcher', ['status']);
    expect(status).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('watcher closed while the task is open (IDLE'),
    });
    expect(await fleet(world(), 'task-watcher', ['start', 'a'])).toMatchObject({ code: 0 });
    onlyThese(world(), {}, []);
    expect((await kindsOf('a')).a).not.toBe('closed-before');
  });

  it('that was ended before it stood in the events is written there by the next tick, once', async () => {
    await makeDrivers(world(), { a: {} });
    await tick(['a']);
    const closed = { at: isoAgo(1000), status: 'IDLE', reason: 'nothing moved', eventWritten: false };
    writeFileSync(ownFile(world(), 'watchers/a.json'), JSON.stringify({ ...fileOf('a'), closed }));
    for (let at = 0; at < 3; at++) expect(await kindsOf('a')).toEqual({ a: 'closed-before' });
    expect(eventsOf(world(), 'a').filter((event) => event === 'task-watcher closed')).toHaveLength(1);
  });

  it('when its task is over, or gone', async () => {
    await makeDrivers(world(), { a: {}, b: {} });
    await tick(['--all']);
    editTask(world(), 'a', { state: 'done' });
    rmSync(taskDir(world(), 'b'), { recursive: true });
    expect(await kindsOf('--all')).toEqual({ a: 'close', b: 'close' });
    expect(eventsOf(world(), 'a').filter((event) => event === 'task-watcher closed')).toHaveLength(1);
    expect(await kindsOf('--all')).toEqual({});
  });

  it('at its lifetime ceiling it goes on as a new run, with its revivals', async () => {
    await makeDrivers(world(), { a: {} });
    await tick(['a']);
    const before = fileOf('a');
    const revivals = [Date.now() - HOUR];
    remember('a', { startedAt: Date.now() - 73 * HOUR, revivals });
    expect(await kindsOf('a')).toEqual({ a: 'continue-as-new' });
    expect(fileOf('a')).toMatchObject({ memory: { revivals } });
    expect(fileOf('a').runId).not.toBe(before.runId);
    expect(await kindsOf('a')).toEqual({ a: 'none' });
  });

  it('stopped by a person, it stays so until it is started', async () => {
    await makeDrivers(world(), { a: {} });
    await tick(['a']);
    expect(await fleet(world(), 'task-watcher', ['stop', 'a'])).toMatchObject({ code: 0 });
    expect(await kindsOf('a')).toEqual({ a: 'closed-before' });
    const again = await fleet(world(), 'task-watcher', ['stop', 'a', '--json']);
    expect(documentOf(again)).toMatchObject({ changed: false });
    await fleet(world(), 'task-watcher', ['start', 'a']);
    expect(documentOf(await fleet(world(), 'task-watcher', ['start', 'a', '--json']))).toMatchObject({
      changed: false,
    });
    expect(await kindsOf('a')).toEqual({ a: 'none' });
    editTask(world(), 'a', { state: 'parked' });
    expect(await fleet(world(), 'task-watcher', ['start', 'a'])).toMatchObject({ code: 77 });
  });
});

it('revives at most five times in a day, and counts a start that failed', async () => {
  const made = await makeDrivers(world(), { a: { cwd: '/nowhere' } });
  onlyThese(world(), made, []);
  setPolicy(world());
  const kinds: string[] = [];
  for (let at = 0; at < 7; at++) kinds.push((await kindsOf('a')).a ?? '');
  expect(kinds).toEqual(['revive', 'revive', 'revive', 'revive', 'revive', 'none', 'none']);
  expect(fileOf('a').memory.revivals).toHaveLength(5);
});

it('a task file or a memory that is torn stops no other, and starts nothing', async () => {
  await makeDrivers(world(), { a: {}, b: {} });
  await tick(['--all']);
  makeTask(world(), 'a', '{"state"');
  writeFileSync(ownFile(world(), 'watchers/b.json'), '{"runId"');
  expect(await kindsOf('--all')).toEqual({ a: 'none', b: 'none' });
});

it('two ticks at once: a task is ticked by one of them', async () => {
  const made = await makeDrivers(world(), { a: { cwd: '/nowhere' } });
  onlyThese(world(), made, []);
  const FLEET_CLAUDE = stagehand(world(), 'slow', 'sleep 0.5; exec claude "$@"');
  const both = await Promise.all([tick(['a'], { FLEET_CLAUDE }), tick(['a'], { FLEET_CLAUDE })]);
  const kinds = both.map((done) => (documentOf(done).tasks as { kind: string }[])[0]?.kind).sort();
  expect(['failed,revive', 'revive,revive']).toContain(kinds.join(','));
  expect(fileOf('a').memory.revivals.length).toBe(kinds.filter((kind) => kind === 'revive').length);
});

it('bad words', async () => {
  expect(await tick([])).toMatchObject({ code: 64 });
  expect(await tick(['--all', 'a'])).toMatchObject({ code: 64 });
  expect(await tick(['nothing'])).toMatchObject({ code: 66 });
  expect(await fleet(world(), 'task-watcher', ['start', 'nothing'])).toMatchObject({ code: 66 });
  makeTask(world(), 'a', { state: 'working' });
  expect(await fleet(world(), 'task-watcher', ['start', 'a', '--engine', 'steam'])).toMatchObject({ code: 64 });
});
