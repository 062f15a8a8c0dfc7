import { closeSync, fstatSync, openSync, readSync, renameSync, statSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { errnoOf, naming } from '../errors.ts';
import { recordIn } from '../record.ts';
import { makeFolder } from './make-folder.ts';

/**
 * Appends one record as one line, in one write. A line cut off by a crash before it (a file that does not end in a
 * newline) is closed first, so that it spoils itself alone. Throws the system error when nothing or only a part could be written. Returns which file it stands in, and its size.
 */
export function appendLine(file: string, record: unknown): { ino: number; dev: number; size: number } {
  makeFolder(dirname(file));
  const fd = openSync(file, 'a+', 0o600);
  try {
    const { ino, dev, size } = fstatSync(fd);
    const last = Buffer.alloc(1);
    const torn = size > 0 && readSync(fd, last, 0, 1, size - 1) === 1 && last[0] !== 0x0a;
    const line = Buffer.from(`${torn ? '\n' : ''}${JSON.stringify(record)}\n`);
    if (writeSync(fd, line) !== line.length) throw new Error(`${file}: only a part of a line could be written`);
    return { ino, dev, size: size + line.length };
  } catch (error) {
    throw naming(file, error);
  } finally {
    closeSync(fd);
  }
}

/** A log of this size begins anew, the one before stays beside it as `.1`. */
const LOG_BYTES = 16 << 20;

/** Appends to a log that nothing is decided by: it keeps at most its last 32 MiB or so. */
export function appendLog(file: string, record: unknown, maxBytes = LOG_BYTES): void {
  appendLine(file, record);
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size > maxBytes) renameSync(file, `${file}.1`);
}

export interface Tail {
  /** Records, oldest first. */
  records: Record<string, unknown>[];
  /** Lines that were no JSON object: torn by a crash, or somebody's edit. */
  skipped: number;
  /** The file has more before these. */
  cut: boolean;
}

/** The last lines of a JSON-lines file, reading at most `maxBytes` from its end. A file that is not there has none. */
export function readTail(file: string, maxBytes = 1 << 20): Tail {
  const { lines, cut } = tailLines(file, maxBytes);
  return { ...parseLines(lines), cut };
}

/** The lines of a file's last `maxBytes`, without one that is cut off by that. A file that is not there has none. */
export function tailLines(file: string, maxBytes: number): { lines: string[]; cut: boolean } {
  let fd: number;
  try {
    fd = openSync(file, 'r');
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return { lines: [], cut: false };
    throw error;
  }
  try {
    const size = fstatSync(fd).size;
    const from = Math.max(0, size - maxBytes);
    const bytes = Buffer.alloc(size - from);
    const got = readSync(fd, bytes, 0, bytes.length, from);
    const lines = bytes.toString('utf8', 0, got).split('\n');
    if (from > 0) lines.shift();
    return { lines, cut: from > 0 };
  } finally {
    closeSync(fd);
  }
}

/** The JSON objects among `lines`, and how many lines were none. */
export function parseLines(lines: Iterable<string>): { records: Record<string, unknown>[]; skipped: number } {
  const records: Record<string, unknown>[] = [];
  let skipped = 0;
  for (const line of lines) {
    if (line.trim() === '') continue;
    const record = recordIn(line);
    if (record === undefined) skipped += 1;
    else records.push(record);
  }
  return { records, skipped };
}
