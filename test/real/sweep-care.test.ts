import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { documentOf, fleet, stagehand } from '../support/fleet-commands.ts';
import { isoAgo, makeDrivers, onlyThese, taskDir } from '../support/made-drivers.ts';
import { HOUR, makeFleet, makeTask } from '../support/made-fleet.ts';
import {
  countingClaude,
  eachTestAWorld,
  linesOf,
  ownFile,
  recordsOf,
  rosterFault,
  rosterOf,
  statusOf,
} from '../support/stand-in.ts';
import {
  editTask,
  eventsOf,
  setPolicy,
  sweep,
  sweepOf,
  sweepUntil,
  taskFileOf,
  taskOf,
} from '../support/supervised.ts';

const world = eachTestAWorld();
const DAY = 24 * HOUR;
const SETTLED = { state: 'done', releasedAt: '2026-01-01T00:00:00Z', exitedAt: '2026-01-01T00:00:00Z' };

async function decisions(): Promise<{ id: string; kind: string; task: string | null; state: string }[]> {
  const listed = documentOf(await fleet(world(), 'decision-ledger', ['list', '--all', '--json']));
  return listed.decisions as { id: string; kind: string; task: string | null; state: string }[];
}
const reasonOf = (done: Awaited<ReturnType<typeof sweep>>) =>
  (documentOf(done).breaker as { reason: string | null }).reason;

it('a sweep in which nothing fires makes one roster call and one tmux call a socket, and writes to no task', async () => {
  const names = Array.from({ length: 12 }, (_, at) => `t${at}`);
  await makeDrivers(world(), Object.fromEntries(names.map((name) => [name, {}])));
  for (let at = 0; at < 30; at++) makeTask(world(), `over${at}`, SETTLED);
  await sweep(world());
  const before = names.map((name) => readFileSync(taskFileOf(world(), name), 'utf8'));
  await world().tmux.start(['sleep', '60'], { name: 'somebodys', cwd: world().root });
  const claude = countingClaude(world());
  const log = join(world().root, 'tmux-calls');
  const FLEET_TMUX = stagehand(world(), 'counting-tmux', `echo "$*" >> '${log}'\nexec tmux "$@"`);
  const done = await sweep(world(), [], { FLEET_CLAUDE: claude.command, FLEET_TMUX });
  expect(done, done.stderr).toMatchObject({ code: 0 });
  expect(documentOf(done)).toMatchObject({ settled: 30, outcomes: [], breaker: { tripped: false } });
  expect(claude.calls()).toEqual(['agents --json']);
  expect(linesOf(log)).toHaveLength(1);
  expect(names.map((name) => readFileSync(taskFileOf(world(), name), 'utf8'))).toEqual(before);
});

it('two sweeps at once: one sweeps, the other says so', async () => {
  await makeDrivers(world(), { a: {} });
  const FLEET_CLAUDE = stagehand(world(), 'slow-claude', 'sleep 2; exec claude "$@"');
  const both = await Promise.all([sweep(world(), [], { FLEET_CLAUDE }), sweep(world(), [], { FLEET_CLAUDE })]);
  expect(both.map(({ code }) => code).sort()).toEqual([0, 75]);
  expect(both.find(({ code }) => code === 75)?.stderr).toContain('the sweep is locked by process');
});

