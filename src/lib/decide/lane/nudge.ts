import { formatDuration } from '../../words/duration.ts';

/** What was read of a lane's session. Times in ms. */
export interface LaneFacts {
  /** Live sessions under its id, or the very process that was seen as it. */
  liveness: 'alive' | 'cleared' | 'dead' | 'twins' | 'unknown';
  /** A Driver of an open task: those are the Supervisor's, and no lanes. */
  driverOf: string | undefined;
  status: string | undefined;
  silentMs: number | undefined;
  /** Since its last check-in was written down; undefined before the first. */
  sinceLastMs: number | undefined;
  /** The last check-in is written down, and not known to be sent. */
  pending: boolean;
}

export type LaneVerdict = {
  kind: 'nudge' | 'resend' | 'expire' | 'is-driver' | 'undetermined' | 'not-idle' | 'not-quiet' | 'waits';
  words: string;
};

/**
 * Whether a lane's session gets its check-in now: it lives, is idle, has been quiet for `everyMs`, and its last check-in is as
 * long ago. A lane ends with its session. Unknown neither nudges nor ends it.
 */
export function decideLane(facts: LaneFacts, everyMs: number): LaneVerdict {
  const { liveness, driverOf, status, silentMs, sinceLastMs } = facts;
  if (liveness === 'dead') return { kind: 'expire', words: 'its session has ended' };
  if (liveness === 'unknown') return { kind: 'undetermined', words: 'whether its session lives can’t be told' };
  if (liveness === 'twins') return { kind: 'undetermined', words: 'two processes have its session id' };
  if (driverOf !== undefined)
    return { kind: 'is-driver', words: `it drives task ${driverOf}: the Supervisor wakes it` };
  if (facts.pending && (status === 'idle' || status === 'busy')) {
    return { kind: 'resend', words: 'its last check-in is not known to be sent' };
  }
  if (status !== 'idle') return { kind: 'not-idle', words: `status ${status ?? 'not known'}` };
  if (silentMs === undefined) return { kind: 'undetermined', words: 'how long it has been quiet can’t be told' };
  if (silentMs < everyMs) return { kind: 'not-quiet', words: `quiet for ${formatDuration(silentMs)}` };
  // A check-in in the future: the clock was set back.
  if (sinceLastMs !== undefined && sinceLastMs >= 0 && sinceLastMs < everyMs) {
    return { kind: 'waits', words: `its last check-in was ${formatDuration(sinceLastMs)} ago` };
  }
  return { kind: 'nudge', words: `quiet for ${formatDuration(silentMs)}` };
}
