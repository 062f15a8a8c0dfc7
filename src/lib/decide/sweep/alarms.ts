import type { TaskPlan } from './plan.ts';

/** What a person shall be asked about one task. `about` tells one occasion from the next. */
export interface Alarm {
  kind:
    | 'twins'
    | 'driver-blocked'
    | 'driver-start-stuck'
    | 'driver-waits'
    | 'driver-hold'
    | 'watcher-closed-while-open';
  about: string;
  title: string;
  evidence: string[];
  options: { id: string; label: string; does: string; action: string }[];
}

const LOOK_AGAIN = {
  id: 'look-again',
  label: 'Seen to it',
  does: 'looks again at the next sweep, and asks anew if it is still so',
  action: 'look-again',
};
const LEAVE = { id: 'leave', label: 'Leave it', does: 'leaves it as it is, without asking again', action: 'none' };
const RESTART = {
  id: 'restart-watcher',
  label: 'Restart the watcher',
  does: 'starts its watcher again',
  action: 'restart-watcher',
};
const PARK = { id: 'park', label: 'Park the task', does: 'parks the task; its Driver is not revived', action: 'park' };

/**
 * The alarms that a task gives cause for now. Pure; each is raised once while its cause lasts. `waitsMs`: how long a Driver may
 * stand on a dialog before a person hears of it.
 */
export function alarmsOf({ name, facts, liveness, mirror, revival, wake }: TaskPlan, waitsMs: number): Alarm[] {
  const alarms: Alarm[] = [];
  const reading = facts.liveness;
  if (reading.kind === 'twins') {
    alarms.push({
      kind: 'twins',
      about: reading.pids.join('-'),
      title: `${name}: two processes are one session`,
      evidence: [
        reading.words,
        'both write one transcript; neither is woken, asked to leave or revived',
        'end one by hand',
      ],
      options: [LOOK_AGAIN, LEAVE],
    });
  }
  if (reading.kind === 'blocked') {
    alarms.push({
      kind: 'driver-blocked',
      about: String(reading.pid),
      title: `${name}: its Driver stands on a dialog at launch`,
      evidence: [liveness.words, 'nothing is typed there: a key would answer it'],
      options: [LOOK_AGAIN, PARK, LEAVE],
    });
  }
  if (revival.kind === 'stuck') {
    alarms.push({
      kind: 'driver-start-stuck',
      about: facts.startName ?? '',
      title: `${name}: a start of its Driver can be neither verified nor let go`,
      evidence: [`${revival.words} (${facts.startName ?? 'no name'})`, 'no other is started while it stands there'],
      options: [
        { ...LOOK_AGAIN, does: 'tries again to verify it or let it go, and asks anew if it can’t' },
        PARK,
        LEAVE,
      ],
    });
  }
  const { session } = facts;
  const waits = session?.status === 'waiting' && session.silence.ok && session.silence.idleMs >= waitsMs;
  if (waits && !facts.terminal) {
    alarms.push({
      kind: 'driver-waits',
      about: session.waitingFor ?? 'waiting',
      title: `${name}: its Driver waits for a person`,
      evidence: [liveness.words, 'nothing is typed there: a key would answer its question'],
      options: [LOOK_AGAIN, LEAVE],
    });
  }
  if (wake.kind === 'hold') {
    alarms.push({
      kind: 'driver-hold',
      about: 'alive',
      title: `${name}: its Driver lives, and can’t work at the moment`,
      evidence: [wake.words],
      options: [
        { id: 'wake-now', label: 'Wake it now', does: 'wakes it at the next sweep', action: 'lift-hold' },
        { ...LEAVE, does: 'waits until it can work again' },
      ],
    });
  }
  if (revival.kind === 'hold') {
    const now = { id: 'revive-now', label: 'Revive now', does: 'revives it at the next sweep', action: 'lift-hold' };
    alarms.push({
      kind: 'driver-hold',
      about: String(facts.deadSince ?? ''),
      title: `${name}: its Driver is dead, and could not work if it were revived`,
      evidence: [revival.words],
      options: [now, PARK, { ...LEAVE, does: 'waits until it can work again' }],
    });
  }
  if (mirror.failure !== undefined && facts.closed !== undefined) {
    alarms.push({
      kind: 'watcher-closed-while-open',
      about: facts.closed.at,
      title: `${name}: its watcher closed while the task is open`,
      evidence: [mirror.words],
      options: [RESTART, PARK, LEAVE],
    });
  }
  return alarms;
}