describe('bad task files', () => {
  it('harm nothing else, and are named', async () => {
    await makeDrivers(world(), { fine: {} });
    makeTask(world(), 'finished', { state: 'done' });
    makeTask(world(), 'torn', '{"state":"wor');
    makeTask(world(), 'wrong', { state: 'sleeping' });
    mkdirSync(join(world().root, 'elsewhere'));
    writeFileSync(join(world().root, 'elsewhere', 'task.json'), JSON.stringify({ state: 'done' }));
    symlinkSync(join(world().root, 'elsewhere'), taskDir(world(), 'linked'));
    makeTask(world(), 'linkfile', {});
    rmSync(taskFileOf(world(), 'linkfile'));
    symlinkSync(join(world().root, 'elsewhere', 'task.json'), taskFileOf(world(), 'linkfile'));
    mkdirSync(taskDir(world(), 'vanished'));
    const done = await sweep(world());
    expect(done.code).toBe(65);
    const { bad, outcomes } = documentOf(done) as {
      bad: { file: string }[];
      outcomes: { task: string; kind: string }[];
    };
    expect(bad.map(({ file }) => file.split('/').at(-2)).sort()).toEqual(['linked', 'linkfile', 'torn', 'wrong']);
    expect(outcomes).toMatchObject([{ task: 'finished', kind: 'release' }]);
    expect(readFileSync(join(world().root, 'elsewhere', 'task.json'), 'utf8')).toBe('{"state":"done"}');
    const plain = await fleet(world(), 'supervisor-sweep', []);
    expect(plain.stderr).toMatch(/torn\/task\.json: \(file\): not JSON/);
  });

  it('a name that no task has, and one that none can have', async () => {
    expect(await sweep(world(), ['nothing'])).toMatchObject({ code: 66 });
    expect(await sweep(world(), ['../up'])).toMatchObject({ code: 64 });
  });
});

it('a Driver that can’t be started for what its task says ends at the cap, and with a person, not in a failure a minute', async () => {
  const policy = { revive: { max: 2, daemonGrace: '1s', wait: '30s' } };
  const made = await makeDrivers(world(), { nowhere: { cwd: undefined } }, policy);
  onlyThese(world(), made, []);
  const parked = await sweepUntil(world(), 'nowhere', 'revival park done');
  expect(parked.verdicts.revival?.words).toContain('revived 2 times');
  expect(eventsOf(world(), 'nowhere').filter((one) => one.endsWith('spawn-failed'))).toHaveLength(2);
  expect(taskOf(world(), 'nowhere')).toMatchObject({ state: 'parked' });
  const [asked, ...more] = await decisions();
  expect([asked?.kind, more]).toEqual(['driver-respawn-cap', []]);
  const shown = await fleet(world(), 'decision-ledger', ['show', asked?.id ?? '']);
  expect(shown.stdout).toContain('its last start failed: task nowhere names no cwd to start in');
  expect(await statusOf(world())).toMatchObject({ reserved: 0 });
});

