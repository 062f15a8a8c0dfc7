import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WatcherMemory } from '../decide/watcher/tick.ts';
import { errnoOf } from '../errors.ts';
import { writeAtomic } from './atomic-write.ts';
import type { Places } from './places.ts';
import { removeFile } from './remove-file.ts';

/** The embedded engine's state of one watcher: what a workflow would keep in its history. */
export interface WatcherFile {
  /** Which run of this watcher it is; a new one begins at each lifetime ceiling. */
  runId: string;
  memory: WatcherMemory;
  /** What the file system said of the authored files when their fingerprint was taken: while it says so still, it stands. */
  stamp?: string | undefined;
  /** The wake of a wedged turn that is written down and not known to be sent. */
  nudge?: { messageId: string } | undefined;
  /** It has ended, so, and is not ticked any more until it is started again. */
  closed?: { at: string; status: string; reason: string; eventWritten: boolean } | undefined;
}

export function watchersDir({ ownDir }: Places): string {
  return join(ownDir, 'watchers');
}

const fileOf = (places: Places, task: string) => join(watchersDir(places), `${task}.json`);

/** The state of a task's embedded watcher; undefined when it has none, or one that nobody can read (then it begins anew). */
export function readWatcherFile(places: Places, task: string): WatcherFile | undefined {
  try {
    const value = JSON.parse(readFileSync(fileOf(places, task), 'utf8')) as Partial<WatcherFile> | null;
    const { runId, memory, stamp, nudge, closed } = value ?? {};
    if (typeof runId !== 'string' || !isMemory(memory)) return undefined;
    return {
      runId,
      memory,
      stamp: typeof stamp === 'string' ? stamp : undefined,
      nudge: typeof nudge?.messageId === 'string' ? { messageId: nudge.messageId } : undefined,
      closed: typeof closed?.at === 'string' && typeof closed.status === 'string' ? closed : undefined,
    };
  } catch {
    return undefined;
  }
}

/** Writes it; `reading`: it holds only what was read, and nothing that is about to be done (a power cut may undo it). */
export function writeWatcherFile(places: Places, task: string, file: WatcherFile, { reading = false } = {}): void {
  writeAtomic(fileOf(places, task), `${JSON.stringify(file)}\n`, reading ? 'none' : 'all');
}

/** Forgets a watcher: its task is over. */
export function removeWatcherFile(places: Places, task: string): void {
  removeFile(fileOf(places, task));
}

/** Tasks that have an embedded watcher, by the names of their files. */
export function watchedTasks(places: Places): string[] {
  try {
    return readdirSync(watchersDir(places)).flatMap((name) => (name.endsWith('.json') ? [name.slice(0, -5)] : []));
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return [];
    throw error;
  }
}

function isMemory(value: unknown): value is WatcherMemory {
  if (typeof value !== 'object' || value === null) return false;
  const { startedAt, movedAt, nudges, revivals } = value as Record<string, unknown>;
  const numbers = [startedAt, movedAt, nudges].every((one) => typeof one === 'number' && Number.isFinite(one));
  return numbers && Array.isArray(revivals) && revivals.every((at) => typeof at === 'number');
}
