import type { Context } from '../../context.ts';
import type { BreakerDecision, BreakerReason } from '../../decide/sweep/breaker.ts';
import type { Fleet } from '../../observe/fleet.ts';
import type { SweepMemory } from '../../store/sweep-memory.ts';
import type { Outcome } from './deed.ts';
import { raiseAlarm, withdrawAlarm } from './raise.ts';

/** Sweeps in a row before a breaker is asked about: once may be a hiccup. */
const REPEATS = 2;
const SHOWN_TASKS = 20;

const TITLES: Record<Exclude<BreakerReason, 'first-sweep'>, string> = {
  'roster-unreadable': 'The roster of sessions can’t be read',
  'processes-unreadable': 'The process table can’t be read',
  'sweep-gap': 'Sweeps come further apart than breaker.sweepGap',
  'mass-death': 'Many Drivers are read dead at once',
  'mass-exit': 'Many sessions would be asked to leave at once',
};

/** Remembers a tripped breaker and asks a person when it repeats, once; withdraws the question when it is over. */
export async function keepFleetAlarm(
  context: Context,
  fleet: Fleet,
  memory: SweepMemory,
  breaker: BreakerDecision,
): Promise<Outcome[]> {
  const reason = breaker.tripped && breaker.reason !== 'first-sweep' ? breaker.reason : undefined;
  if (memory.alarm !== undefined && memory.alarm.reason !== reason) {
    await withdrawAlarm(context, `breaker:${memory.alarm.reason}`, 'it is over');
    memory.alarm = undefined;
  }
  if (!breaker.tripped || reason === undefined) {
    memory.tripped = undefined;
    return [];
  }
  const sweeps = memory.tripped?.reason === reason ? memory.tripped.sweeps + 1 : 1;
  memory.tripped = { reason, sweeps };
  if (sweeps < REPEATS || memory.alarm !== undefined) return [];
  const mass = breaker.tasks.length > 0;
  const shown = breaker.tasks.slice(0, SHOWN_TASKS).join(', ');
  const more = breaker.tasks.length > SHOWN_TASKS ? ` and ${breaker.tasks.length - SHOWN_TASKS} more` : '';
  const { id } = await raiseAlarm(context, fleet, {
    kind: reason,
    key: `breaker:${reason}`,
    title: TITLES[reason],
    evidence: [
      breaker.words,
      `${sweeps} sweeps in a row have exited, revived and parked nothing because of it`,
      ...(mass ? [`tasks: ${shown}${more}`] : []),
    ],
    options: [
      ...(mass
        ? [
            {
              id: 'clear-breaker',
              label: 'The reading is right',
              does: 'lets the Supervisor go on with these tasks, at its usual pace',
              action: 'clear-breaker',
            },
          ]
        : []),
      { id: 'look-again', label: 'Seen to it', does: 'asks again if it is still so', action: 'look-again' },
      { id: 'hold', label: 'Keep holding', does: 'does nothing to these sessions while it lasts', action: 'none' },
    ],
    subject: { tasks: breaker.tasks },
  });
  memory.alarm = { reason, decision: id };
  return [
    { task: undefined, rule: 'alarm', kind: reason, result: 'done', words: `asked a person: ${id}: ${TITLES[reason]}` },
  ];
}
