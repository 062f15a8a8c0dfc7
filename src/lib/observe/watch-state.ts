import type { Context } from '../context.ts';
import { decideWatchState, isWatched, type WatchState } from '../decide/watcher/state.ts';
import { type Heartbeat, readHeartbeat } from '../store/heartbeat.ts';
import type { TaskRecord } from '../store/task-files.ts';
import { taskFolder } from '../store/task-folder.ts';
import { TERMINAL_STATES } from '../store/task-schema.ts';
import { readWatcherFile } from '../store/watcher-file.ts';
import { watcherClosed } from './watcher-closed.ts';

/** Who watches one task, by its heartbeat, its events and the embedded engine's file. `now` in ms since 1970. */
export function watchStateOf(
  { places, policy }: Context,
  { name, task }: TaskRecord,
  now: number,
): WatchState & { heartbeat: Heartbeat | undefined } {
  const folder = taskFolder(places, name);
  const heartbeat = readHeartbeat(folder);
  const own = readWatcherFile(places, name)?.closed;
  const event = watcherClosed(folder, task);
  const closed =
    own !== undefined
      ? { status: own.status, at: Date.parse(own.at), reason: own.reason }
      : event && { status: event.status, at: event.atMs, reason: event.reason };
  const facts = {
    terminal: TERMINAL_STATES.has(task.state),
    hasDriver: isWatched(task),
    tickAt: heartbeat?.tickAt,
    workflowId: heartbeat?.workflowId,
    closed,
  };
  return { ...decideWatchState(facts, now, policy.revive.watcherFresh), heartbeat };
}
