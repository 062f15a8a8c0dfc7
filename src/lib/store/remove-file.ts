import { unlinkSync } from 'node:fs';
import { errnoOf } from '../errors.ts';

/** Removes a file; that it is gone already is no error. (rmSync loads its whole recursive machinery at the first call.) */
export function removeFile(file: string): void {
  try {
    unlinkSync(file);
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error;
  }
}
