import { join } from 'node:path';
import type { Context } from '../../context.ts';
import { newMemory } from '../../decide/watcher/tick.ts';
import { withLock } from '../../store/lock.ts';
import { readWatcherFile, watchersDir, writeWatcherFile } from '../../store/watcher-file.ts';
import { uniqueWord } from '../../words/unique-word.ts';
import { appendClosed } from './acts.ts';

/** What starting or stopping came to. `changed: false`: it was so already. */
export interface WatcherChange {
  workflowId: string;
  changed: boolean;
  words: string;
}

const underTick = <T>({ places }: Context, task: string, work: () => T) =>
  withLock(join(watchersDir(places), `${task}.tick`), work, { what: `the watcher of ${task}` });

/** Lets a task's embedded watcher begin (anew) at the next tick. Its revivals of the last day still count. */
export function startEmbedded(context: Context, task: string, workflowId: string): Promise<WatcherChange> {
  return underTick(context, task, () => {
    const known = readWatcherFile(context.places, task);
    if (known !== undefined && known.closed === undefined) {
      return { workflowId, changed: false, words: 'it is watched already' };
    }
    const memory = newMemory(Date.now(), known?.memory.revivals);
    writeWatcherFile(context.places, task, { runId: uniqueWord(), memory });
    return { workflowId, changed: true, words: 'it is watched from the next tick on' };
  });
}

/** Stops a task's embedded watcher for good, and writes that into the task's events. */
export function stopEmbedded(context: Context, task: string, workflowId: string, by: string): Promise<WatcherChange> {
  return underTick(context, task, () => {
    const known = readWatcherFile(context.places, task);
    if (known?.closed !== undefined) return { workflowId, changed: false, words: 'it is stopped already' };
    const file = known ?? { runId: uniqueWord(), memory: newMemory(Date.now()) };
    const closed = { at: new Date().toISOString(), status: 'STOPPED', reason: `stopped by ${by}`, eventWritten: false };
    writeWatcherFile(context.places, task, { ...file, closed });
    appendClosed(context, task, { id: file.runId, status: closed.status, reason: closed.reason });
    writeWatcherFile(context.places, task, { ...file, closed: { ...closed, eventWritten: true } });
    return { workflowId, changed: true, words: 'it is stopped' };
  });
}
