import type { Context } from '../context.ts';
import { type Fleet, observeAfresh } from '../observe/fleet.ts';
import { FleetIndex } from '../observe/sweep/fleet-index.ts';
import { elapsedMs, momentNow, rebootedSince } from '../store/boot-clock.ts';
import { readSweepMemory } from '../store/sweep-memory.ts';
import { type BadTask, isOver, readTasks, type TaskRecord } from '../store/task-files.ts';

/** What every check is given: one look at the fleet, and the open tasks. */
export interface DoctorLook {
  context: Context;
  fleet: Fleet;
  index: FleetIndex;
  open: TaskRecord[];
  bad: BadTask[];
  /** Since the last sweep, ms; undefined when there was none since this boot. */
  sweepAgeMs: number | undefined;
  /** The last sweep is so young that the Supervisor is at work. */
  sweeps: boolean;
}

/** Five missed minutes: a timer that skips one is no finding. */
export const SWEEP_FRESH_MS = 5 * 60_000;

export async function lookForDoctor(context: Context): Promise<DoctorLook> {
  const looking = observeAfresh(context, { withPanes: true });
  const { tasks, bad } = readTasks(context.places.tasksDir, isOver);
  const { at } = readSweepMemory(context.places);
  const now = momentNow();
  const sweepAgeMs = at === undefined || rebootedSince(at, now) ? undefined : elapsedMs(at, now);
  const fleet = await looking;
  return {
    context,
    fleet,
    index: new FleetIndex(fleet),
    open: tasks.sort((left, right) => (left.name < right.name ? -1 : 1)),
    bad,
    sweepAgeMs,
    sweeps: sweepAgeMs !== undefined && sweepAgeMs < Math.max(SWEEP_FRESH_MS, context.policy.breaker.sweepGap),
  };
}
