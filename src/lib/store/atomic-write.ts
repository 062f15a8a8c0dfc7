import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Replaces `file` with `text` so that a reader, a crash or a full disk sees the old file or the new one, never less:
 * a temp file beside it (mode 0600), every byte written, fsync, rename, fsync of the folder. Throws the system error
 * (ENOSPC, EACCES, …) with the old file in place. The common libraries publish a truncated file when the disk is full.
 * `durable: false` leaves out the syncs: for a cache that nobody misses after a power cut.
 */
export function writeAtomic(file: string, text: string, { durable = true } = {}): void {
  mkdirSync(dirname(file), { recursive: true });
  const temp = `${file}.tmp-${process.pid}-${randomBytes(4).toString('hex')}`;
  const bytes = Buffer.from(text);
  try {
    const fd = openSync(temp, 'wx', 0o600);
    try {
      for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done);
      if (durable) fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    renameSync(temp, file);
  } catch (error) {
    rmSync(temp, { force: true });
    throw error;
  }
  if (durable) syncFolder(dirname(file));
}

function syncFolder(folder: string): void {
  const fd = openSync(folder, 'r');
  try {
    fsyncSync(fd);
  } catch {
    // Some file systems refuse to sync a folder; the rename stands all the same.
  } finally {
    closeSync(fd);
  }
}
