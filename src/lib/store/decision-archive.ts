import { readdirSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { errnoOf } from '../errors.ts';
import { timestampMs } from '../words/timestamp.ts';
import type { Decision } from './decision-schema.ts';
import { withLock } from './lock.ts';
import { makeFolder } from './make-folder.ts';
import { removeFile } from './remove-file.ts';

const DAY_MS = 86_400_000;
/** Rows that are over stay where every sweep reads them for so long, and no more of them than this. */
const KEEP_MS = 30 * DAY_MS;
const KEEP_COUNT = 200;
/** No caller pays for more than so many moves. */
const AT_ONCE = 500;

/** The archive of a ledger: a folder a month, by the day each row was over, so that looking for an id opens few. */
const archiveDir = (folder: string) => join(folder, 'archive');

/** The file of an archived decision; undefined when there is none of that id. */
export function archivedFile(folder: string, id: string): string | undefined {
  for (const month of archiveMonths(folder)) {
    const file = join(archiveDir(folder), month, `${id}.json`);
    if (statSync(file, { throwIfNoEntry: false }) !== undefined) return file;
  }
  return undefined;
}

/** The months in the archive, as folder names, newest first. */
export function archiveMonths(folder: string): string[] {
  try {
    const names = readdirSync(archiveDir(folder));
    return names
      .filter((name) => /^\d{4}-\d\d$/.test(name))
      .sort()
      .reverse();
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return [];
    throw error;
  }
}

/** The folder of a month. */
export function archiveFolder(folder: string, month: string): string {
  return join(archiveDir(folder), month);
}

/**
 * Moves the rows among `over` that have been over for long, or are too many, out of the way of the sweeps: a rename, so
 * that a file is in one place or the other at any moment and keeps every byte. What can't be moved stays.
 */
export async function archiveOld(folder: string, over: readonly Decision[], now: number): Promise<void> {
  const byEnd = over
    .map((decision) => ({ id: decision.id, at: endOf(decision, now) }))
    .sort((left, right) => right.at - left.at);
  const old = byEnd.filter(({ at }, index) => index >= KEEP_COUNT || now - at > KEEP_MS);
  for (const { id, at } of old.slice(-AT_ONCE)) {
    const file = join(folder, `${id}.json`);
    const month = archiveFolder(folder, new Date(at).toISOString().slice(0, 7));
    try {
      makeFolder(month, 0o700);
      await withLock(file, () => renameSync(file, join(month, `${id}.json`)), { waitMs: 0 });
    } catch {
      // Somebody holds it, or the disk is full: another time.
    }
  }
}

/** What killed writers leave: half a row, or half a lock entry. */
const TEMP = /^(d[0-9a-f]{8}\.json\.tmp-|\.(ledger|d[0-9a-f]{8}\.json)\.lock\.)/;

/** Removes temp files that a killed writer left. A live writer's is milliseconds old. */
export function removeOldTemps(folder: string, now: number): void {
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    if (!TEMP.test(name)) continue;
    const made = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? now;
    if (now - made > DAY_MS / 24) removeFile(file);
  }
}

function endOf({ closed, execution }: Decision, now: number): number {
  return Math.min(now, timestampMs(closed?.at ?? execution?.endedAt) ?? now);
}
