import { join } from 'node:path';
import type { Context } from '../context.ts';
import { bookFile, type EndedReservation, type Reservation, readBook, writeBook } from '../store/admission-book.ts';
import { momentNow } from '../store/boot-clock.ts';
import { appendLine } from '../store/json-lines.ts';
import { withLock } from '../store/lock.ts';
import type { Places } from '../store/places.ts';
import { ownIdentity, procStartOf } from '../store/process-identity.ts';
import { uniqueWord } from '../words/unique-word.ts';
import { type Census, underCensus } from './census.ts';

export interface AdmissionRequest {
  /** Whom the slot is for. */
  for: string;
  ttlMs: number;
  /** Where the launch comes from, for the log: a pid. */
  callerPid?: number;
  /** The folder that the launch is made in, when that is known. */
  launchCwd?: string;
}

export interface AdmissionResult extends Census {
  token: string | undefined;
}

/**
 * Asks for a slot: looks at the fleet, then decides and writes the reservation under the machine-wide lock, so that any
 * number of callers at one below the ceiling admit exactly one. A refusal is logged. Throws FleetError 75 when the lock
 * is not to be had or the fleet moves too fast to be counted.
 */
export async function requestAdmission(context: Context, request: AdmissionRequest): Promise<AdmissionResult> {
  const result = await underCensus(context, (census, book) => {
    if (census.decision.kind === 'refuse') return { ...census, token: undefined };
    const reservation: Reservation = {
      token: uniqueWord(),
      for: request.for,
      takenAt: momentNow(),
      ttlMs: request.ttlMs,
      caller: callerIdentity(request.callerPid),
      ...(request.launchCwd === undefined ? {} : { launch: { cwd: request.launchCwd } }),
    };
    book.reservations.push(reservation);
    return { ...census, token: reservation.token };
  });
  if (result.token === undefined) logRefusal(context, request, result);
  return result;
}

/**
 * Gives a slot back, because it is not needed or because its session has appeared (then no older look at the fleet may
 * be decided on). Says how the reservation had ended already, or undefined when there never was one.
 */
export async function releaseReservation(
  places: Places,
  token: string,
  how: 'released' | 'appeared' = 'released',
): Promise<'now' | EndedReservation['how'] | undefined> {
  return withLock(bookFile(places), () => {
    const book = readBook(bookFile(places));
    const at = book.reservations.findIndex((one) => one.token === token);
    if (at < 0) return book.ended.find((one) => one.token === token)?.how;
    book.reservations.splice(at, 1);
    book.ended.push({ token, how });
    book.generation += 1;
    if (how === 'appeared') book.endedAtGeneration = book.generation;
    writeBook(bookFile(places), book);
    return 'now';
  });
}

/** Notes the process that a reservation's launch became. */
export async function nameChild(places: Places, token: string, pid: number): Promise<void> {
  const procStart = procStartOf(pid);
  if (procStart === undefined) return;
  await changeReservation(places, token, (own) => {
    own.child = { pid, procStart };
  });
}

/** Notes that the command of a launch has ended, and left its session to appear. */
export async function nameLaunched(places: Places, token: string): Promise<void> {
  await changeReservation(places, token, (own) => {
    if (own.launch !== undefined) own.launch.endedAt = Date.now();
  });
}

function changeReservation(places: Places, token: string, change: (own: Reservation) => void): Promise<void> {
  return withLock(bookFile(places), () => {
    const book = readBook(bookFile(places));
    const own = book.reservations.find((one) => one.token === token);
    if (own === undefined) return;
    change(own);
    book.generation += 1;
    writeBook(bookFile(places), book);
  });
}

function callerIdentity(pid: number | undefined) {
  const procStart = pid === undefined ? undefined : procStartOf(pid);
  return pid !== undefined && procStart !== undefined ? { pid, procStart } : ownIdentity();
}

/** Where refusals are logged, one JSON line each. */
export function refusalsFile(places: Places): string {
  return join(places.ownDir, 'refusals.jsonl');
}

function logRefusal({ places, policy }: Context, request: AdmissionRequest, { decision, fleet, ceiling }: Census) {
  const memory = fleet.memory.ok ? fleet.memory.value : undefined;
  appendLine(refusalsFile(places), {
    at: new Date().toISOString(),
    for: request.for,
    reason: decision.reason,
    words: decision.words,
    counted: decision.counted ?? null,
    ceiling: ceiling ?? null,
    availableBytes: memory?.availableBytes ?? null,
    floorBytes: memory === undefined ? null : Math.round(policy.cap.memoryFloor * memory.totalBytes),
    callerPid: request.callerPid ?? process.pid,
  });
}
