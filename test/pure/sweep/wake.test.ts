import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decideBackoff, decideWake, type WakeFacts } from '../../../src/lib/decide/sweep/wake.ts';
import { DEFAULT_POLICY } from '../../../src/lib/policy.ts';
import { ABSENT, ALIVE, HOUR, MINUTE, NOW, QUIET } from './cases.ts';

const { wake: POLICY } = DEFAULT_POLICY;
const IDLE: WakeFacts = {
  state: 'working',
  terminal: false,
  liveness: ALIVE,
  session: QUIET,
  interrupted: false,
  last: undefined,
  hold: { kind: 'free' },
  authored: 'a',
};
const woken = (minutesAgo: number, step: number, fingerprint = 'a') => ({
  at: NOW - minutesAgo * MINUTE,
  step,
  fingerprint,
  pending: false,
});
const quietFor = (minutes: number) => ({ ...QUIET, silence: { ok: true as const, idleMs: minutes * MINUTE } });

it.each<[string, WakeFacts, string, number | undefined]>([
  ['idle and quiet', IDLE, 'wake', 1],
  ['ready for review is an open state too', { ...IDLE, state: 'ready_for_review' }, 'wake', 1],
  ['a terminal task', { ...IDLE, state: 'done', terminal: true }, 'terminal', undefined],
  ['awaiting a person', { ...IDLE, state: 'awaiting-human' }, 'awaiting-human', undefined],
  ['dead', { ...IDLE, liveness: ABSENT, session: undefined }, 'not-alive', undefined],
  ['undetermined', { ...IDLE, liveness: { kind: 'unknown', words: '' } }, 'undetermined', undefined],
  ['twins', { ...IDLE, liveness: { kind: 'twins', pids: [], words: '' } }, 'undetermined', undefined],
  ['alive by its process alone', { ...IDLE, session: undefined }, 'undetermined', undefined],
  ['busy', { ...IDLE, session: { ...QUIET, status: 'busy' } }, 'not-idle', undefined],
  ['at a permission prompt', { ...IDLE, session: { ...QUIET, status: 'waiting' } }, 'not-idle', undefined],
  ['no status', { ...IDLE, session: { ...QUIET, status: undefined } }, 'undetermined', undefined],
  ['quiet for 14 m', { ...IDLE, session: quietFor(14) }, 'not-quiet', undefined],
  ['quiet for 15 m', { ...IDLE, session: quietFor(15) }, 'wake', 1],
  ['no transcript', { ...IDLE, session: { ...QUIET, silence: { ok: false, why: '' } } }, 'undetermined', undefined],
  ['29 m after the first wake', { ...IDLE, last: woken(29, 1) }, 'backing-off', undefined],
  ['30 m after the first wake', { ...IDLE, last: woken(30, 1) }, 'wake', 2],
  ['59 m after the second', { ...IDLE, last: woken(59, 2) }, 'backing-off', undefined],
  ['60 m after the second', { ...IDLE, last: woken(60, 2) }, 'wake', 3],
  ['89 m after the third', { ...IDLE, last: woken(89, 3) }, 'backing-off', undefined],
  ['90 m after the third', { ...IDLE, last: woken(90, 3) }, 'wake', 4],
  ['90 m after the ninth', { ...IDLE, last: woken(90, 9) }, 'wake', 10],
  ['its last turn failed on a limit', { ...IDLE, hold: { kind: 'hold', words: '' } }, 'hold', undefined],
  ['the authored state moved', { ...IDLE, last: woken(15, 4, 'b') }, 'wake', 1],
  ['it moved, 14 m after a wake', { ...IDLE, last: woken(14, 4, 'b') }, 'backing-off', undefined],
  ['the authored state can’t be read', { ...IDLE, authored: undefined, last: woken(30, 1) }, 'wake', 2],
  ['a wake in the future: the clock was set back', { ...IDLE, last: woken(-600, 3) }, 'wake', 4],
  ['a wake that is not known to be sent', { ...IDLE, last: { ...woken(1, 2), pending: true } }, 'resend', 2],
  [
    'the same, and it waits on a dialog',
    { ...IDLE, session: { ...QUIET, status: 'waiting' }, last: { ...woken(1, 2), pending: true } },
    'not-idle',
    undefined,
  ],
])('%s', (_, facts, kind, step) => {
  const verdict = decideWake(facts, NOW, POLICY);
  expect(verdict).toMatchObject({ kind, fires: kind === 'wake' || kind === 'resend' });
  expect(verdict.step).toBe(step);
});

describe('the backoff', () => {
  it('is never due before its first step after a wake', () => {
    const facts = fc.record({
      ago: fc.integer({ min: 0, max: 15 * MINUTE - 1 }),
      step: fc.integer({ min: 1, max: 20 }),
    });
    fc.assert(
      fc.property(facts, fc.option(fc.constantFrom('a', 'b'), { nil: undefined }), ({ ago, step }, authored) => {
        const last = { at: NOW - ago, step, fingerprint: 'a', pending: false };
        expect(decideBackoff(last, authored, NOW, POLICY.steps).due).toBe(false);
      }),
    );
  });

  it('grows while nothing moves: more wakes sent, no earlier the next one', () => {
    fc.assert(
      fc.property(fc.nat(3 * HOUR), fc.integer({ min: 1, max: 20 }), (ago, step) => {
        const due = (sent: number) =>
          decideBackoff({ at: NOW - ago, step: sent, fingerprint: 'a', pending: false }, 'a', NOW, POLICY.steps).due;
        if (due(step + 1)) expect(due(step)).toBe(true);
      }),
    );
  });
});
