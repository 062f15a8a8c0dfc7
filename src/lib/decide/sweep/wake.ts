import { formatDuration } from '../../words/duration.ts';
import type { Liveness } from './liveness.ts';
import type { SessionFacts } from './session-facts.ts';
import { type Verdict, verdictsOf } from './verdict.ts';

/** Thresholds of waking, ms. `steps`: how long after the wake before; the last one stands for all further. */
export interface WakePolicy {
  quiet: number;
  steps: readonly number[];
}

export interface WakeFacts {
  state: string;
  terminal: boolean;
  liveness: Liveness;
  session: SessionFacts | undefined;
  /** A start of it was written down and its end was not. */
  interrupted: boolean;
  last: LastWake | undefined;
  /** Its last turn failed for a reason that the next one would meet again. */
  hold: { kind: 'free' } | { kind: 'hold'; words: string };
  /** Fingerprint of the authored state now; undefined when it can't be read. */
  authored: string | undefined;
}

/** The wake before, as task.json remembers it. `step`: wakes sent since the authored state moved. */
export interface LastWake {
  at: number;
  step: number;
  fingerprint: string | undefined;
  /** It was written down, and is not known to be sent. */
  pending: boolean;
}

export type WakeKind =
  | 'terminal'
  | 'awaiting-human'
  | 'not-alive'
  | 'undetermined'
  | 'not-idle'
  | 'not-quiet'
  | 'backing-off'
  | 'hold'
  | 'resend'
  | 'wake';

export type WakeVerdict = Verdict<WakeKind> & { step?: number };

const { fires, rests } = verdictsOf<WakeKind>('wake');

/**
 * Whether an idle Driver is woken (ADR 0035 decision 1): the task is open and no person owes the next move; the Driver
 * lives, is idle and has been quiet, its sub-agents too; and the backoff has run out, which grows while the authored state
 * does not move. An extra wake costs one turn and a missed one costs a quit, so a backoff that can't be measured has run out.
 */
export function decideWake(facts: WakeFacts, now: number, policy: WakePolicy): WakeVerdict {
  const { state, liveness, session, last } = facts;
  if (facts.terminal) return rests('terminal', `${state} is terminal`);
  if (state === 'awaiting-human') return rests('awaiting-human', 'a person owes the next move');
  if (liveness.kind === 'absent' || liveness.kind === 'none') return rests('not-alive', liveness.words);
  if (liveness.kind !== 'alive' || session === undefined) return rests('undetermined', liveness.words);
  if (facts.interrupted) return rests('undetermined', 'a start of it is not settled');
  if (last?.pending && (session.status === 'idle' || session.status === 'busy')) {
    return { ...fires('resend', 'the last wake is not known to be sent'), step: last.step };
  }
  const { status, waitingFor, silence } = session;
  if (status === undefined) return rests('undetermined', 'its status is not known');
  if (status !== 'idle') return rests('not-idle', `status ${status}${waitingFor ? ` (${waitingFor})` : ''}`);
  if (!silence.ok) return rests('undetermined', silence.why);
  const quiet = `quiet for ${formatDuration(silence.idleMs)}`;
  if (silence.idleMs < policy.quiet) return rests('not-quiet', quiet);
  const { due, waits, step } = decideBackoff(last, facts.authored, now, policy.steps);
  if (!due) return rests('backing-off', `${quiet}; ${waits}`);
  if (facts.hold.kind === 'hold') return rests('hold', facts.hold.words);
  return { ...fires('wake', `${quiet}; wake ${step} without authored movement`), step };
}

/**
 * Whether the backoff has run out, and which wake the next one would be. It starts anew when the authored state has moved
 * since the last wake: a fingerprint that differs. (One that can't be read has not moved.)
 */
export function decideBackoff(
  last: LastWake | undefined,
  authored: string | undefined,
  now: number,
  steps: readonly number[],
): { due: boolean; waits: string; step: number } {
  const moved =
    last === undefined || (authored !== undefined && last.fingerprint !== undefined && authored !== last.fingerprint);
  const sent = moved ? 0 : last.step;
  const gap = steps[Math.min(sent, steps.length - 1)] ?? 0;
  const since = last === undefined ? Number.POSITIVE_INFINITY : now - last.at;
  // A wake in the future: the clock was set back.
  const due = since < -2000 || since >= gap;
  const waits = `${formatDuration(Math.max(0, Math.min(since, 1e12)))} of ${formatDuration(gap)} since the last wake`;
  return { due, waits, step: sent + 1 };
}
