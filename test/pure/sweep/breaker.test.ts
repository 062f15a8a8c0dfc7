import { expect, it } from 'vitest';
import { type BreakerFacts, decideBreaker } from '../../../src/lib/decide/sweep/breaker.ts';
import { DEFAULT_POLICY } from '../../../src/lib/policy.ts';
import { HOUR, MINUTE } from './cases.ts';

const names = (count: number, from = 0) => Array.from({ length: count }, (_, at) => `t${from + at}`);
const CALM: BreakerFacts = {
  rosterWhy: undefined,
  processesWhy: undefined,
  gap: { monotonicMs: MINUTE, wallMs: MINUTE, rebooted: false },
  baseline: names(8),
  dead: [],
  exitable: [],
  cleared: [],
};
const gap = (monotonicMs: number, wallMs: number, rebooted = false) => ({
  ...CALM,
  gap: { monotonicMs, wallMs, rebooted },
});

it.each<[string, BreakerFacts, string | undefined]>([
  ['a calm minute', CALM, undefined],
  ['the roster can’t be read', { ...CALM, rosterWhy: 'torn' }, 'roster-unreadable'],
  ['the processes can’t be read', { ...CALM, processesWhy: 'torn' }, 'processes-unreadable'],
  ['the first sweep', { ...CALM, gap: undefined }, 'first-sweep'],
  ['three minutes', gap(3 * MINUTE, 3 * MINUTE), undefined],
  ['four minutes', gap(4 * MINUTE, 4 * MINUTE), 'sweep-gap'],
  ['asleep for an hour: the kernel’s clock stood still', gap(MINUTE, HOUR), 'sweep-gap'],
  ['the clock was set back', gap(MINUTE, -HOUR), 'sweep-gap'],
  ['a second of drift', gap(MINUTE, MINUTE - 1000), undefined],
  ['a reboot', gap(MINUTE, MINUTE, true), 'sweep-gap'],
  ['4 of 8 die', { ...CALM, dead: names(4) }, undefined],
  ['5 of 8 die', { ...CALM, dead: names(5) }, 'mass-death'],
  ['5 of 10 die: half is not more than half', { ...CALM, baseline: names(10), dead: names(5) }, undefined],
  ['6 of 10 die', { ...CALM, baseline: names(10), dead: names(6) }, 'mass-death'],
  ['5 of 8 die, and a person has seen to 2', { ...CALM, dead: names(5), cleared: names(2) }, undefined],
  ['7 of 8 die, and a person has seen to 2', { ...CALM, dead: names(7), cleared: names(2) }, 'mass-death'],
  ['7 of 10 would leave at once', { ...CALM, baseline: names(10), exitable: names(7) }, 'mass-exit'],
  ['5 of 20 would leave at once', { ...CALM, baseline: names(20), exitable: names(5) }, undefined],
])('%s', (_, facts, reason) => {
  const decision = decideBreaker(facts, DEFAULT_POLICY.breaker);
  expect(decision.tripped ? decision.reason : undefined).toBe(reason);
});

it('names the tasks of a mass reading that nobody has seen to', () => {
  const decision = decideBreaker({ ...CALM, dead: names(7), cleared: ['t0'] }, DEFAULT_POLICY.breaker);
  expect(decision).toMatchObject({ tasks: names(6, 1) });
});
