import { closeSync, openSync, readSync } from 'node:fs';
import { EXIT, errnoOf, FleetError, messageOf } from '../errors.ts';

/** What is read, and how much of it at most. */
export interface TextLimits {
  maxBytes: number;
  /** What holds more than that: `a message`. */
  what: string;
}

/** The text of a file, or of standard input (`-`). Reads no more than its limit. Throws FleetError 65 or 66 that names it. */
export function readText(file: string, { maxBytes, what }: TextLimits): string {
  const name = file === '-' ? 'standard input' : file;
  const bad = (why: string) => new FleetError(EXIT.badData, `${name}: ${why}`, { file: name });
  let fd = 0;
  try {
    if (file !== '-') fd = openSync(file, 'r');
    const bytes = readBounded(fd, maxBytes + 1);
    if (bytes.length > maxBytes) throw bad(`it has more than ${maxBytes} bytes, the limit of ${what}`);
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    const code = errnoOf(error);
    if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') throw bad('it is not UTF-8');
    if (code === undefined) throw error;
    throw new FleetError(code === 'ENOENT' ? EXIT.noSuch : EXIT.badData, `${name}: ${messageOf(error)}`, {
      file: name,
    });
  } finally {
    if (fd !== 0) closeSync(fd);
  }
}

function readBounded(fd: number, maxBytes: number): Buffer {
  const bytes = Buffer.alloc(maxBytes);
  let size = 0;
  while (size < maxBytes) {
    try {
      const got = readSync(fd, bytes, size, maxBytes - size, null);
      if (got === 0) break;
      size += got;
    } catch (error) {
      if (errnoOf(error) === 'EOF') break;
      if (errnoOf(error) !== 'EAGAIN') throw error;
      // Somebody made the pipe non-blocking and it is empty at the moment.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
  return bytes.subarray(0, size);
}
