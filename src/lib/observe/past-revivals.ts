import { readTail } from '../store/json-lines.ts';
import type { Places } from '../store/places.ts';
import { taskFolder } from '../store/task-folder.ts';

const TAIL_BYTES = 256 << 10;
const STARTS = ['driver-started', 'spawn-failed'];

/** When watchers, whichever engine's, started a Driver of a task, or tried to, since `since`: by its events. All ms since 1970. */
export function pastRevivals(places: Places, task: string, since: number): number[] {
  let records: Record<string, unknown>[] = [];
  try {
    ({ records } = readTail(taskFolder(places, task).events, TAIL_BYTES));
  } catch {
    // Events that can't be read tell of none.
  }
  return records.flatMap(({ by, kind, at }) => {
    if (by !== 'task-watcher' || typeof kind !== 'string' || !STARTS.includes(kind) || typeof at !== 'string')
      return [];
    const time = Date.parse(at);
    return time >= since ? [time] : [];
  });
}