describe('breakers', () => {
  it('a roster that can’t be read: nothing is revived, a person is asked once, and it is withdrawn when it is over', async () => {
    const made = await makeDrivers(world(), { dead: {}, alive: {} });
    onlyThese(world(), made, ['alive']);
    rosterFault(world(), { mode: 'garbage' });
    for (let at = 0; at < 4; at++) {
      const done = await sweep(world());
      expect(done.code).toBe(69);
      expect(reasonOf(done)).toBe('roster-unreadable');
    }
    expect((await decisions()).map(({ kind, state }) => [kind, state])).toEqual([['roster-unreadable', 'open']]);
    expect(taskOf(world(), 'dead')).not.toHaveProperty('deadSince');
    rosterFault(world(), undefined);
    rosterOf(world(), []);
    await sweep(world(), ['--dry-run']);
    onlyThese(world(), { alive: made.alive }, ['alive']);
    await sweep(world());
    expect((await decisions()).map(({ state }) => state)).toEqual(['closed']);
  });

  it('many dead at once: held, asked about once, and revived at the usual pace when a person says it is so', async () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    const cwd = await world().folder();
    const made = await makeDrivers(world(), Object.fromEntries(names.map((name) => [name, { cwd }])));
    onlyThese(world(), made, []);
    for (let at = 0; at < 3; at++) expect(reasonOf(await sweep(world()))).toBe('mass-death');
    const [asked, ...more] = await decisions();
    expect(more).toEqual([]);
    expect(asked).toMatchObject({ kind: 'mass-death', state: 'open' });
    for (const name of names) expect(taskOf(world(), name)).toHaveProperty('deadSince');
    await fleet(world(), 'decision-ledger', ['answer', asked?.id ?? '', 'clear-breaker']);
    // The roster is the stand-in's own again, so that what is revived can appear in it.
    rosterFault(world(), undefined);
    // Their conversations are gone: each gets a successor.
    rmSync(join(world().configDir, 'projects'), { recursive: true });
    const done = await sweep(world());
    expect(done, done.stderr).toMatchObject({ code: 0 });
    const { outcomes } = documentOf(done) as { outcomes: { rule: string; kind: string; result: string }[] };
    expect(outcomes.filter(({ rule }) => rule === 'revival').map(({ kind, result }) => [kind, result])).toEqual([
      ['revive', 'done'],
      ['revive', 'done'],
    ]);
    expect(outcomes).toContainEqual(expect.objectContaining({ rule: 'answer', kind: 'clear-breaker', result: 'done' }));
    expect((await sweepOf(world(), 'f', ['--dry-run'])).verdicts.revival).toMatchObject({
      kind: 'revive',
      fires: true,
    });
  });

  it('a gap between two sweeps, a clock set back and a reboot hold for one sweep', async () => {
    const made = await makeDrivers(world(), { a: { cwd: '/nowhere' } }, { breaker: { sweepGap: '3m' } });
    onlyThese(world(), made, []);
    const file = ownFile(world(), 'sweep.json');
    const set = (change: (at: { wall: number; mono: number; boot: string }) => object) => {
      const memory = JSON.parse(readFileSync(file, 'utf8'));
      writeFileSync(file, JSON.stringify({ ...memory, at: { ...memory.at, ...change(memory.at) } }));
    };
    for (const change of [
      ({ wall, mono }: { wall: number; mono: number }) => ({ wall: wall - 600_000, mono: mono - 600_000 }),
      ({ wall }: { wall: number }) => ({ wall: wall + HOUR }),
      ({ wall }: { wall: number }) => ({ wall: wall - HOUR }),
      () => ({ boot: 'another' }),
    ]) {
      set(change);
      const held = await sweepOf(world(), 'a', ['--dry-run']);
      expect(held.document.breaker).toMatchObject({ reason: 'sweep-gap' });
      expect(held.verdicts.revival).toMatchObject({ kind: 'withheld', fires: false });
      await sweep(world());
      expect((await sweepOf(world(), 'a', ['--dry-run'])).document.breaker).toMatchObject({ reason: null });
      // It has failed to start in a folder that is not there by now; that is not what this is about.
      editTask(world(), 'a', { driverRespawnTimes: [], spawnIntent: undefined });
    }
  });

  it('a memory that is torn makes the next sweep careful, like the first', async () => {
    await makeDrivers(world(), { a: {} });
    writeFileSync(ownFile(world(), 'sweep.json'), '{"at":{"wall":1');
    expect(reasonOf(await sweep(world()))).toBe('first-sweep');
    expect(reasonOf(await sweep(world()))).toBe(null);
  });
});

