/** How an unfinished start stands: a session in the roster, a process or pane under its identity, or neither. */
export type Standing = 'listed' | 'process' | 'none';

/** How often an unfinished start was met without an end to it, and how it stood then. */
export interface Meetings {
  times: number;
  as: Standing;
}

/** Met so often, a start is no longer one that is late: a person must look at it. */
const MAX_MEETINGS = 3;

/**
 * Whether a start that could neither be verified nor let go is left alone until a person has seen to it: each meeting takes its
 * time, presses a key on its screen and writes an event, and would do so every minute. When it stands otherwise than it was met (a
 * person has answered its dialog, or closed it), it is met again.
 */
export function isStuck(met: Meetings | undefined, now: Standing): boolean {
  return met !== undefined && met.times >= MAX_MEETINGS && met.as === now;
}

/**
 * The meetings after one more. Standing otherwise than before, it begins anew; one of which it can't be told how it stood is not
 * counted.
 */
export function metAgain(met: Meetings | undefined, as: Standing | undefined): Meetings | undefined {
  if (as === undefined) return met;
  return { times: met?.as === as ? met.times + 1 : 1, as };
}

/** The meetings that a task's intent tells of; none when it tells nothing that can be understood. */
export function meetingsIn(intent: Readonly<Record<string, unknown>> | undefined): Meetings | undefined {
  const { times, as } = (intent?.met ?? {}) as Record<string, unknown>;
  if (typeof times !== 'number' || (as !== 'listed' && as !== 'process' && as !== 'none')) return undefined;
  return { times, as };
}
