import { closeSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { naming } from '../errors.ts';
import { uniqueWord } from '../words/unique-word.ts';
import { makeFolder } from './make-folder.ts';
import { removeFile } from './remove-file.ts';

/**
 * Replaces `file` with `text` so that a reader, a crash or a full disk sees the old file or the new one, never less:
 * a temp file beside it (mode 0600), every byte written, fsync, rename, fsync of the folder. Throws the system error
 * (ENOSPC, EACCES, …) with the old file in place. The common libraries publish a truncated file when the disk is full.
 * `sync` says what a power cut may undo: `all` nothing, `file` the replacing (but the file is whole), `none` the file (a cache).
 */
export function writeAtomic(
  file: string,
  text: string,
  sync: 'all' | 'file' | 'none' = 'all',
  encoding: 'utf8' | 'latin1' = 'utf8',
): void {
  makeFolder(dirname(file));
  const temp = `${file}.tmp-${uniqueWord()}`;
  const bytes = Buffer.from(text, encoding);
  try {
    const fd = openSync(temp, 'wx', 0o600);
    try {
      for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done);
      if (sync !== 'none') fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    renameSync(temp, file);
  } catch (error) {
    removeFile(temp);
    throw naming(file, error);
  }
  if (sync === 'all') syncFolder(dirname(file));
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
