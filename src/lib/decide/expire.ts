import type { Reading } from '../reading.ts';
import { formatDuration } from '../words/duration.ts';

export interface ExpireFacts {
  sessionId: string | undefined;
  pid: number;
  name: string | undefined;
  /** An open task protects it. */
  protection: Reading;
  /** It stands in expire.pinned. */
  pinned: boolean;
  status: string | undefined;
  silence: { ok: true; idleMs: number } | { ok: false; why: string };
  /** Somebody is attached to it. */
  attached: Reading;
  /** Messages in its queue; undefined when that could not be told. */
  queued: number | undefined;
  /** More than one live process has its id. */
  twins: boolean;
}

export interface ExpireVerdict {
  kind: 'keep' | 'expire';
  reason:
    | 'protected'
    | 'protection-unknown'
    | 'pinned'
    | 'twins'
    | 'no-session-id'
    | 'not-idle'
    | 'silence-unknown'
    | 'not-silent'
    | 'attached'
    | 'attachment-unknown'
    | 'inbox'
    | 'inbox-unknown'
    | 'silent';
  words: string;
}

/** Whether one session has expired. Each question that can't be answered keeps it (ADR 0010: unknown protects). */
export function decideExpire(facts: ExpireFacts, idleMs: number): ExpireVerdict {
  const keep = (reason: ExpireVerdict['reason'], words: string): ExpireVerdict => ({ kind: 'keep', reason, words });
  const { protection, silence, attached, queued, status } = facts;
  if (facts.sessionId === undefined) return keep('no-session-id', 'the roster gives no session id');
  if (facts.pinned) return keep('pinned', 'pinned');
  if (facts.twins) return keep('twins', 'more than one live process has its id');
  if (protection.answer === 'yes') return keep('protected', protection.evidence);
  if (protection.answer === 'unknown') return keep('protection-unknown', protection.evidence);
  if (status !== 'idle') return keep('not-idle', status === undefined ? 'its status is not known' : `status ${status}`);
  if (!silence.ok) return keep('silence-unknown', silence.why);
  const silent = `silent for ${formatDuration(silence.idleMs)}`;
  if (silence.idleMs < idleMs) return keep('not-silent', silent);
  if (attached.answer === 'yes') return keep('attached', attached.evidence);
  if (attached.answer === 'unknown') return keep('attachment-unknown', attached.evidence);
  if (queued === undefined) return keep('inbox-unknown', 'whether its inbox is drained can’t be told');
  if (queued > 0) return keep('inbox', `${queued} message${queued === 1 ? '' : 's'} in its inbox`);
  return { kind: 'expire', reason: 'silent', words: `${silent}, idle, unattached, no open task` };
}

/**
 * Whether so many verdicts at once are more likely a misreading than a fleet gone silent: at least `minDeaths` and more
 * than `share` of the live sessions. (On 2026-08-08 one transient probe failure retired 7 of 10 loops that were at work.)
 */
export function isMassVerdict(expiring: number, live: number, breaker: { minDeaths: number; share: number }): boolean {
  return expiring >= breaker.minDeaths && expiring > live * breaker.share;
}
