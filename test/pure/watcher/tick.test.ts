import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decideTick, newMemory, type TickFacts, type WatcherMemory } from '../../../src/lib/decide/watcher/tick.ts';
import { DEFAULT_POLICY } from '../../../src/lib/policy.ts';
import { ABSENT, ALIVE, HOUR, MINUTE, NOW } from '../sweep/cases.ts';

const { revive, watcher } = DEFAULT_POLICY;
const POLICY = { ...watcher, max: revive.max, window: revive.window, daemonGrace: revive.daemonGrace };
const LIVES: TickFacts = {
  state: 'working',
  terminal: false,
  gone: false,
  liveness: ALIVE,
  byName: false,
  background: false,
  status: 'idle',
  silentMs: HOUR,
  authored: 'a',
  interrupted: false,
  hold: false,
};
const MEMORY: WatcherMemory = { ...newMemory(NOW - HOUR), fingerprint: 'a' };
const DEAD: TickFacts = { ...LIVES, liveness: ABSENT, status: undefined, silentMs: undefined };
const WEDGED: TickFacts = { ...LIVES, status: 'busy', silentMs: 30 * MINUTE };
const times = (count: number) => Array.from({ length: count }, () => NOW - HOUR);

it.each<[string, TickFacts, Partial<WatcherMemory>, string]>([
  ['alive and idle: waking it is not a watcher’s', LIVES, {}, 'none'],
  [
    'idle for two days minus a minute',
    { ...LIVES, silentMs: undefined },
    { movedAt: NOW - 48 * HOUR + MINUTE },
    'none',
  ],
  ['nothing moved for two days', { ...LIVES, silentMs: 50 * HOUR }, { movedAt: NOW - 48 * HOUR }, 'close IDLE'],
  ['the board moved just now', { ...LIVES, silentMs: 50 * HOUR, authored: 'b' }, { movedAt: NOW - 48 * HOUR }, 'none'],
  ['its transcripts moved', LIVES, { movedAt: NOW - 48 * HOUR }, 'none'],
  ['the task is over', { ...LIVES, state: 'done', terminal: true }, {}, 'close COMPLETED'],
  ['the task is gone', { ...LIVES, gone: true, state: undefined }, {}, 'close COMPLETED'],
  ['the task file can’t be read', { ...LIVES, state: undefined, liveness: { kind: 'unknown', words: '' } }, {}, 'none'],
  ['dead', DEAD, {}, 'revive'],
  ['dead, and a live session has its name: renamed', { ...DEAD, byName: true }, {}, 'none'],
  ['undetermined', { ...DEAD, liveness: { kind: 'unknown', words: '' } }, {}, 'none'],
  ['twins', { ...DEAD, liveness: { kind: 'twins', pids: [], words: '' } }, {}, 'none'],
  ['blocked at launch', { ...DEAD, liveness: { kind: 'blocked', pid: 1, dialog: '', words: '' } }, {}, 'none'],
  ['a start was interrupted', { ...DEAD, interrupted: true }, {}, 'recover'],
  ['a start is stuck: left to a person', { ...DEAD, interrupted: true, stuckStart: true }, {}, 'none'],
  [
    'a start is stuck, at the lifetime',
    { ...DEAD, interrupted: true, stuckStart: true },
    { startedAt: NOW - 72 * HOUR },
    'continue-as-new',
  ],
  ['a start was interrupted after its spawn', { ...LIVES, interrupted: true }, {}, 'recover'],
  [
    'a start was interrupted, undetermined',
    { ...LIVES, interrupted: true, liveness: { kind: 'unknown', words: '' } },
    {},
    'none',
  ],
  ['it could not work', { ...DEAD, hold: true }, {}, 'none'],
  ['background, just dead', { ...DEAD, background: true }, {}, 'none'],
  ['background, dead for 2 m', { ...DEAD, background: true }, { deadSince: NOW - 2 * MINUTE }, 'revive'],
  ['four revivals in a day', DEAD, { revivals: times(4) }, 'revive'],
  ['five revivals in a day', DEAD, { revivals: times(5) }, 'none'],
  ['five, a day ago', DEAD, { revivals: times(5).map((at) => at - 24 * HOUR) }, 'revive'],
  ['busy and silent for 29 m', { ...WEDGED, silentMs: 29 * MINUTE }, {}, 'none'],
  ['busy and silent for 30 m', WEDGED, {}, 'nudge'],
  ['waiting on a dialog is not wedged', { ...WEDGED, status: 'waiting' }, {}, 'none'],
  ['busy, and its silence can’t be told', { ...WEDGED, silentMs: undefined }, {}, 'none'],
  ['woken 29 m ago', WEDGED, { nudges: 1, nudgedAt: NOW - 29 * MINUTE }, 'none'],
  ['woken 30 m ago, still wedged', WEDGED, { nudges: 1, nudgedAt: NOW - 30 * MINUTE }, 'nudge'],
  ['woken three times, still wedged', WEDGED, { nudges: 3, nudgedAt: NOW - 30 * MINUTE }, 'close FAILED'],
  [
    'woken three times, and the board moved',
    { ...WEDGED, authored: 'b' },
    { nudges: 3, nudgedAt: NOW - HOUR },
    'nudge',
  ],
  ['at its lifetime ceiling', LIVES, { startedAt: NOW - 72 * HOUR }, 'continue-as-new'],
  ['at its lifetime ceiling, dead', DEAD, { startedAt: NOW - 72 * HOUR }, 'revive'],
  [
    'at its lifetime ceiling, blind',
    { ...DEAD, liveness: { kind: 'unknown', words: '' } },
    { startedAt: NOW - 72 * HOUR },
    'continue-as-new',
  ],
])('%s', (_, facts, memory, expected) => {
  const { act } = decideTick(facts, { ...MEMORY, ...memory }, NOW, POLICY);
  expect(act.kind === 'close' ? `close ${act.status}` : act.kind).toBe(expected);
});

it('counts its revivals before they are done, and never more than five in a day', () => {
  let memory = MEMORY;
  let revived = 0;
  for (let minute = 0; minute < 24 * 60; minute++) {
    const decision = decideTick(DEAD, memory, NOW + minute * MINUTE, { ...POLICY, idleExit: Number.POSITIVE_INFINITY });
    memory = decision.memory;
    if (decision.act.kind === 'revive') revived += 1;
  }
  expect(revived).toBe(5);
  expect(memory.revivals).toHaveLength(5);
});

it('survives every clock: a memory from the future closes nothing and forgets no death', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1e12 }), (ahead) => {
      const memory = { ...MEMORY, movedAt: NOW + ahead, startedAt: NOW + ahead, deadSince: NOW + ahead };
      const { act, memory: next } = decideTick({ ...DEAD, background: true }, memory, NOW, POLICY);
      expect(act.kind).toBe('none');
      expect([next.movedAt, next.startedAt, next.deadSince]).toEqual([NOW, NOW, NOW]);
    }),
  );
});
