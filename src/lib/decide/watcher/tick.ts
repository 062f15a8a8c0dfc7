import { formatDuration } from '../../words/duration.ts';
import type { Liveness } from '../sweep/liveness.ts';
import { revivalsInWindow } from '../sweep/revival.ts';

/** Thresholds of a watcher, ms and counts. */
export interface WatcherPolicy {
  /** After so long a run ends: it goes on as a new one while the task is open. */
  lifetime: number;
  /** Without movement for so long it closes: that is how an abandoned task ends. */
  idleExit: number;
  /** Busy, and silent for so long, is a wedged turn. */
  wedged: number;
  /** Wakes of wedged turns, without movement in between, before it fails. */
  nudges: number;
  /** Revivals in a rolling window, see RevivalPolicy. */
  max: number;
  window: number;
  daemonGrace: number;
}

/** What a watcher carries from tick to tick, and across continue-as-new. Times in ms since 1970. */
export interface WatcherMemory {
  /** When this run began. */
  startedAt: number;
  /** When anything last moved: the authored state, or the Driver's transcripts. */
  movedAt: number;
  fingerprint: string | undefined;
  /** First reading of the death that lasts; undefined while it lives. */
  deadSince: number | undefined;
  nudges: number;
  nudgedAt: number | undefined;
  revivals: number[];
}

/** What one tick read of a task. */
export interface TickFacts {
  /** Undefined when the task file can't be read. */
  state: string | undefined;
  terminal: boolean;
  /** No such task any more. */
  gone: boolean;
  liveness: Liveness;
  /** A live session has the Driver's name, though not its id: names are labels, but they protect. */
  byName: boolean;
  background: boolean;
  status: string | undefined;
  /** Since the Driver's transcripts were last written to, ms; undefined when that can't be told. */
  silentMs: number | undefined;
  /** Fingerprint of the authored state; undefined when it can't be read. */
  authored: string | undefined;
  /** A start of it was written down and its end was not. */
  interrupted: boolean;
  /** See isStuck: left to a person, whom the Supervisor asks. Absent in older histories. */
  stuckStart?: boolean;
  hold: boolean;
}

export type TickAct =
  | { kind: 'none' }
  | { kind: 'revive' }
  /** Find what an interrupted start left. */
  | { kind: 'recover' }
  | { kind: 'nudge' }
  | { kind: 'close'; status: 'COMPLETED' | 'IDLE' | 'FAILED'; reason: string }
  | { kind: 'continue-as-new' };

export interface TickDecision {
  act: TickAct;
  words: string;
  memory: WatcherMemory;
}

/** A watcher that begins now. */
export function newMemory(now: number, revivals: readonly number[] = []): WatcherMemory {
  return {
    startedAt: now,
    movedAt: now,
    fingerprint: undefined,
    deadSince: undefined,
    nudges: 0,
    nudgedAt: undefined,
    revivals: [...revivals],
  };
}

/** The memory of the run that follows: everything but its age. */
export function continued(memory: WatcherMemory, now: number): WatcherMemory {
  return { ...memory, startedAt: now };
}

/**
 * One tick of a watcher, the same for the embedded engine and the Temporal workflow (design §9, ADR 0035 decisions 3 to 7). It
 * revives a dead Driver, gives a wedged turn one wake, and never wakes an idle one: that is the Supervisor's.
 */
