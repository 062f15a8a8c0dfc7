import type { IncomingMessage } from 'node:http';

/** The fields of a posted form of at most `maxBytes`; undefined when it is longer. Rejects when the sender goes away. */
export function readForm(request: IncomingMessage, maxBytes: number): Promise<URLSearchParams | undefined> {
  return new Promise((done, fail) => {
    const parts: Buffer[] = [];
    let size = 0;
    // Events, not an iterator: leaving that early would cut the line before the answer is sent.
    request.on('data', (part: Buffer) => {
      size += part.length;
      if (size > maxBytes) done(undefined);
      else parts.push(part);
    });
    request.on('end', () => done(new URLSearchParams(Buffer.concat(parts).toString('utf8'))));
    request.on('error', fail);
    request.on('close', () => fail(new Error('the sender went away')));
  });
}