describe('the mirror', () => {
  const CLOSED = {
    at: '2026-09-27T17:12:00.000Z',
    by: 'task-watcher',
    kind: 'closed',
    status: 'EXPIRED',
    reason: '72 h',
  };
  it('copies the watcher’s end into task.json and STATE.md, names the failure, and leaves every other byte', async () => {
    await makeDrivers(world(), { a: { notes: 'mine' } });
    const state = join(taskDir(world(), 'a'), 'STATE.md');
    const mine = Buffer.concat([
      Buffer.from('# Mine\r\nwords '),
      Buffer.from([0xff, 0xfe, 0x80]),
      Buffer.from('\r\nlast'),
    ]);
    writeFileSync(state, mine);
    chmodSync(state, 0o640);
    writeFileSync(join(taskDir(world(), 'a'), 'events.jsonl'), `${JSON.stringify(CLOSED)}\n`);
    const first = await sweepOf(world(), 'a');
    expect(first.outcomes).toEqual(['alarm watcher-closed-while-open done', 'mirror copy done']);
    expect(taskOf(world(), 'a')).toMatchObject({
      state: 'awaiting-human',
      notes: 'mine',
      watcher: { status: 'EXPIRED', closedAt: CLOSED.at, reason: '72 h', health: 'watcher-closed-while-open' },
    });
    const written = readFileSync(state);
    expect(written.subarray(0, mine.length)).toEqual(mine);
    expect(written.toString('latin1')).toContain('Health: FAILED: the watcher closed while the task is open (EXPIRED');
    expect((await decisions()).map(({ kind, task }) => [kind, task])).toEqual([['watcher-closed-while-open', 'a']]);
    writeFileSync(state, Buffer.concat([written, Buffer.from('\r\nmore of mine')]));
    expect((await sweepOf(world(), 'a')).outcomes).toEqual([]);
    // Its watcher ticks again: the failure is over.
    const heart = {
      workflowId: 'w',
      runId: 'r',
      sid: 'x',
      tickAt: new Date().toISOString(),
      rosterOk: true,
      found: true,
    };
    writeFileSync(join(taskDir(world(), 'a'), 'watcher.json'), JSON.stringify(heart));
    expect((await sweepOf(world(), 'a')).outcomes).toEqual(['mirror copy done']);
    const again = readFileSync(state).toString('latin1');
    expect(again).toContain('Health: ok: its watcher runs again');
    expect(again.startsWith(mine.toString('latin1'))).toBe(true);
    expect(again.endsWith('\r\nmore of mine')).toBe(true);
    expect((await decisions()).map(({ state: one }) => one)).toEqual(['closed']);
  });

  it('leaves a STATE.md alone that is a link, and says so', async () => {
    await makeDrivers(world(), { a: {} });
    const target = join(world().root, 'precious');
    writeFileSync(target, 'precious');
    symlinkSync(target, join(taskDir(world(), 'a'), 'STATE.md'));
    writeFileSync(join(taskDir(world(), 'a'), 'events.jsonl'), `${JSON.stringify(CLOSED)}\n`);
    const { document } = await sweepOf(world(), 'a');
    expect(JSON.stringify(document.outcomes)).toContain('STATE.md was left alone: it is no plain file');
    expect(readFileSync(target, 'utf8')).toBe('precious');
  });
});

it('in observe mode it says what it would do, and touches nothing', async () => {
  const made = await makeDrivers(
    world(),
    { a: { cwd: '/nowhere' }, b: { state: 'done' } },
    { policy: { mode: 'observe' } },
  );
  onlyThese(world(), made, []);
  const before = [taskFileOf(world(), 'a'), taskFileOf(world(), 'b')].map((file) => readFileSync(file, 'utf8'));
  const done = await sweep(world());
  expect(documentOf(done)).toMatchObject({ outcomes: [] });
  expect(done.stdout).toContain('observed only, by policy: revive');
  expect([taskFileOf(world(), 'a'), taskFileOf(world(), 'b')].map((file) => readFileSync(file, 'utf8'))).toEqual(
    before,
  );
  expect(existsSync(join(taskDir(world(), 'a'), 'events.jsonl'))).toBe(false);
  expect(recordsOf(world(), 'supervisor.jsonl').map(({ rule, result }) => [rule, result])).toContainEqual([
    'revival',
    'observed',
  ]);
});

it('in observe mode a rule that is let to act acts, with its books', async () => {
  const made = await makeDrivers(
    world(),
    { a: { state: 'done' }, b: { cwd: '/nowhere' } },
    { policy: { mode: 'observe', rules: { release: 'act' } } },
  );
  onlyThese(world(), made, []);
  expect((await sweepOf(world(), 'a')).outcomes).toEqual([]);
  expect(taskOf(world(), 'a')).toHaveProperty('releasedAt');
  const { verdicts } = await sweepOf(world(), 'b');
  expect(verdicts.revival?.words).toContain('observed only');
  expect(taskOf(world(), 'b')).toHaveProperty('deadSince');
});

