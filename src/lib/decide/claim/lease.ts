import { formatDuration } from '../../words/duration.ts';

/** Who holds a lease: a process of a host, in one boot of it, and the session it works for. */
export interface Holder {
  host: string;
  boot: string;
  pid: number;
  procStart: string;
  sid: string | undefined;
}

/** The row of one key. Each acquisition raises `generation` (the fencing token), each renewal `renewals`. */
export interface Lease {
  key: string;
  generation: number;
  state: 'held' | 'completed' | 'abandoned';
  holder: Holder;
  ttlMs: number;
  renewals: number;
  /** Wall clock, ms since 1970: for people; nothing is judged by it. */
  acquiredAt: number;
  renewedAt: number;
  /** The holder host's own kernel clock at the last renewal, ms: comparable within its boot alone. */
  renewedMono: number;
}

/** Since when this host has seen a lease unchanged, by its own kernel clock. */
export interface Observation {
  generation: number;
  renewals: number;
  boot: string;
  mono: number;
}

export interface LeaseFacts {
  /** This host, its boot and its kernel clock, ms. */
  host: string;
  boot: string;
  mono: number;
  /** Whether the holder (or the command it launched) runs; only asked on the holder's own host. */
  holderRuns: 'yes' | 'no' | 'unknown';
  observation: Observation | undefined;
}

export type LeaseVerdict =
  | { kind: 'free'; words: string }
  /** Held by somebody whose time has run out, or who is gone. */
  | { kind: 'lapsed'; reason: 'holder-gone' | 'rebooted' | 'expired'; words: string }
  /** `observe`: this host sees it so for the first time, and should remember that. */
  | { kind: 'held'; observe: boolean; words: string };

/**
 * Whether a lease may be taken. Time is never told by comparing the clocks of two hosts, nor by a wall clock, which people
 * and sleep move: on the holder's own host by its kernel's clock, elsewhere by a lease that this host has itself seen
 * unchanged for the whole ttl. A sleeping machine ages no lease, neither its own nor another's.
 */
export function decideLease(lease: Lease | undefined, facts: LeaseFacts): LeaseVerdict {
  if (lease === undefined) return { kind: 'free', words: 'nobody holds it' };
  if (lease.state !== 'held') return { kind: 'free', words: `it was ${lease.state}` };
  const { holder } = lease;
  const who = `${holder.host} process ${holder.pid}${holder.sid === undefined ? '' : ` (session ${holder.sid})`}`;
  if (holder.host === facts.host) {
    if (holder.boot !== facts.boot) return { kind: 'lapsed', reason: 'rebooted', words: `${who}: before this boot` };
    if (facts.holderRuns === 'no') return { kind: 'lapsed', reason: 'holder-gone', words: `${who} is gone` };
    const age = Math.max(0, facts.mono - lease.renewedMono);
    if (age >= lease.ttlMs) {
      return { kind: 'lapsed', reason: 'expired', words: `${who}: not renewed for ${formatDuration(age)}` };
    }
    return { kind: 'held', observe: false, words: `held by ${who}, for ${formatDuration(lease.ttlMs - age)} more` };
  }
  const { observation: seen } = facts;
  const unchanged =
    seen !== undefined &&
    seen.boot === facts.boot &&
    seen.generation === lease.generation &&
    seen.renewals === lease.renewals &&
    seen.mono <= facts.mono;
  if (!unchanged) return { kind: 'held', observe: true, words: `held by ${who}` };
  const age = facts.mono - seen.mono;
  if (age < lease.ttlMs) {
    return { kind: 'held', observe: false, words: `held by ${who}, unchanged for ${formatDuration(age)}` };
  }
  return { kind: 'lapsed', reason: 'expired', words: `${who}: seen unchanged for ${formatDuration(age)}` };
}

/** Whether two holders are the same process. */
export function sameHolder(one: Holder, other: Holder): boolean {
  return (
    one.host === other.host && one.boot === other.boot && one.pid === other.pid && one.procStart === other.procStart
  );
}
