import { formatDuration } from '../../words/duration.ts';
import type { Liveness } from './liveness.ts';
import type { SessionFacts } from './session-facts.ts';
import { type Verdict, verdictsOf } from './verdict.ts';

/** Thresholds of the ladder, ms and counts. */
export interface ExitPolicy {
  settle: number;
  quiet: number;
  askWait: number;
  requests: number;
  requestGap: number;
}

/** What the task says that the ladder has done already. Times in ms since 1970. */
export interface ExitLatches {
  releasedAt: number | undefined;
  askedAt: number | undefined;
  /** The message that asks has an id and was not seen to be sent yet. */
  askPending: boolean;
  requestedAt: number | undefined;
  requests: number;
  exited: boolean;
  gaveUp: boolean;
}

export interface ExitLadderFacts extends ExitLatches {
  terminal: boolean;
  liveness: Liveness;
  session: SessionFacts | undefined;
  /** Since this toolkit first read it dead, ms. */
  deadForMs: number;
  /** Grace in which Claude's own daemon may bring a background session back, ms; 0 for others. */
  daemonGraceMs: number;
  /** A start of it was written down and its end was not. */
  interrupted: boolean;
  /** An open task that names the same session. */
  protectedBy: string | undefined;
}

export type ExitLadderKind =
  | 'not-terminal'
  | 'not-released'
  | 'over'
  | 'gave-up'
  | 'undetermined'
  | 'daemon-grace'
  | 'protected'
  | 'settling'
  | 'not-idle'
  | 'not-quiet'
  | 'attached'
  | 'inbox'
  | 'asked'
  | 'requested'
  | 'withheld'
  | 'mark-exited'
  | 'ask'
  | 'request'
  | 'give-up';

const { fires, rests } = verdictsOf<ExitLadderKind>('exit-ladder');

/**
 * The next rung for a released task's session (ADR 0010): evidence, one message, a wait, at most three requests, then it
 * is given up, once, for a person. No session: `exitedAt`. A session that came back after that resets nothing.
 */
export function decideExitLadder(facts: ExitLadderFacts, now: number, policy: ExitPolicy): Verdict<ExitLadderKind> {
  const { terminal, releasedAt, liveness } = facts;
  if (!terminal) return rests('not-terminal', 'the task is open');
  if (facts.exited) return rests('over', 'its session has left; one that came back is somebody’s own');
  if (releasedAt === undefined) return rests('not-released', 'it is not released yet');
  if (facts.interrupted) return rests('undetermined', 'a start of it is not settled');
  if (liveness.kind === 'none') return fires('mark-exited', liveness.words);
  if (liveness.kind === 'absent') {
    if (facts.deadForMs < facts.daemonGraceMs) return rests('daemon-grace', 'Claude’s daemon may bring it back');
    return fires('mark-exited', liveness.words);
  }
  if (facts.gaveUp) return rests('gave-up', 'it still runs, and is no longer asked');
  if (liveness.kind !== 'alive' || facts.session === undefined) return rests('undetermined', liveness.words);
  if (facts.protectedBy !== undefined)
    return rests('protected', `task ${facts.protectedBy} is open and names this session`);
  if (facts.requests >= policy.requests) {
    const since = now - (facts.requestedAt ?? 0);
    if (since >= 0 && since < policy.requestGap) return rests('requested', `requested ${facts.requests} times`);
    return fires('give-up', `requested ${facts.requests} times, and it still runs`);
  }
  return rung(facts, facts.session, now, policy);
}

function rung(facts: ExitLadderFacts, session: SessionFacts, now: number, policy: ExitPolicy): Verdict<ExitLadderKind> {
  const { askedAt, requestedAt } = facts;
  const settled = now - (facts.releasedAt ?? now);
  if (settled < policy.settle) return rests('settling', `released ${formatDuration(Math.max(0, settled))} ago`);
  if (facts.askPending && (session.status === 'idle' || session.status === 'busy'))
    return fires('ask', 'its message is not known to be sent');
  const doubt = notFinished(session, askedAt === undefined ? policy.quiet : Math.min(policy.quiet, policy.askWait));
  if (doubt !== undefined) return doubt;
  if (askedAt === undefined) return fires('ask', 'released, silent, idle, unattached, its inbox drained');
  if (now - askedAt < policy.askWait) return rests('asked', `asked ${formatDuration(Math.max(0, now - askedAt))} ago`);
  if (requestedAt !== undefined && now - requestedAt < policy.requestGap) {
    return rests('requested', `requested ${formatDuration(Math.max(0, now - requestedAt))} ago`);
  }
  return fires('request', `asked, and still there; request ${facts.requests + 1} of ${policy.requests}`);
}

/** The evidence that a session has nothing left to do; each part that can't be read keeps it (unknown never acts). */
function notFinished(session: SessionFacts, quietMs: number): Verdict<ExitLadderKind> | undefined {
  const { status, waitingFor, silence, attached, queued } = session;
  if (status !== 'idle')
    return rests('not-idle', `status ${status ?? 'not known'}${waitingFor ? ` (${waitingFor})` : ''}`);
  if (!silence.ok) return rests('undetermined', silence.why);
  if (silence.idleMs < quietMs) return rests('not-quiet', `silent for ${formatDuration(silence.idleMs)}`);
  if (attached === undefined || attached.answer === 'unknown')
    return rests('undetermined', attached?.evidence ?? 'whether somebody looks at it was not read');
  if (attached.answer === 'yes') return rests('attached', attached.evidence);
  if (queued === undefined) return rests('undetermined', 'whether its inbox is drained can’t be told');
  if (queued > 0) return rests('inbox', `${queued} message${queued === 1 ? '' : 's'} in its inbox`);
  return undefined;
}
