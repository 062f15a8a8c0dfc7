/**
 * A reading is yes, no or unknown and says where it was read. Unknown never acts on a session: whoever decides must
 * name what it does with each of the three.
 */
export type Answer = 'yes' | 'no' | 'unknown';

export interface Reading {
  answer: Answer;
  /** What was asked: `roster`, `tmux`, `/proc`, `screen`, `transcript`, … */
  source: string;
  /** What was seen, in a few words a person can check. */
  evidence: string;
}

export const yes = (source: string, evidence: string): Reading => ({ answer: 'yes', source, evidence });
export const no = (source: string, evidence: string): Reading => ({ answer: 'no', source, evidence });
export const unknown = (source: string, evidence: string): Reading => ({ answer: 'unknown', source, evidence });

/** A source that was read to its end, or why it could not be. */
export type Sourced<T> = { ok: true; value: T } | { ok: false; why: string };
