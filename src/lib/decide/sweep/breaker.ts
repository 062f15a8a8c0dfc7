import { formatDuration } from '../../words/duration.ts';

export interface BreakerPolicy {
  minDeaths: number;
  share: number;
  /** A pause between two sweeps above this (ms) tells of sleep, reboot or a stepped clock. */
  sweepGap: number;
}

export interface BreakerFacts {
  /** Undefined when the roster was read. */
  rosterWhy: string | undefined;
  processesWhy: string | undefined;
  /** Since the sweep before, by the clock nobody sets and by the wall's, ms; undefined for the first sweep. */
  gap: { monotonicMs: number; wallMs: number; rebooted: boolean } | undefined;
  /** Tasks whose Driver was alive at the sweep before. */
  baseline: readonly string[];
  /** Of those: tasks whose Driver is read dead now. */
  dead: readonly string[];
  /** Tasks whose session would be asked to leave, or requested to, now. */
  exitable: readonly string[];
  /** Tasks for which a person has said that the reading is right. */
  cleared: readonly string[];
}

export type BreakerReason =
  | 'roster-unreadable'
  | 'processes-unreadable'
  | 'first-sweep'
  | 'sweep-gap'
  | 'mass-death'
  | 'mass-exit';

/** `tripped`: no exit, no revival, no parking is done in this sweep. */
export type BreakerDecision =
  | { tripped: false }
  | { tripped: true; reason: BreakerReason; words: string; tasks: string[] };

/**
 * Whether so much is wrong at once that this sweep does nothing that could hurt (design §4). On 2026-08-08 one transient
 * probe failure retired 7 of 10 loops whose tasks were still active.
 */
export function decideBreaker(facts: BreakerFacts, policy: BreakerPolicy): BreakerDecision {
  const trip = (reason: BreakerReason, words: string, tasks: readonly string[] = []): BreakerDecision => ({
    tripped: true,
    reason,
    words,
    tasks: [...tasks],
  });
  if (facts.processesWhy !== undefined) return trip('processes-unreadable', facts.processesWhy);
  if (facts.rosterWhy !== undefined) return trip('roster-unreadable', facts.rosterWhy);
  const { gap, baseline } = facts;
  if (gap === undefined) return trip('first-sweep', 'no sweep before this one to compare with');
  const paused = gapWords(gap, policy.sweepGap);
  if (paused !== undefined) return trip('sweep-gap', paused);
  const uncleared = (names: readonly string[]) => names.filter((name) => !facts.cleared.includes(name));
  const isMass = (count: number) => count >= policy.minDeaths && count > baseline.length * policy.share;
  const dead = uncleared(facts.dead);
  if (isMass(dead.length)) {
    return trip('mass-death', `${dead.length} of ${baseline.length} Drivers that lived are dead at once`, dead);
  }
  const exitable = uncleared(facts.exitable);
  if (isMass(exitable.length)) {
    return trip(
      'mass-exit',
      `${exitable.length} sessions would leave at once, of ${baseline.length} that lived`,
      exitable,
    );
  }
  return { tripped: false };
}

function gapWords(gap: NonNullable<BreakerFacts['gap']>, sweepGap: number): string | undefined {
  if (gap.rebooted) return 'the machine was started anew since the last sweep';
  if (gap.monotonicMs > sweepGap) return `the last sweep was ${formatDuration(gap.monotonicMs)} ago`;
  const step = gap.wallMs - gap.monotonicMs;
  if (Math.abs(step) <= sweepGap) return undefined;
  // The kernel's clock stands still while the machine sleeps.
  const what = step > 0 ? 'the machine slept, or its clock was set forth,' : 'the clock was set back';
  return `${what} by ${formatDuration(Math.abs(step))}`;
}
