import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decideHold, type HoldFacts } from '../../src/lib/decide/hold.ts';
import type { LastTurn } from '../../src/lib/observe/last-turn.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const policy = { limitHold: HOUR, authHold: 6 * HOUR };
const FAILED = Date.parse('2026-10-08T10:00:00.000Z');

function failure(cause: 'auth' | 'limit' | 'credit' | 'transient', more: object = {}): LastTurn {
  return { kind: 'failed', cause, at: new Date(FAILED).toISOString(), words: 'the words', ...more };
}

/** Until when it holds, in ms after the failure; `free` when it does not. */
function holds(facts: Partial<HoldFacts>): number | 'free' {
  const verdict = decideHold({ lastTurn: { kind: 'none' }, now: FAILED + MINUTE, policy, ...facts });
  return verdict.kind === 'free' ? 'free' : verdict.until - FAILED;
}

describe('what holds, and until when after the failure', () => {
  const plus = (ms: number) => FAILED + ms;
  it.each<[string, Partial<HoldFacts>, number | 'free']>([
    ['answered', { lastTurn: { kind: 'answered' } }, 'free'],
    ['no turn yet', { lastTurn: { kind: 'none' } }, 'free'],
    ['not known', { lastTurn: { kind: 'unknown', why: '' } }, 'free'],
    ['the service was overloaded', { lastTurn: failure('transient') }, 'free'],

    ['a limit with a reset', { lastTurn: failure('limit', { resetsAt: plus(3 * HOUR) }) }, 3 * HOUR + 2 * MINUTE],
    ['a weekly limit', { lastTurn: failure('limit', { resetsAt: plus(7 * DAY) }) }, 7 * DAY + 2 * MINUTE],
    ['a reset beyond belief', { lastTurn: failure('limit', { resetsAt: plus(9 * DAY) }) }, HOUR],
    ['a reset before the failure', { lastTurn: failure('limit', { resetsAt: plus(-MINUTE) }) }, HOUR],
    [
      'a reset that is over',
      { lastTurn: failure('limit', { resetsAt: plus(HOUR) }), now: plus(HOUR + 2 * MINUTE) },
      'free',
    ],
    [
      'just reset',
      { lastTurn: failure('limit', { resetsAt: plus(HOUR) }), now: plus(HOUR + MINUTE) },
      HOUR + 2 * MINUTE,
    ],
    ['a limit without a reset', { lastTurn: failure('limit') }, HOUR],
    ['the same an hour later', { lastTurn: failure('limit'), now: plus(HOUR) }, 'free'],
    ['a limit, and new credentials', { lastTurn: failure('limit'), credentialsChangedAt: plus(1) }, HOUR],

    ['authentication', { lastTurn: failure('auth') }, 6 * HOUR],
    ['credit', { lastTurn: failure('credit') }, 6 * HOUR],
    [
      'authentication, and credentials of before',
      { lastTurn: failure('auth'), credentialsChangedAt: FAILED },
      6 * HOUR,
    ],
    ['authentication, and new credentials', { lastTurn: failure('auth'), credentialsChangedAt: plus(1) }, 'free'],
    ['credit, and new credentials', { lastTurn: failure('credit'), credentialsChangedAt: plus(1) }, 'free'],
    ['one try after that', { lastTurn: failure('auth'), now: plus(6 * HOUR) }, 'free'],
    ['a reset is no matter of authentication', { lastTurn: failure('auth', { resetsAt: plus(HOUR) }) }, 6 * HOUR],

    ['a clock set back by an hour', { lastTurn: failure('auth'), now: plus(-HOUR) }, 5 * HOUR],
    [
      'the same, a limit with a reset',
      { lastTurn: failure('limit', { resetsAt: plus(HOUR) }), now: plus(-HOUR) },
      HOUR + 2 * MINUTE,
    ],
    ['a time far in the future', { lastTurn: failure('auth'), now: plus(-9 * DAY) }, 'free'],
    ['a failure without a time', { lastTurn: failure('auth', { at: undefined }) }, 'free'],
    ['one whose time is none', { lastTurn: failure('limit', { at: 'soon' }) }, 'free'],
  ])('%s', (_, facts, expected) => {
    expect(holds(facts)).toBe(expected);
  });
});

it('says why, in the words of the failure', () => {
  expect(decideHold({ lastTurn: failure('limit'), now: FAILED, policy })).toMatchObject({
    reason: 'limit',
    words: 'its last turn failed on a usage limit: the words',
  });
});

const lastTurns = fc.record({
  cause: fc.constantFrom('auth' as const, 'limit' as const, 'credit' as const, 'transient' as const),
  resetsAt: fc.option(fc.integer({ min: -20 * DAY, max: 20 * DAY }), { nil: undefined }),
  changed: fc.option(fc.integer({ min: -DAY, max: DAY }), { nil: undefined }),
});

function verdictAt(
  now: number,
  {
    cause,
    resetsAt,
    changed,
  }: { cause: 'auth' | 'limit' | 'credit' | 'transient'; resetsAt: number | undefined; changed: number | undefined },
) {
  const lastTurn = failure(cause, resetsAt === undefined ? {} : { resetsAt: FAILED + resetsAt });
  return decideHold({
    lastTurn,
    now,
    policy,
    credentialsChangedAt: changed === undefined ? undefined : FAILED + changed,
  });
}

it('ends, for good: it never outlasts a week’s limit, and what is free stays free', () => {
  const times = fc.integer({ min: 0, max: 9 * DAY });
  fc.assert(
    fc.property(lastTurns, times, times, (turn, one, other) => {
      const [sooner, later] = [FAILED + Math.min(one, other), FAILED + Math.max(one, other)];
      const first = verdictAt(sooner, turn);
      const second = verdictAt(later, turn);
      if (first.kind === 'free') expect(second.kind).toBe('free');
      if (first.kind === 'hold') {
        expect(first.until).toBeGreaterThan(sooner);
        expect(first.until).toBeLessThanOrEqual(FAILED + 8 * DAY + 2 * MINUTE);
        expect(second.kind).toBe(later < first.until ? 'hold' : 'free');
      }
    }),
  );
});

it('only a failure on authentication, a limit or credit holds', () => {
  fc.assert(
    fc.property(lastTurns, fc.integer({ min: -9 * DAY, max: 9 * DAY }), (turn, ms) => {
      const verdict = verdictAt(FAILED + ms, turn);
      if (verdict.kind === 'hold') expect(verdict.reason).toBe(turn.cause);
      if (turn.cause === 'transient') expect(verdict.kind).toBe('free');
    }),
  );
});
