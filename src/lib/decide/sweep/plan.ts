import { decideExitLadder, type ExitLadderKind, type ExitLatches, type ExitPolicy } from './exit-ladder.ts';
import { type Liveness, livenessVerdict } from './liveness.ts';
import { decideMirror, type KnownWatcher, type MirrorVerdict, type WatcherClosed } from './mirror.ts';
import { decideRelease, type ReleaseKind } from './release.ts';
import { decideDeadDriver, type RevivalPolicy, type RevivalVerdict } from './revival.ts';
import type { SessionFacts } from './session-facts.ts';
import type { RuleName, Verdict } from './verdict.ts';
import { decideBackoff, decideWake, type LastWake, type WakePolicy, type WakeVerdict } from './wake.ts';

export interface SweepPolicy {
  exit: ExitPolicy;
  wake: WakePolicy;
  revive: RevivalPolicy & { perSweep: number };
}

/** Everything that was read of one task, in one look. Times in ms since 1970. */
export interface TaskFacts {
  name: string;
  state: string;
  terminal: boolean;
  liveness: Liveness;
  session: SessionFacts | undefined;
  background: boolean;
  releasedAt: string | undefined;
  latches: ExitLatches;
  protectedBy: string | undefined;
  interrupted: boolean;
  /** That start can be neither verified nor let go, and was met often enough. */
  stuckStart?: boolean;
  /** The name that start was given. */
  startName?: string | undefined;
  deadSince: number | undefined;
  stopped: boolean;
  heartbeatAt: number | undefined;
  revivals: readonly number[];
  hold: { kind: 'free' } | { kind: 'hold'; words: string };
  lastWake: LastWake | undefined;
  authored: string | undefined;
  closed: WatcherClosed | undefined;
  watcher: KnownWatcher | undefined;
}

/** What every rule says of one task. At most one of release, exit ladder, wake and revival fires. */
export interface TaskPlan {
  name: string;
  facts: TaskFacts;
  liveness: Verdict<Liveness['kind']>;
  release: Verdict<ReleaseKind>;
  exit: Verdict<ExitLadderKind>;
  wake: WakeVerdict;
  revival: RevivalVerdict;
  mirror: MirrorVerdict;
}

/** Asks every rule about one task. */
export function planTask(facts: TaskFacts, now: number, policy: SweepPolicy): TaskPlan {
  const { terminal, state, liveness } = facts;
  const deadForMs = facts.deadSince === undefined ? 0 : Math.max(0, now - facts.deadSince);
  const daemonGraceMs = facts.background ? policy.revive.daemonGrace : 0;
  const backoffDue = decideBackoff(facts.lastWake, facts.authored, now, policy.wake.steps).due;
  return {
    name: facts.name,
    facts,
    liveness: livenessVerdict(liveness),
    release: decideRelease(terminal, state, facts.releasedAt),
    exit: decideExitLadder({ ...facts, ...facts.latches, deadForMs, daemonGraceMs }, now, policy.exit),
    wake: decideWake({ ...facts, last: facts.lastWake }, now, policy.wake),
    revival: decideDeadDriver(
      {
        ...facts,
        deadForMs,
        backoffDue,
        heartbeatAgeMs: facts.heartbeatAt === undefined ? undefined : now - facts.heartbeatAt,
      },
      now,
      policy.revive,
    ),
    mirror: decideMirror({
      terminal,
      closed: facts.closed,
      tickAtMs: facts.heartbeatAt,
      known: facts.watcher,
    }),
  };
}

/** The verdicts of a plan, in the order they are asked. */
export function verdictsIn(plan: TaskPlan): Verdict[] {
  return [plan.liveness, plan.release, plan.exit, plan.wake, plan.revival, plan.mirror];
}

/** Rungs that end a session, or lead to that. */
const EXITING: readonly ExitLadderKind[] = ['ask', 'request'];

/** Tasks of which many at once are more likely a misreading, see decideBreaker. */
export function exitableIn(plans: readonly TaskPlan[]): string[] {
  return plans.filter(({ exit }) => exit.fires && EXITING.includes(exit.kind)).map(({ name }) => name);
}

/** The same plan with every destructive act withheld: no exit, no revival, no parking. Waking and book-keeping stay. */
export function withhold(plan: TaskPlan, why: string): TaskPlan {
  const hold = <V extends Verdict>(verdict: V): V =>
    verdict.fires
      ? { ...verdict, fires: false, kind: 'withheld', words: `withheld: ${why} (else: ${verdict.words})` }
      : verdict;
  return { ...plan, exit: hold(plan.exit), revival: hold(plan.revival) };
}

/**
 * At most `perSweep` starts in one sweep, those that are dead longest first: a fleet that died together must not come back
 * in one second.
 */
export function staggerRevivals(plans: readonly TaskPlan[], perSweep: number): TaskPlan[] {
  const starting = plans.filter(({ revival }) => revival.fires && revival.kind !== 'park');
  const since = ({ facts }: TaskPlan) => facts.deadSince ?? Number.POSITIVE_INFINITY;
  const order = [...starting].sort((left, right) => since(left) - since(right) || (left.name < right.name ? -1 : 1));
  const late = new Set(order.slice(perSweep));
  return plans.map((plan) => {
    if (!late.has(plan)) return plan;
    const words = `its turn comes: ${perSweep} a sweep (${plan.revival.words})`;
    return { ...plan, revival: { ...plan.revival, fires: false, kind: 'turn', words } };
  });
}

/** Rules that a person has told to be observed only: their verdicts stand, and nothing is done. */
export function observeOnly(plan: TaskPlan, isObserved: (rule: RuleName) => boolean): TaskPlan {
  const mute = <V extends Verdict>(verdict: V): V =>
    verdict.fires && isObserved(verdict.rule)
      ? { ...verdict, fires: false, words: `observed only, by policy: ${verdict.kind}: ${verdict.words}` }
      : verdict;
  return {
    ...plan,
    liveness: mute(plan.liveness),
    release: mute(plan.release),
    exit: mute(plan.exit),
    wake: mute(plan.wake),
    revival: mute(plan.revival),
    mirror: mute(plan.mirror),
  };
}
