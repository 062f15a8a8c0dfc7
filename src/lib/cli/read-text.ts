import { closeSync, openSync, readSync } from 'node:fs';
import { EXIT, errnoOf, FleetError, messageOf } from '../errors.ts';

/** The text of a file, or of standard input (`-`), of at most `maxBytes`. Throws FleetError 65 or 66 that names it. */
export function readText(file: string, maxBytes: number): string {
  const name = file === '-' ? 'standard input' : file;
  let fd = 0;
  try {
    if (file !== '-') fd = openSync(file, 'r');
    const bytes = readBounded(fd, maxBytes + 1);
    if (bytes.length > maxBytes)
      throw new FleetError(EXIT.badData, `${name}: it has more than ${maxBytes} bytes, the limit of a message`, {
        file: name,
      });
    return utf8(bytes, name);
  } catch (error) {
    const code = errnoOf(error);
    if (code === undefined) throw error;
    throw new FleetError(code === 'ENOENT' ? EXIT.noSuch : EXIT.badData, `${name}: ${messageOf(error)}`, {
      file: name,
    });
  } finally {
    if (fd !== 0) closeSync(fd);
  }
}

function utf8(bytes: Buffer, name: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new FleetError(EXIT.badData, `${name}: it is not UTF-8`, { file: name });
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
