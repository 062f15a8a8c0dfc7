import type { Context } from '../../context.ts';
import type { FleetIndex } from '../../observe/sweep/fleet-index.ts';
import { lookForTick, type WatcherLook } from '../../observe/watcher-look.ts';
import { type Heartbeat, writeHeartbeat } from '../../store/heartbeat.ts';
import { taskFolder } from '../../store/task-folder.ts';

/** Which watcher ticks: its name, and which run of it. */
export interface WatcherIdentity {
  workflowId: string;
  runId: string;
}

/**
 * Reads a task for its watcher and writes the heartbeat, on a blind tick too (ADR 0035, amendment: a watcher that is blind from
 * its first tick must still be found).
 */
export async function probe(
  context: Context,
  index: FleetIndex,
  task: string,
  who: WatcherIdentity,
): Promise<WatcherLook> {
  const look = await lookForTick(context, index, task);
  writeHeartbeatOf(context, index, task, look, who);
  return look;
}

/** Writes the heartbeat of a reading; a task that is gone has none. */
export function writeHeartbeatOf(
  { places }: Context,
  index: FleetIndex,
  task: string,
  { facts, sid, rosterOk, found }: WatcherLook,
  who: WatcherIdentity,
  last?: Heartbeat,
): void {
  if (!facts.gone) writeHeartbeat(taskFolder(places, task), { ...who, sid, rosterOk, found }, index.fleet.at, last);
}
