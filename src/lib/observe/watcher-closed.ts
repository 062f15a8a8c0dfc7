import type { WatcherClosed } from '../decide/sweep/mirror.ts';
import { readTail } from '../store/json-lines.ts';
import type { TaskFolder } from '../store/task-folder.ts';
import type { Task } from '../store/task-schema.ts';
import { safeText } from '../words/safe-text.ts';

const TAIL_BYTES = 64 << 10;

/**
 * The last `closed` event of a task's watcher, in the end of its events; one that lies further back was copied into the
 * task when it was new. Throws nothing: events that can't be read tell of no end.
 */
export function watcherClosed(folder: TaskFolder, { watcher }: Pick<Task, 'watcher'>): WatcherClosed | undefined {
  let records: Record<string, unknown>[] = [];
  try {
    ({ records } = readTail(folder.events, TAIL_BYTES));
  } catch {
    // What was copied still stands.
  }
  for (const { kind, status, reason, at } of records.reverse()) {
    if (kind !== 'closed' || typeof status !== 'string' || typeof at !== 'string') continue;
    if (!Number.isNaN(Date.parse(at))) return closedAs(at, status, typeof reason === 'string' ? reason : undefined);
  }
  const { status, closedAt, reason } = watcher ?? {};
  return status === undefined || closedAt === undefined ? undefined : closedAs(closedAt, status, reason);
}

function closedAs(at: string, status: string, reason: string | undefined): WatcherClosed {
  const more = reason === undefined ? undefined : safeText(reason, 200);
  return { at, atMs: Date.parse(at), status: safeText(status, 40), reason: more };
}