it('in observe mode the other timers touch nothing either, and rules can be let to act one by one', async () => {
  const made = await makeDrivers(
    world(),
    { a: { cwd: '/nowhere' } },
    { policy: { mode: 'observe', rules: { lanes: 'act' } } },
  );
  onlyThese(world(), made, []);
  const tick = await fleet(world(), 'task-watcher', ['tick', '--all', '--json']);
  expect(documentOf(tick)).toMatchObject({
    tasks: [{ kind: 'none', words: expect.stringContaining('observed only, by policy: revive') }],
  });
  expect(existsSync(join(taskDir(world(), 'a'), 'watcher.json'))).toBe(false);
  const gone = 'eeeeeeee-0000-4000-8000-00000000000e';
  await fleet(world(), 'lane-nudge', ['arm', 'l', '--sid', gone, '--text', 'x']);
  expect(documentOf(await fleet(world(), 'lane-nudge', ['tick', '--json']))).toMatchObject({
    dryRun: false,
    lanes: [{ result: 'done' }],
  });
  const silent = makeFleet(world(), { old: { ageMs: 60 * HOUR, row: { sessionId: gone.replaceAll('e', 'c') } } });
  const expired = documentOf(await fleet(world(), 'session-cap', ['expire', '--json', '--allow-mass']));
  expect(expired).toMatchObject({
    dryRun: true,
    sessions: [{ sessionId: silent.old.sid, verdict: 'expire', outcome: null }],
  });
  expect(recordsOf(world(), 'observed.jsonl').map(({ rule }) => rule)).toEqual(['watch', 'expire']);
});

describe('a legacy task', () => {
  it('has its lifetime count for display only: its window starts at 0', async () => {
    const cwd = await world().folder();
    const sid = 'aaaaaaaa-0000-4000-8000-00000000000a';
    setPolicy(world());
    makeTask(world(), 'old', {
      state: 'working',
      cwd,
      operatorSid: sid,
      operatorRespawns: 5,
      launch: { kind: 'interactive' },
    });
    await sweep(world());
    const { verdicts } = await sweepOf(world(), 'old', ['--dry-run']);
    expect(verdicts.revival).toMatchObject({ kind: 'revive', fires: true });
  });
});

describe('a watcher that ticks', () => {
  const heart = (sid: string, ageMs: number) => ({
    workflowId: 'w',
    runId: 'r',
    sid,
    tickAt: isoAgo(ageMs),
    rosterOk: true,
    found: false,
  });
  it('gets its grace; then the Driver is ours, and the log says so', async () => {
    const made = await makeDrivers(world(), { a: { cwd: '/nowhere' } });
    onlyThese(world(), made, []);
    const file = join(taskDir(world(), 'a'), 'watcher.json');
    writeFileSync(file, JSON.stringify(heart(made.a.sid, 60_000)));
    expect((await sweepOf(world(), 'a')).verdicts.revival).toMatchObject({ kind: 'defer-to-watcher', fires: false });
    expect(taskOf(world(), 'a')).toHaveProperty('deadSince');
    editTask(world(), 'a', { deadSince: isoAgo(16 * 60_000) });
    const late = await sweepOf(world(), 'a', ['--dry-run']);
    expect(late.verdicts.revival).toMatchObject({ kind: 'revive', fires: true });
    expect(late.verdicts.revival?.words).toContain('its watcher ticks and does not revive it');
    editTask(world(), 'a', { deadSince: isoAgo(60_000) });
    writeFileSync(file, JSON.stringify(heart(made.a.sid, 11 * 60_000)));
    expect((await sweepOf(world(), 'a', ['--dry-run'])).verdicts.revival).toMatchObject({ kind: 'revive' });
    writeFileSync(file, '{"tickAt":');
    expect((await sweepOf(world(), 'a', ['--dry-run'])).verdicts.revival).toMatchObject({ kind: 'revive' });
  });

  it('and has revived it under another id: adopted, and nothing is revived', async () => {
    const made = await makeDrivers(world(), { a: {}, next: {} });
    rmSync(taskDir(world(), 'next'), { recursive: true });
    onlyThese(world(), made, ['next']);
    writeFileSync(join(taskDir(world(), 'a'), 'watcher.json'), JSON.stringify(heart(made.next.sid, 1000)));
    expect((await sweepOf(world(), 'a')).outcomes).toEqual(['liveness adopt done']);
    expect(taskOf(world(), 'a')).toMatchObject({ driverSid: made.next.sid, driverSeen: { pid: made.next.pid } });
    expect(eventsOf(world(), 'a')).toContain('supervisor-sweep adopted');
    expect((await sweepOf(world(), 'a')).outcomes).toEqual([]);
  });
});

