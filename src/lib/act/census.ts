import type { Context } from '../context.ts';
import { type AdmissionDecision, decideAdmission } from '../decide/admission.ts';
import { ceilingFor } from '../decide/ceiling.ts';
import { type SeenSession, type SortedReservations, sortReservations } from '../decide/reservations.ts';
import { EXIT, FleetError } from '../errors.ts';
import { type Fleet, observeFleet } from '../observe/fleet.ts';
import { type AdmissionBook, bookFile, type EndedReservation, readBook, writeBook } from '../store/admission-book.ts';
import { elapsedMs, type Moment, momentNow, rebootedSince } from '../store/boot-clock.ts';
import { withLock } from '../store/lock.ts';

/** The variable by which a session's process can be told to be the one a reservation waits for. */
export const RESERVATION_VARIABLE = 'FLEET_RESERVATION';

/** A roster answer that began this long ago still serves for counting: a start in between holds a reservation. */
const COUNTING_AGE_MS = 1000;
const MAX_LOOKS = 3;

/** A look at the fleet and its reservations, sorted, as of one generation of the book. */
export interface Census {
  fleet: Fleet;
  sorted: SortedReservations;
  decision: AdmissionDecision;
  ceiling: number | undefined;
}

/**
 * Looks and counts without asking for a slot: reads only, takes no lock, ends no reservation, so that it works beside
 * whatever holds the lock.
 */
export async function takeCensus(context: Context, withPanes = false): Promise<Census> {
  const file = bookFile(context.places);
  for (let look = 1; ; look++) {
    const fleet = await lookForCensus(context, look === 1 ? COUNTING_AGE_MS : 0, withPanes);
    const book = readBook(file);
    if (!tooOld(fleet, book) || look === MAX_LOOKS) return countUnder(context, fleet, book);
  }
}

/**
 * Looks at the fleet, then sorts the reservations, decides and runs `work` on the book under its lock. A look that is
 * older than the last ending of a reservation is taken again.
 */
export async function underCensus<T>(context: Context, work: (census: Census, book: AdmissionBook) => T): Promise<T> {
  const file = bookFile(context.places);
  for (let look = 1; look <= MAX_LOOKS; look++) {
    const fleet = await lookForCensus(context, look === 1 ? COUNTING_AGE_MS : 0, false);
    const outcome = await withLock(
      file,
      () => {
        const book = readBook(file);
        if (tooOld(fleet, book)) return undefined;
        const before = book.reservations.length;
        const census = countUnder(context, fleet, book);
        const value = work(census, book);
        const added = book.reservations.length !== before;
        const ended = endReservations(book, census);
        if (added || ended) {
          book.generation += 1;
          if (ended) book.endedAtGeneration = book.generation;
          writeBook(file, book);
        }
        return { value };
      },
      { what: 'admission' },
    );
    if (outcome !== undefined) return outcome.value;
  }
  throw new FleetError(EXIT.later, 'sessions appear faster than they can be counted; try again later');
}

function lookForCensus(context: Context, rosterMaxAgeMs: number, withPanes: boolean): Promise<Fleet> {
  const { env, places, policy, traceless = false } = context;
  const file = bookFile(places);
  return observeFleet({
    env,
    places,
    rosterTimeoutMs: policy.roster.timeout,
    rosterMaxAgeMs,
    generation: () => readBook(file).generation,
    withMemory: true,
    withPanes,
    traceless,
  });
}

/** Whether reservations were ended after this look began: then it may not show the sessions they were ended for. */
const tooOld = (fleet: Fleet, book: AdmissionBook) => fleet.roster.generation < book.endedAtGeneration;

function countUnder({ policy }: Context, fleet: Fleet, book: AdmissionBook): Census {
  const now = momentNow();
  const sessions = fleet.joined?.sessions ?? [];
  // A reboot ends every launch that a reservation could be for, whatever the wall clock says since.
  const elapsed = (then: Moment) => (rebootedSince(then, now) ? Number.POSITIVE_INFINITY : elapsedMs(then, now));
  const sorted = sortReservations(book.reservations, seenSessions(fleet, book, elapsed), elapsed);
  const ceiling = policy.cap.max ?? (fleet.memory.ok ? ceilingFor(fleet.memory.value.totalBytes) : undefined);
  const live = liveCount(fleet);
  const decision: AdmissionDecision =
    ceiling === undefined && !fleet.memory.ok
      ? { kind: 'refuse', reason: 'memory-unreadable', words: `no ceiling: ${fleet.memory.why}`, counted: undefined }
      : decideAdmission({
          live,
          unlisted: sessions.filter((session) => !session.listed).length,
          reserved: sorted.pending.length,
          memory: fleet.memory,
          ceiling: ceiling ?? 0,
          memoryFloor: policy.cap.memoryFloor,
        });
  return { fleet, sorted, decision, ceiling };
}

function liveCount(fleet: Fleet) {
  if (!fleet.roster.rows.ok) return fleet.roster.rows;
  if (!fleet.processes.ok) return fleet.processes;
  return { ok: true as const, value: (fleet.joined?.sessions ?? []).filter((session) => session.listed).length };
}

/**
 * Sessions as reservations can know them, without those that a reservation has ended for already. Environments are read
 * only while a reservation is pending. A token that is not pending tells nothing: Claude Code's daemon and tmux servers
 * hand the environment they were started in to sessions of later launches.
 */
function seenSessions(
  fleet: Fleet,
  { reservations, ended }: AdmissionBook,
  elapsed: (then: Moment) => number,
): SeenSession[] {
  const { processes, joined } = fleet;
  const open = reservations.filter(({ takenAt, ttlMs }) => elapsed(takenAt) < ttlMs);
  if (open.length === 0 || joined === undefined || !processes.ok) return [];
  const pending = new Set(open.map(({ token }) => token));
  // A minute of slack for a clock that was set in between.
  const oldest = Math.min(...open.map(({ takenAt }) => takenAt.wall)) - 60_000;
  const spokenFor = new Set(ended.map(({ by }) => (by === undefined ? '' : `${by.pid}.${by.procStart}`)));
  const free = joined.sessions.filter(({ pid, procStart }) => !spokenFor.has(`${pid}.${procStart}`));
  return free.map(({ pid, name, startedAt, kind, cwd }) => {
    const older = startedAt !== undefined && startedAt < oldest;
    const token = older ? undefined : processes.value.environ(pid)?.get(RESERVATION_VARIABLE);
    return {
      pid,
      lineage: [pid, ...processes.value.ancestors(pid)],
      ...(name === undefined ? {} : { name }),
      ...(startedAt === undefined ? {} : { startedAt }),
      ...(kind === 'background' && cwd !== undefined ? { backgroundCwd: cwd } : {}),
      ...(token !== undefined && pending.has(token) ? { token } : {}),
    };
  });
}

function endReservations(book: AdmissionBook, { sorted, fleet }: Census): boolean {
  const over: EndedReservation[] = [
    ...sorted.appeared.map(({ reservation, pid }) => {
      const session = fleet.joined?.sessions.find((one) => one.pid === pid);
      const by = session === undefined ? {} : { by: { pid, procStart: session.procStart } };
      return { token: reservation.token, how: 'appeared' as const, ...by };
    }),
    ...sorted.expired.map(({ token }) => ({ token, how: 'expired' as const })),
  ];
  const tokens = new Set(over.map(({ token }) => token));
  book.reservations = book.reservations.filter(({ token }) => !tokens.has(token));
  book.ended.push(...over);
  return over.length > 0;
}
