import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Liveness } from '../../../src/lib/decide/sweep/liveness.ts';
import { decideDeadDriver, type RevivalFacts, revivalsInWindow } from '../../../src/lib/decide/sweep/revival.ts';
import { DEFAULT_POLICY } from '../../../src/lib/policy.ts';
import { ABSENT, ALIVE, HOUR, MINUTE, NOW } from './cases.ts';

const { revive: POLICY } = DEFAULT_POLICY;
const DEAD: RevivalFacts = {
  state: 'working',
  terminal: false,
  liveness: ABSENT,
  interrupted: false,
  deadForMs: 0,
  background: false,
  stopped: false,
  backoffDue: true,
  heartbeatAgeMs: undefined,
  revivals: [],
  hold: { kind: 'free' },
};
const times = (count: number, hoursAgo = 1) => Array.from({ length: count }, () => NOW - hoursAgo * HOUR);
const STOPPED = { ...DEAD, background: true, stopped: true, deadForMs: HOUR };

it.each<[string, RevivalFacts, string, boolean]>([
  ['dead, no watcher', DEAD, 'revive', true],
  ['awaiting a person, and dead', { ...DEAD, state: 'awaiting-human' }, 'revive', true],
  ['a terminal task', { ...DEAD, state: 'done', terminal: true }, 'terminal', false],
  ['alive', { ...DEAD, liveness: ALIVE }, 'alive', false],
  ['undetermined', { ...DEAD, liveness: { kind: 'unknown', words: '' } }, 'undetermined', false],
  ['twins', { ...DEAD, liveness: { kind: 'twins', pids: [], words: '' } }, 'undetermined', false],
  [
    'blocked at launch',
    { ...DEAD, liveness: { kind: 'blocked', pid: 1, dialog: '', words: '' } },
    'undetermined',
    false,
  ],
  ['it never had a Driver', { ...DEAD, liveness: { kind: 'none', words: '' } }, 'no-driver', false],
  [
    'its first start was interrupted',
    { ...DEAD, interrupted: true, liveness: { kind: 'none', words: '' } },
    'recover',
    true,
  ],
  ['a start was interrupted after its spawn', { ...DEAD, interrupted: true, liveness: ALIVE }, 'recover', true],
  ['the same, and the task is over', { ...DEAD, interrupted: true, liveness: ALIVE, terminal: true }, 'recover', true],
  [
    'the same, undetermined',
    { ...DEAD, interrupted: true, liveness: { kind: 'unknown', words: '' } },
    'undetermined',
    false,
  ],
  [
    'its first start is stuck',
    { ...DEAD, interrupted: true, stuckStart: true, liveness: { kind: 'none', words: '' } },
    'stuck',
    false,
  ],
  ['a revival is stuck', { ...DEAD, interrupted: true, stuckStart: true }, 'stuck', false],
  [
    'a revival is stuck, and five were counted',
    { ...DEAD, interrupted: true, stuckStart: true, revivals: times(5) },
    'stuck',
    false,
  ],
  [
    'a start is stuck, and the task is over',
    { ...DEAD, interrupted: true, stuckStart: true, terminal: true },
    'stuck',
    false,
  ],
  ['a revival was interrupted', { ...DEAD, interrupted: true, revivals: times(9) }, 'recover', true],
  ['a fresh heartbeat, dead for 0', { ...DEAD, heartbeatAgeMs: 0 }, 'defer-to-watcher', false],
  [
    'a fresh heartbeat, dead for 14 m',
    { ...DEAD, heartbeatAgeMs: MINUTE, deadForMs: 14 * MINUTE },
    'defer-to-watcher',
    false,
  ],
  ['a fresh heartbeat, dead for 15 m', { ...DEAD, heartbeatAgeMs: MINUTE, deadForMs: 15 * MINUTE }, 'revive', true],
  ['a stale heartbeat', { ...DEAD, heartbeatAgeMs: 10 * MINUTE }, 'revive', true],
  ['a heartbeat from the future', { ...DEAD, heartbeatAgeMs: -HOUR }, 'defer-to-watcher', false],
  ['background, dead for 1 m', { ...DEAD, background: true, deadForMs: MINUTE }, 'daemon-grace', false],
  ['background, dead for 2 m', { ...DEAD, background: true, deadForMs: 2 * MINUTE }, 'revive', true],
  ['four revivals today', { ...DEAD, revivals: times(4) }, 'revive', true],
  ['five revivals today', { ...DEAD, revivals: times(5) }, 'park', true],
  ['five revivals, the first a day ago', { ...DEAD, revivals: [...times(1, 24), ...times(4)] }, 'revive', true],
  ['a legacy task: a lifetime count, no times', { ...DEAD, revivals: [] }, 'revive', true],
  ['its last turn failed on a limit', { ...DEAD, hold: { kind: 'hold', words: '' } }, 'hold', false],
  ['a limit, and five revivals', { ...DEAD, hold: { kind: 'hold', words: '' }, revivals: times(5) }, 'hold', false],
  ['stopped by its daemon', STOPPED, 'revive', true],
  ['stopped, the backoff runs', { ...STOPPED, backoffDue: false }, 'asleep', false],
  ['stopped, awaiting a person', { ...STOPPED, state: 'awaiting-human' }, 'asleep', false],
  ['stopped, five revivals today', { ...STOPPED, revivals: times(5) }, 'revive', true],
])('%s', (_, facts, kind, fires) => {
  expect(decideDeadDriver(facts, NOW, POLICY)).toMatchObject({ kind, fires });
});

it('counts a death and not a stop', () => {
  expect(decideDeadDriver(DEAD, NOW, POLICY).counted).toBe(true);
  expect(decideDeadDriver(STOPPED, NOW, POLICY).counted).toBe(false);
});

it('starts nothing for a Driver that is not surely dead', () => {
  const liveness = fc.constantFrom<Liveness>(
    ALIVE,
    ABSENT,
    { kind: 'none', words: '' },
    { kind: 'unknown', words: '' },
    { kind: 'twins', pids: [1, 2], words: '' },
    { kind: 'blocked', pid: 1, dialog: 'x', words: '' },
  );
  fc.assert(
    fc.property(
      liveness,
      fc.boolean(),
      fc.nat(HOUR),
      fc.option(fc.integer({ min: -HOUR, max: HOUR }), { nil: undefined }),
      fc.nat(8),
      (one, interrupted, deadForMs, heartbeatAgeMs, revivals) => {
        const facts = { ...DEAD, liveness: one, interrupted, deadForMs, heartbeatAgeMs, revivals: times(revivals) };
        const { fires, kind } = decideDeadDriver(facts, NOW, POLICY);
        if (!fires) return;
        if (kind !== 'recover') expect(one.kind).toBe('absent');
        else expect([interrupted, ['absent', 'none', 'alive'].includes(one.kind)]).toEqual([true, true]);
        if (kind === 'revive') {
          expect(revivalsInWindow(facts.revivals, NOW, POLICY.window)).toBeLessThan(POLICY.max);
          expect(heartbeatAgeMs === undefined || heartbeatAgeMs >= 10 * MINUTE || deadForMs >= 15 * MINUTE).toBe(true);
        }
      },
    ),
  );
});
