import { formatDuration } from '../../words/duration.ts';
import type { Liveness } from './liveness.ts';
import { type Verdict, verdictsOf } from './verdict.ts';

/** Thresholds of reviving, ms and counts. */
export interface RevivalPolicy {
  max: number;
  window: number;
  watcherFresh: number;
  watcherGrace: number;
  daemonGrace: number;
}

export interface RevivalFacts {
  state: string;
  terminal: boolean;
  liveness: Liveness;
  /** A start of it was written down and its end was not. */
  interrupted: boolean;
  /** See isStuck: a person must look at it. */
  stuckStart?: boolean;
  /** Since this toolkit first read it dead, ms. */
  deadForMs: number;
  background: boolean;
  /** Claude's daemon has the job as stopped: it left through its own door (idle ones do after an hour), and can be resumed. */
  stopped: boolean;
  /** For a stopped one: whether the backoff of waking has run out. */
  backoffDue: boolean;
  /** Age of the watcher's heartbeat, ms; undefined when there is none. */
  heartbeatAgeMs: number | undefined;
  /** When it was revived before, ms since 1970. */
  revivals: readonly number[];
  hold: { kind: 'free' } | { kind: 'hold'; words: string };
}

export type RevivalKind =
  | 'terminal'
  | 'alive'
  | 'undetermined'
  | 'no-driver'
  | 'defer-to-watcher'
  | 'daemon-grace'
  | 'asleep'
  | 'hold'
  | 'withheld'
  | 'turn'
  | 'recover'
  | 'stuck'
  | 'park'
  | 'revive';

/** `counted`: it counts in the window of revivals. */
export type RevivalVerdict = Verdict<RevivalKind> & { counted?: boolean };

const { fires, rests } = verdictsOf<RevivalKind>('revival');

/** How many revivals lie in the rolling window. Those a little in the future count too: the clock was set back. */
export function revivalsInWindow(revivals: readonly number[], now: number, windowMs: number): number {
  return revivals.filter((at) => Math.abs(now - at) < windowMs).length;
}

/**
 * What is done about a dead Driver (ADR 0035 decisions 4 and 6, and its amendment; design §7). A fresh heartbeat buys the
 * watcher a grace that is measured by our own reading of the death, not ownership; Claude's own daemon has one too. More
 * than `max` revivals in the window: the task is parked for a person.
 */
export function decideDeadDriver(facts: RevivalFacts, now: number, policy: RevivalPolicy): RevivalVerdict {
  const { state, terminal, liveness, deadForMs, heartbeatAgeMs } = facts;
  const known = ['alive', 'absent', 'none'].includes(liveness.kind);
  if (known && facts.interrupted && facts.stuckStart)
    return rests('stuck', 'a start of it can be neither verified nor let go: a person is asked');
  if (known && facts.interrupted) return fires('recover', 'a start of it was interrupted: what it left is found first');
  if (terminal) return rests('terminal', `${state} is terminal`);
  if (liveness.kind === 'alive' || liveness.kind === 'adopt') return rests('alive', liveness.words);
  if (liveness.kind !== 'absent' && liveness.kind !== 'none') return rests('undetermined', liveness.words);
  if (liveness.kind === 'none') return rests('no-driver', liveness.words);
  const dead = `dead for ${formatDuration(deadForMs)}`;
  const fresh = heartbeatAgeMs !== undefined && heartbeatAgeMs < policy.watcherFresh;
  if (fresh && deadForMs < policy.watcherGrace) {
    return rests('defer-to-watcher', `${dead}; its watcher ticked ${formatDuration(Math.max(0, heartbeatAgeMs))} ago`);
  }
  if (facts.background && deadForMs < policy.daemonGrace) {
    return rests('daemon-grace', `${dead}; Claude’s daemon may bring it back`);
  }
  if (facts.stopped) {
    const asleep = 'it was stopped, and can be resumed';
    if (state === 'awaiting-human') return rests('asleep', `${asleep}, when the person has answered`);
    if (!facts.backoffDue) return rests('asleep', `${asleep}, when the backoff has run out`);
  }
  if (facts.hold.kind === 'hold') return rests('hold', facts.hold.words);
  const recent = revivalsInWindow(facts.revivals, now, policy.window);
  if (!facts.stopped && recent >= policy.max) {
    return fires('park', `${dead}; revived ${recent} times in ${formatDuration(policy.window)}`);
  }
  const whose = fresh ? 'its watcher ticks and does not revive it' : 'no watcher’s';
  return { ...fires('revive', `${dead}; ${facts.stopped ? 'stopped' : whose}`), counted: !facts.stopped };
}
