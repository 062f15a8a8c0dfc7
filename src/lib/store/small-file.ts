import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { errnoOf } from '../errors.ts';

/**
 * The text of a plain file of at most `maxBytes`; undefined when there is none. Waits for no pipe, and follows no link unless told to.
 * Throws an error that says what is there instead, or the system error.
 */
export function readSmallFile(
  file: string,
  maxBytes: number,
  { follow = false }: { follow?: boolean } = {},
): string | undefined {
  let fd: number;
  try {
    fd = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK | (follow ? 0 : constants.O_NOFOLLOW));
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    if (errnoOf(error) === 'ELOOP' && !follow) throw new Error('it is a symbolic link');
    throw error;
  }
  try {
    const stats = fstatSync(fd);
    if (!stats.isFile()) throw new Error('it is no plain file');
    if (stats.size > maxBytes) throw new Error(`it is larger than ${maxBytes} bytes`);
    const bytes = Buffer.alloc(stats.size);
    return bytes.toString('utf8', 0, readSync(fd, bytes, 0, bytes.length, 0));
  } finally {
    closeSync(fd);
  }
}
