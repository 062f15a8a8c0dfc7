import { writeSync } from 'node:fs';
import { errnoOf } from '../errors.ts';

/**
 * Writes all of `text` to a standard stream, now: complete or, when the reader has gone (`| head`), no further and no
 * error. process.stdout would do it later, in pieces, and costs its set-up at every start.
 */
export function writeStandard(fd: 1 | 2, text: string): void {
  const bytes = Buffer.from(text);
  for (let done = 0; done < bytes.length; ) {
    try {
      done += writeSync(fd, bytes, done);
    } catch (error) {
      if (errnoOf(error) === 'EPIPE') return;
      if (errnoOf(error) !== 'EAGAIN') throw error;
      // Somebody made the pipe non-blocking and it is full: give its reader a moment.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);
    }
  }
}