it('a watcher that closed on an open task is started again when a person says so', async () => {
  await makeDrivers(world(), { a: {} });
  await fleet(world(), 'task-watcher', ['tick', 'a']);
  await fleet(world(), 'task-watcher', ['stop', 'a']);
  expect((await sweepOf(world(), 'a')).outcomes).toContain('alarm watcher-closed-while-open done');
  const [asked] = await decisions();
  await fleet(world(), 'decision-ledger', ['answer', asked?.id ?? '', 'restart-watcher']);
  expect((await sweepOf(world(), 'a')).outcomes).toContain('answer restart-watcher done');
  const ticked = await fleet(world(), 'task-watcher', ['tick', 'a', '--json']);
  expect(documentOf(ticked)).toMatchObject({ tasks: [{ kind: 'none' }] });
  expect((await sweepOf(world(), 'a')).outcomes).toEqual(['mirror copy done']);
  expect((await decisions()).map(({ state }) => state)).toEqual(['executed']);
});

it('twins: neither woken, asked to leave nor revived; a person is asked once, and again for other twins', async () => {
  const made = await makeDrivers(world(), { a: { state: 'working' }, b: {}, c: {} });
  const twin = (pids: number[]) =>
    rosterOf(
      world(),
      pids.map((pid) => ({
        pid,
        cwd: '/made/a',
        kind: 'interactive',
        startedAt: 1,
        sessionId: made.a.sid,
        name: 'a',
        status: 'idle',
      })),
    );
  twin([made.a.pid, made.b.pid]);
  expect((await sweepOf(world(), 'a')).outcomes).toEqual(['alarm twins done']);
  const again = await sweepOf(world(), 'a');
  expect(again.outcomes).toEqual([]);
  expect(again.verdicts.wake).toMatchObject({ kind: 'undetermined', fires: false });
  twin([made.a.pid, made.c.pid]);
  await sweepOf(world(), 'a');
  expect((await decisions()).filter(({ kind }) => kind === 'twins')).toHaveLength(2);
});

it('a task that an answered question was about, and that has moved on, is left alone, and that is said', async () => {
  const made = await makeDrivers(world(), {
    a: { driverRespawnTimes: [1, 2, 3, 4, 5].map((hours) => isoAgo(hours * HOUR)) },
  });
  onlyThese(world(), made, []);
  expect((await sweepOf(world(), 'a')).outcomes).toContain('revival park done');
  const [asked] = await decisions();
  await fleet(world(), 'decision-ledger', ['answer', asked?.id ?? '', 'revive-once-more']);
  editTask(world(), 'a', { state: 'abandoned', stateChangedAt: isoAgo(DAY) });
  const { outcomes, document } = await sweepOf(world(), 'a');
  expect(outcomes).toContain('answer revive-once-more moved-on');
  expect(JSON.stringify(document.outcomes)).toContain('it is abandoned, not parked');
  expect(taskOf(world(), 'a')).toMatchObject({ state: 'abandoned' });
  expect((await sweepOf(world(), 'a')).outcomes.filter((one) => one.startsWith('answer'))).toEqual([]);
});
