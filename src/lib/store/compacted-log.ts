import { existsSync, renameSync, statSync } from 'node:fs';
import { type LogLine, linesToKeep, type Retention } from '../decide/log-compaction.ts';
import { recordIn } from '../record.ts';
import { writeAtomic } from './atomic-write.ts';
import { appendLine, tailLines } from './json-lines.ts';
import { withLock } from './lock.ts';
import { processRuns } from './process-identity.ts';
import { removeFile } from './remove-file.ts';

/** A log of this size is compacted. */
const COMPACT_BYTES = 4 << 20;
/** So much of each piece is read from its end: more than any has, but for a log of a version that did not compact. */
const PIECE_BYTES = 16 << 20;
/** A log that is put aside again and again while one line is written is no longer ours to write. */
const TRIES = 20;

export type CompactedLog = Omit<Retention, 'running'> & { file: string; compactBytes?: number };

/**
 * A log of intents and results that decisions are made by, in three pieces: `file` is appended to; `file.old` is one that was put
 * aside to be compacted, and is there only while that lasts (or after it was interrupted); `file.kept` is what was kept.
 *
 * Compaction puts `file` aside by a rename, writes what is kept of the other two, and removes the one put aside. Ended at any
 * point it has lost nothing: the next one goes on, and a line that stands in two pieces counts once.
 */
export function readLog(file: string): LogLine[] {
  // The newest first: a line moves from the newest piece to the oldest, so none is missed that moves meanwhile.
  const newest = linesOf(file);
  const aside = linesOf(`${file}.old`);
  return once([...linesOf(`${file}.kept`), ...aside, ...newest]);
}

/** The records of a log, oldest first. */
export function readRecords(file: string): Record<string, unknown>[] {
  return readLog(file).flatMap(({ record }) => (record === undefined ? [] : [record]));
}

/**
 * Appends a record. One that was written into a file just put aside may have come too late to be kept: it is written again.
 * Throws the system error when it can't be written; that the log can't be compacted is no error of whoever appends.
 */
export async function appendCompacted(
  log: CompactedLog,
  record: unknown,
  running: Retention['running'] = processRuns,
): Promise<void> {
  const { file, compactBytes = COMPACT_BYTES } = log;
  for (let tries = 1; ; tries++) {
    const { ino, dev, size } = appendLine(file, record);
    const now = statSync(file, { throwIfNoEntry: false });
    if (now?.ino === ino && now.dev === dev) {
      if (size > compactBytes) await compact(log, running).catch(() => undefined);
      return;
    }
    if (tries >= TRIES) throw new Error(`${file}: it is replaced all the time`);
  }
}

/** Compacts a log, unless another process does. */
export async function compact(log: CompactedLog, running: Retention['running'] = processRuns): Promise<void> {
  const { file } = log;
  await withLock(
    file,
    () => {
      const aside = `${file}.old`;
      // One that is there already is of a compaction that was interrupted, and must not be written over.
      if (!existsSync(aside)) {
        if (!existsSync(file)) return;
        renameSync(file, aside);
      }
      const lines = once([...linesOf(`${file}.kept`), ...linesOf(aside)]);
      const kept = linesToKeep(lines, Date.now(), { ...log, running });
      writeAtomic(`${file}.kept`, kept.map((line) => `${line}\n`).join(''));
      removeFile(aside);
    },
    { waitMs: 0 },
  );
}

function once(lines: LogLine[]): LogLine[] {
  const seen = new Set<string>();
  return lines.filter(({ raw }) => !seen.has(raw) && seen.add(raw));
}

function linesOf(file: string): LogLine[] {
  const { lines } = tailLines(file, PIECE_BYTES);
  return lines.flatMap((raw) => (raw.trim() === '' ? [] : [{ raw, record: recordIn(raw) }]));
}
