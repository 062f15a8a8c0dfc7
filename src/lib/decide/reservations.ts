import type { Reservation } from '../store/admission-book.ts';
import type { Moment } from '../store/boot-clock.ts';

/** A session that lives or starts, as far as a reservation can be told to be its. */
export interface SeenSession {
  pid: number;
  /** The process's ancestors and itself. */
  lineage: readonly number[];
  name?: string;
  /** ms since 1970, by the roster. */
  startedAt?: number;
  /** Where a background session began; absent for others. */
  backgroundCwd?: string;
  /** The reservation token in its environment. */
  token?: string;
}

/** A session that a command launched in the background may begin this long after the command has ended. */
const LAUNCH_SLACK_MS = 10_000;

export interface SortedReservations {
  pending: Reservation[];
  appeared: { reservation: Reservation; pid: number }[];
  expired: Reservation[];
}

/**
 * Which reservations are still owed a session. One ends only for a session that is surely its own: its token in the
 * session's environment, a session that grew under the process `run` started, the announced name on a session that
 * began after it, or a background session that began in the folder of `run` while its command ran (the daemon starts
 * those, so neither tree nor environment tells). A guess here would free a slot that is about to be used; without proof
 * it stays until its ttl.
 * `elapsed` gives the ms since a reservation was taken.
 */
export function sortReservations(
  reservations: readonly Reservation[],
  sessions: readonly SeenSession[],
  elapsed: (takenAt: Moment) => number,
): SortedReservations {
  const sorted: SortedReservations = { pending: [], appeared: [], expired: [] };
  const taken = new Set<number>();
  for (const reservation of reservations) {
    const own = sessions.find((session) => !taken.has(session.pid) && isFor(session, reservation));
    if (own !== undefined) {
      taken.add(own.pid);
      sorted.appeared.push({ reservation, pid: own.pid });
    } else if (elapsed(reservation.takenAt) >= reservation.ttlMs) sorted.expired.push(reservation);
    else sorted.pending.push(reservation);
  }
  return sorted;
}

function isFor(session: SeenSession, reservation: Reservation): boolean {
  if (session.token !== undefined) return session.token === reservation.token;
  if (reservation.child !== undefined && session.lineage.includes(reservation.child.pid)) return true;
  if (session.startedAt === undefined || session.startedAt < reservation.takenAt.wall) return false;
  const { for: name, launch } = reservation;
  if (name !== '' && session.name === name) return true;
  if (launch === undefined || session.backgroundCwd !== launch.cwd) return false;
  return launch.endedAt === undefined || session.startedAt <= launch.endedAt + LAUNCH_SLACK_MS;
}
