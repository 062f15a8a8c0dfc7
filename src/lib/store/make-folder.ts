import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { errnoOf } from '../errors.ts';

/**
 * Makes a folder with its parents, where there is none. (Node's own `recursive` never comes back where a folder can't be
 * made though its parent is there: in a deleted working folder, in /proc.)
 */
export function makeFolder(folder: string, mode = 0o777): void {
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === 'ENOENT' && !existsSync(dirname(folder))) {
      makeFolder(dirname(folder), mode);
      makeFolder(folder, mode);
      return;
    }
    // Any other error too is none where the folder is: a parent may be read-only.
    if (errno === 'ENOENT' || !statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}
