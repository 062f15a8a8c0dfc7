import { connect } from 'node:net';
import { messageOf } from '../errors.ts';

const CONNECT_MS = 3000;
const WRITE_MS = 5000;
/** How long the line is kept open behind the last byte: the reader takes it in as it comes. */
const LINGER_MS = 100;

/** `not-connected`: not a byte went out. `doubtful`: some may have. */
export type Posted = { kind: 'posted' } | { kind: 'not-connected' | 'doubtful'; why: string };

/**
 * Posts one message to an inbox socket, as one JSON line, within a bounded time. The path is used as it is: these
 * sockets have short ones for a reason.
 */
export function postMessage(path: string, text: string): Promise<Posted> {
  const line = `${JSON.stringify({ type: 'user', message: { role: 'user', content: text } })}\n`;
  return new Promise((resolve) => {
    let connected = false;
    const settle = (outcome: Posted) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(outcome);
    };
    const fail = (why: string) => settle({ kind: connected ? 'doubtful' : 'not-connected', why });
    const socket = connect(path);
    let timer = setTimeout(() => fail('its inbox did not answer in time'), CONNECT_MS);
    socket.on('error', (error) => fail(`its inbox: ${messageOf(error)}`));
    socket.on('connect', () => {
      connected = true;
      clearTimeout(timer);
      timer = setTimeout(() => fail('its inbox did not take the message in time'), WRITE_MS);
      socket.write(line, () => {
        clearTimeout(timer);
        timer = setTimeout(() => settle({ kind: 'posted' }), LINGER_MS);
      });
    });
  });
}
