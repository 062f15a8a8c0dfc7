import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decideDeadDriver } from '../../../src/lib/decide/sweep/revival.ts';
import { decideTick, newMemory, type TickFacts, type WatcherMemory } from '../../../src/lib/decide/watcher/tick.ts';
import { DEFAULT_POLICY } from '../../../src/lib/policy.ts';
import { ABSENT, ALIVE, MINUTE, NOW } from '../sweep/cases.ts';

const { revive, watcher } = DEFAULT_POLICY;
const WATCHER = { ...watcher, max: revive.max, window: revive.window, daemonGrace: revive.daemonGrace };

type Half = 'supervisor' | 'watcher';

/** A task folder, its lock and its Driver, as both halves see them. What is in a half's own memory dies with it. */
class Machine {
  now = NOW;
  drivers = 1;
  spawns = 0;
  deaths = 0;
  most = 1;
  deadSince: number | undefined;
  respawns: number[] = [];
  heartbeat: number | undefined;
  memory: WatcherMemory = newMemory(NOW);
  intent: number | undefined;
  lock: Half | undefined;
  /** What a careful half does; a careless one is found out. */
  looksAgain = true;

  die(): void {
    if (this.drivers === 0) return;
    this.drivers -= 1;
    this.deaths += 1;
  }

  spawn(): void {
    this.drivers += 1;
    this.spawns += 1;
    this.most = Math.max(this.most, this.drivers);
  }
}

/** One run of a half, a step at a time: between two steps anything may happen, and after any of them it may be gone. */
function* run(machine: Machine, half: Half): Generator<void, void> {
  // The look: all that follows decides on it, however old it is by then.
  const seenAlive = machine.drivers > 0;
  const seenIntent = machine.intent !== undefined;
  const at = machine.now;
  const heartbeatAgeMs = machine.heartbeat === undefined ? undefined : at - machine.heartbeat;
  yield;
  const wish =
    half === 'supervisor'
      ? supervise(machine, { seenAlive, seenIntent, at, heartbeatAgeMs })
      : watch(machine, seenAlive, seenIntent, at);
  yield;
  if (wish === 'nothing' || machine.lock !== undefined) return;
  machine.lock = half;
  yield;
  if (machine.intent !== undefined) {
    // What an interrupted start has left is found first: a Driver that lives is recorded, and nothing is started beside it.
    if (machine.drivers > 0) record(machine);
    machine.intent = undefined;
    if (machine.drivers > 0 || wish === 'recover') {
      machine.lock = undefined;
      return;
    }
  }
  yield;
  const dead = () => machine.drivers === 0 || !machine.looksAgain;
  if (wish === 'revive' && dead()) {
    machine.intent = machine.now;
    yield;
    if (!dead()) machine.intent = undefined;
    else {
      machine.spawn();
      yield;
      record(machine);
      machine.intent = undefined;
    }
  }
  yield;
  machine.lock = undefined;
}

function record(machine: Machine): void {
  if (machine.intent !== undefined) machine.respawns.push(machine.intent);
  machine.deadSince = undefined;
}

interface Look {
  seenAlive: boolean;
  seenIntent: boolean;
  at: number;
  heartbeatAgeMs: number | undefined;
}

function supervise(
  machine: Machine,
  { seenAlive, seenIntent, at, heartbeatAgeMs }: Look,
): 'nothing' | 'revive' | 'recover' {
  if (!seenAlive) machine.deadSince ??= at;
  const { fires, kind } = decideDeadDriver(
    {
      state: 'working',
      terminal: false,
      liveness: seenAlive ? ALIVE : ABSENT,
      interrupted: seenIntent,
      deadForMs: machine.deadSince === undefined ? 0 : at - machine.deadSince,
      background: false,
      stopped: false,
      backoffDue: true,
      heartbeatAgeMs,
      revivals: machine.respawns,
      hold: { kind: 'free' },
    },
    at,
    revive,
  );
  if (seenAlive) machine.deadSince = undefined;
  return fires && (kind === 'revive' || kind === 'recover') ? kind : 'nothing';
}

