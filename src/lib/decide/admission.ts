import type { Sourced } from '../reading.ts';

/** What admission is decided on. Counts are of sessions. */
export interface AdmissionFacts {
  /** Roster rows whose process lives. */
  live: Sourced<number>;
  /** Session processes that are not in the roster: they start, or stand on a first-run dialog. */
  unlisted: number;
  /** Reservations whose session has not been seen. */
  reserved: number;
  memory: Sourced<{ totalBytes: number; availableBytes: number }>;
  ceiling: number;
  /** Share of memory that must stay available, 0…1. */
  memoryFloor: number;
}

export type AdmissionReason =
  | 'below-ceiling'
  | 'at-ceiling'
  | 'below-memory-floor'
  | 'roster-unreadable'
  | 'memory-unreadable';

export interface AdmissionDecision {
  kind: 'admit' | 'refuse';
  reason: AdmissionReason;
  /** One line for people. */
  words: string;
  /** Sessions counted against the ceiling; undefined when they could not be. */
  counted: number | undefined;
}

/**
 * Whether one more session may start. What can't be read refuses: a refused start is tried again, a box out of memory
 * takes every session down with nothing flushed (design §5).
 */
export function decideAdmission(facts: AdmissionFacts): AdmissionDecision {
  const { live, unlisted, reserved, memory, ceiling, memoryFloor } = facts;
  if (!live.ok) return refuse('roster-unreadable', `live sessions can't be counted: ${live.why}`, undefined);
  const counted = live.value + unlisted + reserved;
  if (counted >= ceiling) {
    const parts = `${live.value} live, ${unlisted} starting or on a dialog, ${reserved} reserved`;
    return refuse('at-ceiling', `${counted} of ${ceiling} sessions (${parts})`, counted);
  }
  if (!memory.ok) return refuse('memory-unreadable', `available memory can't be read: ${memory.why}`, counted);
  const floorBytes = memoryFloor * memory.value.totalBytes;
  if (memory.value.availableBytes < floorBytes) {
    const percent = (bytes: number) => `${((100 * bytes) / memory.value.totalBytes).toFixed(1)}%`;
    const words = `${percent(memory.value.availableBytes)} of memory is available, the floor is ${percent(floorBytes)}`;
    return refuse('below-memory-floor', words, counted);
  }
  return { kind: 'admit', reason: 'below-ceiling', words: `${counted + 1} of ${ceiling} sessions`, counted };
}

function refuse(reason: AdmissionReason, words: string, counted: number | undefined): AdmissionDecision {
  return { kind: 'refuse', reason, words, counted };
}
