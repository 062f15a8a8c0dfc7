import type { Context } from '../../context.ts';
import { decideDeadDriver } from '../../decide/sweep/revival.ts';
import { decideWake } from '../../decide/sweep/wake.ts';
import { SettledTasks } from '../../store/settled-tasks.ts';
import { type BadTask, isOver, readTasks, type SkipTask } from '../../store/task-files.ts';
import { type Fleet, observeAfresh } from '../fleet.ts';
import { callRoster } from '../roster.ts';
import { FleetIndex } from './fleet-index.ts';
import { readHold } from './hold-look.ts';
import { claimsOf, lookAtTask, type TaskLook } from './task-look.ts';

/** One look at the fleet and at every task that is not settled, shared by all decisions of a sweep. */
export interface SweepLook {
  fleet: Fleet;
  index: FleetIndex;
  tasks: TaskLook[];
  bad: BadTask[];
  /** Terminal tasks whose session has left: nothing is left to do for them. */
  settled: number;
}

/** Settled: over, released, and its session has left. Ten thousand of these must cost little. */
const isSettled: SkipTask = (document) =>
  isOver(document) &&
  typeof document.releasedAt === 'string' &&
  typeof document.exitedAt === 'string' &&
  document.spawnIntent === undefined;

/** Takes the look of a sweep: one roster call, one process scan, one tmux call a socket. `only`: these tasks alone. */
export async function lookForSweep(context: Context, only: readonly string[] = []): Promise<SweepLook> {
  const looking = observeAfresh(context, { withPanes: true });
  // While the roster command runs the tasks are read.
  const {
    tasks: records,
    bad,
    skipped,
  } = readTasks(context.places.tasksDir, isSettled, new SettledTasks(context.places));
  const fleet = await looking;
  const index = new FleetIndex(fleet);
  const claims = claimsOf(records);
  const wanted = only.length === 0 ? records : records.filter(({ name }) => only.includes(name));
  wanted.sort((left, right) => (left.name < right.name ? -1 : 1));
  const tasks: TaskLook[] = [];
  for (const record of wanted) tasks.push(await lookAtTask(context, index, record, claims));
  readHolds(context, tasks, fleet.at);
  await readTheDead(context, tasks, fleet.at);
  return { fleet, index, tasks, bad, settled: skipped };
}

/** Whether a wake that is due would only meet again what the last turn failed on; read only where one is due. */
function readHolds(context: Context, tasks: readonly TaskLook[], now: number): void {
  for (const { facts, record } of tasks) {
    const { kind } = decideWake({ ...facts, last: facts.lastWake }, now, context.policy.wake);
    if (kind === 'wake') facts.hold = readHold(context, record.task, now);
  }
}

/**
 * What only a Driver that is about to be revived is asked: whether its daemon stopped it, and whether its last turn failed
 * for a reason that a start would meet again. One more roster call, and only then.
 */
async function readTheDead(context: Context, tasks: readonly TaskLook[], now: number): Promise<void> {
  const { env, policy } = context;
  const dying = tasks.filter(({ facts }) => {
    const deadForMs = now - (facts.deadSince ?? now);
    const rest = { ...facts, deadForMs, backoffDue: true, heartbeatAgeMs: undefined };
    const { fires, kind } = decideDeadDriver(rest, now, { ...policy.revive, watcherGrace: 0 });
    return fires && (kind === 'revive' || kind === 'park');
  });
  if (dying.length === 0) return;
  for (const look of dying) look.facts.hold = readHold(context, look.record.task, now);
  if (!dying.some(({ facts }) => facts.background)) return;
  const all = await callRoster({ env, timeoutMs: policy.roster.timeout, all: true });
  if (!all.ok) return;
  const stopped = new Set(
    all.value.flatMap(({ kind, state, pid, sessionId }) =>
      kind === 'background' && state === 'stopped' && pid === undefined ? (sessionId ?? []) : [],
    ),
  );
  for (const { facts, record } of dying) facts.stopped = stopped.has(record.task.driverSid ?? '');
}
