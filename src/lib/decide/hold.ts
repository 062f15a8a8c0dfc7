import type { LastTurn } from '../observe/last-turn.ts';
import { timestampMs } from '../words/timestamp.ts';

/** How long a failure without a better end holds, ms. */
export interface HoldPolicy {
  limitHold: number;
  authHold: number;
}

export interface HoldFacts {
  lastTurn: LastTurn;
  /** When Claude's credentials were last written, ms since 1970; undefined when that can't be read. */
  credentialsChangedAt?: number | undefined;
  /** ms since 1970. */
  now: number;
  policy: HoldPolicy;
}

/** `until`: ms since 1970, when one more start is worth its while even if nothing is heard before. */
export type HoldVerdict =
  | { kind: 'free' }
  | { kind: 'hold'; until: number; reason: 'auth' | 'limit' | 'credit'; words: string };

const FREE: HoldVerdict = { kind: 'free' };
const DAY = 86_400_000;

/** The longest limit is a week; what lies further ahead is no reset, and no step of a clock either. */
const BELIEVED_AHEAD = 8 * DAY;

/** Words leave out the seconds of a reset, and an interactive session goes on by itself some 80 s after it. */
const RESET_MARGIN = 2 * 60_000;

const NAMES = { auth: 'authentication', limit: 'a usage limit', credit: 'credit' };

/**
 * Whether a start or a wake of this session would only meet again what its last turn failed on (design §7). A limit holds
 * until its reset; without one that can be believed, `limitHold` from the failure. Authentication and credit hold until the
 * credentials were written after the failure; else one more try is made `authHold` after it, whose own failure holds anew.
 * An unknown last turn is free, unlike elsewhere: this rule only saves needless starts, which the window of revivals and
 * the backoff of wakes bound anyway, and one that can't be read must not keep a Driver from its work for ever. A failure in
 * the future (the clock was set back) counts from now; one without a time can't be measured, and holds nothing.
 */
export function decideHold({ lastTurn, credentialsChangedAt, now, policy }: HoldFacts): HoldVerdict {
  if (lastTurn.kind !== 'failed' || lastTurn.cause === 'transient') return FREE;
  const { cause: reason } = lastTurn;
  const at = timestampMs(lastTurn.at);
  if (at === undefined || at > now + BELIEVED_AHEAD) return FREE;
  if (reason !== 'limit' && credentialsChangedAt !== undefined && credentialsChangedAt > at) return FREE;
  const since = Math.min(at, now);
  const until = reason === 'limit' ? limitEnd(lastTurn.resetsAt, since, policy) : since + policy.authHold;
  if (now >= until) return FREE;
  return { kind: 'hold', until, reason, words: `its last turn failed on ${NAMES[reason]}: ${lastTurn.words}` };
}

function limitEnd(resetsAt: number | undefined, since: number, policy: HoldPolicy): number {
  const believed = resetsAt !== undefined && resetsAt > since && resetsAt <= since + BELIEVED_AHEAD;
  return believed ? resetsAt + RESET_MARGIN : since + policy.limitHold;
}
