/** What is known of a task's watcher, from files alone. Times in ms since 1970. */
export interface WatchFacts {
  terminal: boolean;
  hasDriver: boolean;
  tickAt: number | undefined;
  workflowId: string | undefined;
  /** How it closed, by the embedded engine's file or task.json. */
  closed: { status: string; at: number | undefined; reason: string | undefined } | undefined;
}

/** Whether a task is one to watch: an open one that has, or is to have, a Driver. */
export function isWatched(task: { driverSid?: unknown; spawnIntent?: unknown }): boolean {
  return task.driverSid !== undefined || task.spawnIntent !== undefined;
}

export type WatchState =
  | { kind: 'over' | 'no-driver'; words: string }
  | { kind: 'ticking' | 'stale' | 'unwatched' | 'closed'; words: string };

/** Who watches a task. `closed` on an open task is a failure with a name (ADR 0035 decision 8); a fresh tick after it is none. */
export function decideWatchState(facts: WatchFacts, now: number, freshMs: number): WatchState {
  const { terminal, hasDriver, tickAt, workflowId, closed } = facts;
  if (terminal) return { kind: 'over', words: 'the task is over' };
  const ticks = tickAt !== undefined && now - tickAt < freshMs;
  const again = tickAt !== undefined && closed?.at !== undefined && tickAt > closed.at;
  if (closed !== undefined && !(ticks && again)) {
    const reason = closed.reason === undefined ? '' : `: ${closed.reason}`;
    return { kind: 'closed', words: `watcher closed while the task is open (${closed.status}${reason})` };
  }
  if (ticks) return { kind: 'ticking', words: `${workflowId ?? 'a watcher'} ticks` };
  if (tickAt !== undefined) return { kind: 'stale', words: 'its watcher has not ticked for long' };
  if (!hasDriver) return { kind: 'no-driver', words: 'it has had no Driver' };
  return { kind: 'unwatched', words: 'nobody watches it; the Supervisor alone revives its Driver' };
}
