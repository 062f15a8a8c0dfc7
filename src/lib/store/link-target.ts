import { readlinkSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { errnoOf } from '../errors.ts';

/** As many links as Linux itself follows. */
const MAX_LINKS = 40;

/**
 * The file that is written when `file` is written: where a link there leads, through any number of links, whether or not the last
 * one leads to a file that is there yet. A replacement by rename must go there, or it would put a file in the link's place.
 */
export function linkTarget(file: string): string {
  let at = file;
  for (let links = 0; links < MAX_LINKS; links++) {
    try {
      at = resolve(dirname(at), readlinkSync(at));
    } catch (error) {
      // No link, or nothing there yet: this is it. Anything else is met, and said, by whoever reads or writes it.
      if (errnoOf(error) !== undefined) return at;
      throw error;
    }
  }
  return at;
}
