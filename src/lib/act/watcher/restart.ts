import type { Context } from '../../context.ts';
import { readHeartbeat } from '../../store/heartbeat.ts';
import { taskFolder } from '../../store/task-folder.ts';
import { embeddedId, isOthers } from './embedded.ts';
import { startEmbedded, type WatcherChange } from './embedded-control.ts';

/** Which engine is to watch a task: the one that did, else Temporal where the config names its server, else the embedded one. */
export function engineFor({ places, policy }: Context, task: string): 'embedded' | 'temporal' {
  const beat = readHeartbeat(taskFolder(places, task));
  if (isOthers(beat, Date.now(), Number.POSITIVE_INFINITY)) return 'temporal';
  return policy.watcher.temporal.address === undefined ? 'embedded' : 'temporal';
}

/** Starts a task's watcher again; one that runs already is left alone. */
export async function restartWatcher(context: Context, task: string): Promise<WatcherChange> {
  if (engineFor(context, task) === 'embedded') return startEmbedded(context, task, embeddedId(task));
  return (await import('../../temporal/client.ts')).startWatcher(context, task);
}
