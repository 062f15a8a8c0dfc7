import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EXIT, errnoOf, FleetError } from '../errors.ts';
import { writeAtomic } from './atomic-write.ts';
import type { Moment } from './boot-clock.ts';
import type { Places } from './places.ts';
import type { ProcessIdentity } from './process-identity.ts';

/** A slot taken before a launch, until its session appears, it is released, or its time runs out. */
export interface Reservation {
  token: string;
  /** Whom it is for, as the caller said; the coming session's name when it has one. */
  for: string;
  takenAt: Moment;
  ttlMs: number;
  caller: ProcessIdentity;
  /** The process that `session-cap run` started: what grows in its tree is the session. */
  child?: ProcessIdentity;
  /** The folder that `session-cap run` launched from, and when its command ended (ms since 1970). */
  launch?: { cwd: string; endedAt?: number };
}

/** How a reservation ended, kept for a while so that a late `release` is no error. */
export interface EndedReservation {
  token: string;
  how: 'appeared' | 'released' | 'expired';
  /** The session that it was for: it is nobody else's any more. */
  by?: ProcessIdentity;
}

export interface AdmissionBook {
  /** Grows with every commit. */
  generation: number;
  /**
   * Generation of the last commit that ended reservations because their sessions were seen. Whoever decides on a roster
   * read before that would count those sessions neither as reserved nor as live, so such a reading is too old.
   */
  endedAtGeneration: number;
  reservations: Reservation[];
  ended: EndedReservation[];
}

const KEPT_ENDED = 100;

/** Where the book stands; its lock is the machine-wide lock of admission. */
export function bookFile(places: Places): string {
  return join(places.ownDir, 'admissions.json');
}

/**
 * The book as it stands on disk, with the fields of other versions in `rest`. None yet: an empty one. A book that can't
 * be understood is an error (65), not an empty one: an empty one would admit too many.
 */
export function readBook(file: string): AdmissionBook & { rest: Record<string, unknown> } {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (errnoOf(error) === 'ENOENT')
      return { generation: 0, endedAtGeneration: 0, reservations: [], ended: [], rest: {} };
    throw error;
  }
  const bad = (field: string) =>
    new FleetError(EXIT.badData, `${file}: ${field} is not as it should be; move the file away to start afresh`, {
      file,
      field,
    });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw bad('the JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw bad('the JSON');
  const { generation, endedAtGeneration, reservations, ended = [], ...rest } = value as Record<string, unknown>;
  if (!isCount(generation)) throw bad('generation');
  if (!isCount(endedAtGeneration)) throw bad('endedAtGeneration');
  if (!Array.isArray(reservations)) throw bad('reservations');
  for (const [at, one] of reservations.entries()) if (!isReservation(one)) throw bad(`reservations.${at}`);
  if (!Array.isArray(ended)) throw bad('ended');
  return { generation, endedAtGeneration, reservations, ended: ended.filter(isEnded), rest };
}

/** Commits the next state of the book. Only under its lock. */
export function writeBook(file: string, book: AdmissionBook & { rest: Record<string, unknown> }): void {
  const { rest, ...own } = book;
  const text = `${JSON.stringify({ ...rest, ...own, ended: own.ended.slice(-KEPT_ENDED) }, null, 1)}\n`;
  // A power cut ends every launch that a reservation could be for, so the folder need not be synced; the file must be whole.
  writeAtomic(file, text, 'file');
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

function isReservation(value: unknown): value is Reservation {
  if (typeof value !== 'object' || value === null) return false;
  const one = value as Record<string, unknown>;
  const at = one.takenAt as Record<string, unknown> | undefined;
  return (
    typeof one.token === 'string' &&
    typeof one.for === 'string' &&
    typeof at?.wall === 'number' &&
    typeof at.mono === 'number' &&
    typeof at.boot === 'string' &&
    isCount(one.ttlMs)
  );
}

function isEnded(value: unknown): value is EndedReservation {
  return typeof value === 'object' && value !== null && typeof (value as Record<string, unknown>).token === 'string';
}