function watch(
  machine: Machine,
  seenAlive: boolean,
  seenIntent: boolean,
  at: number,
): 'nothing' | 'revive' | 'recover' {
  machine.heartbeat = at;
  const facts: TickFacts = {
    state: 'working',
    terminal: false,
    gone: false,
    liveness: seenAlive ? ALIVE : ABSENT,
    byName: false,
    background: false,
    status: 'idle',
    silentMs: undefined,
    authored: 'a',
    interrupted: seenIntent,
    hold: false,
  };
  const { act, memory } = decideTick(facts, machine.memory, at, WATCHER);
  machine.memory = memory;
  return act.kind === 'revive' || act.kind === 'recover' ? act.kind : 'nothing';
}

type Step = { do: 'step' | 'crash'; half: Half } | { do: 'die' } | { do: 'wait'; minutes: number };

/** Plays a schedule; halves that are not in `present` never run. A half whose run has ended begins the next one. */
function play(schedule: readonly Step[], present: readonly Half[], careless?: Partial<Machine>): Machine {
  const machine = Object.assign(new Machine(), careless);
  const runs = new Map<Half, Generator<void, void>>();
  for (const step of schedule) {
    if (step.do === 'wait') machine.now += step.minutes * MINUTE;
    else if (step.do === 'die') {
      if (machine.deaths === 0) machine.die();
    } else if (present.includes(step.half)) advance(machine, runs, step.half, step.do === 'crash');
    if (careless === undefined) expect(machine.most, 'never two Drivers').toBeLessThanOrEqual(1);
  }
  return machine;
}

function advance(machine: Machine, runs: Map<Half, Generator<void, void>>, half: Half, crash: boolean): void {
  if (crash) {
    // Killed: what it held is free, what it wrote stays, what it knew is gone.
    if (machine.lock === half) machine.lock = undefined;
    runs.delete(half);
    return;
  }
  const own = runs.get(half) ?? run(machine, half);
  runs.set(half, own);
  if (own.next().done) runs.delete(half);
}

const half = fc.constantFrom<Half>('supervisor', 'watcher');
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 12, arbitrary: fc.record({ do: fc.constant('step' as const), half }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('crash' as const), half }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('wait' as const), minutes: fc.constantFrom(1, 5, 16) }) },
  { weight: 1, arbitrary: fc.constant({ do: 'die' as const }) },
);
const schedules = fc.array(step, { minLength: 10, maxLength: 60 });

/** Both halves run on, undisturbed, long enough for every grace to pass. */
function settle(machine: Machine, present: readonly Half[]): void {
  if (machine.lock !== undefined) machine.lock = undefined;
  for (let minute = 0; minute < 40; minute++) {
    machine.now += MINUTE;
    for (const one of present) for (const _ of run(machine, one));
  }
}

describe.each<[string, Half[]]>([
  ['both halves', ['supervisor', 'watcher']],
  ['the Supervisor alone', ['supervisor']],
  ['the watcher alone', ['watcher']],
])('%s, over ten thousand schedules, each ended anywhere', (_, present) => {
  it('one death, one revival, one Driver', () => {
    fc.assert(
      fc.property(schedules, (schedule) => {
        const machine = play([...schedule, { do: 'die' }], present);
        settle(machine, present);
        expect(machine.deaths).toBe(1);
        expect(machine.drivers).toBe(1);
        expect(machine.spawns).toBe(1);
        expect(machine.most).toBe(1);
        expect(machine.intent).toBeUndefined();
      }),
      { numRuns: 10_000 },
    );
  }, 60_000);
});

it.each<[string, Partial<Machine>]>([['does not look again under the lock', { looksAgain: false }]])(
  'a half that %s is found out',
  (_, careless) => {
    const { failed } = fc.check(
      fc.property(schedules, (schedule) => {
        const machine = play([{ do: 'die' }, ...schedule], ['supervisor', 'watcher'], careless);
        return machine.most === 1;
      }),
      { numRuns: 20_000 },
    );
    expect(failed).toBe(true);
  },
  60_000,
);
