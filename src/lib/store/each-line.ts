import { closeSync, openSync, readSync } from 'node:fs';
import { errnoOf } from '../errors.ts';

const CHUNK = 1 << 18;

/**
 * The lines of a file, one after the other, with a chunk of it in memory at a time. A line of more than `maxLine` bytes is given
 * as undefined. A file that is not there has none; other system errors are thrown.
 */
export function* eachLine(file: string, maxLine = 4 << 20): Generator<string | undefined> {
  let fd: number;
  try {
    fd = openSync(file, 'r');
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return;
    throw error;
  }
  try {
    const chunk = Buffer.alloc(CHUNK);
    let parts: Buffer[] = [];
    let size = 0;
    const line = () => {
      const text = size > maxLine ? undefined : Buffer.concat(parts).toString('utf8');
      parts = [];
      size = 0;
      return text;
    };
    const add = (part: Buffer) => {
      size += part.length;
      // What is too long is not kept.
      if (size > maxLine) parts = [];
      else parts.push(Buffer.from(part));
    };
    for (let got = readSync(fd, chunk); got > 0; got = readSync(fd, chunk)) {
      let from = 0;
      for (let end = chunk.indexOf(0x0a); end >= 0 && end < got; end = chunk.indexOf(0x0a, from)) {
        add(chunk.subarray(from, end));
        from = end + 1;
        yield line();
      }
      if (from < got) add(chunk.subarray(from, got));
    }
    if (size > 0) yield line();
  } finally {
    closeSync(fd);
  }
}