export function decideTick(facts: TickFacts, before: WatcherMemory, now: number, policy: WatcherPolicy): TickDecision {
  const memory = moved(facts, before, now);
  const end = (act: TickAct, words: string, next = memory): TickDecision => ({ act, words, memory: next });
  if (facts.gone) return end({ kind: 'close', status: 'COMPLETED', reason: 'the task is gone' }, 'the task is gone');
  if (facts.state !== undefined && facts.terminal) {
    const reason = `the task is ${facts.state}`;
    return end({ kind: 'close', status: 'COMPLETED', reason }, reason);
  }
  const still = now - memory.movedAt;
  if (still >= policy.idleExit) {
    const reason = `nothing moved for ${formatDuration(still)}`;
    return end({ kind: 'close', status: 'IDLE', reason }, reason);
  }
  const { liveness } = facts;
  const settled = ['alive', 'absent', 'none'].includes(liveness.kind);
  if (facts.interrupted && settled && facts.stuckStart) return renewed(memory, now, policy, 'a start of it is stuck');
  if (facts.interrupted && settled) return end({ kind: 'recover' }, 'a start of it was interrupted');
  if (liveness.kind === 'absent') return onDeath(facts, memory, now, policy);
  if (liveness.kind === 'alive' || liveness.kind === 'adopt') {
    const alive = { ...memory, deadSince: undefined };
    const wedged = onWedge(facts, alive, now, policy);
    if (wedged !== undefined) return wedged;
    return renewed(alive, now, policy, liveness.words);
  }
  return renewed(memory, now, policy, liveness.words);
}

/** The memory after this reading: what moved, and since when the Driver is dead. */
function moved(facts: TickFacts, before: WatcherMemory, now: number): WatcherMemory {
  const memory = { ...before };
  // A clock that was set back leaves times in the future; they are taken as now.
  memory.movedAt = Math.min(memory.movedAt, now);
  memory.startedAt = Math.min(memory.startedAt, now);
  if (facts.authored !== undefined && facts.authored !== memory.fingerprint) {
    if (memory.fingerprint !== undefined) memory.movedAt = now;
    memory.fingerprint = facts.authored;
    memory.nudges = 0;
    memory.nudgedAt = undefined;
  }
  if (facts.silentMs !== undefined) memory.movedAt = Math.max(memory.movedAt, Math.round(now - facts.silentMs));
  if (facts.liveness.kind === 'absent') memory.deadSince = Math.min(memory.deadSince ?? now, now);
  return memory;
}

function onDeath(facts: TickFacts, memory: WatcherMemory, now: number, policy: WatcherPolicy): TickDecision {
  const rests = (why: string) => renewed(memory, now, policy, `${facts.liveness.words}; ${why}`);
  if (facts.byName) return rests('a live session has its name');
  if (facts.hold) return rests('it could not work if it were revived');
  const dead = now - (memory.deadSince ?? now);
  if (facts.background && dead < policy.daemonGrace) return rests('Claude’s daemon may bring it back');
  const recent = revivalsInWindow(memory.revivals, now, policy.window);
  if (recent >= policy.max)
    return rests(`revived ${recent} times in ${formatDuration(policy.window)}: left to the Supervisor`);
  const revivals = [...memory.revivals.filter((at) => Math.abs(now - at) < policy.window), now];
  return { act: { kind: 'revive' }, words: facts.liveness.words, memory: { ...memory, revivals } };
}

/** A wedged turn gets one wake; when it is wedged again without movement, another, up to the ceiling, and then it has failed. */
function onWedge(
  facts: TickFacts,
  memory: WatcherMemory,
  now: number,
  policy: WatcherPolicy,
): TickDecision | undefined {
  const { status, silentMs } = facts;
  if (status !== 'busy' || silentMs === undefined || silentMs < policy.wedged) return undefined;
  const since = memory.nudgedAt === undefined ? Number.POSITIVE_INFINITY : now - memory.nudgedAt;
  if (since >= 0 && since < policy.wedged) return undefined;
  const words = `busy, and silent for ${formatDuration(silentMs)}`;
  if (memory.nudges >= policy.nudges) {
    const reason = `${words}, after ${memory.nudges} wakes`;
    return { act: { kind: 'close', status: 'FAILED', reason }, words: reason, memory };
  }
  return { act: { kind: 'nudge' }, words, memory: { ...memory, nudges: memory.nudges + 1, nudgedAt: now } };
}

/** Nothing is to be done; a run at its ceiling goes on as a new one (ADR 0035 decision 7). */
function renewed(memory: WatcherMemory, now: number, policy: WatcherPolicy, words: string): TickDecision {
  const over = now - memory.startedAt >= policy.lifetime;
  return { act: { kind: over ? 'continue-as-new' : 'none' }, words, memory };
}
