import { connect } from 'node:net';
import { EXIT, FleetError } from '../errors.ts';

const REACH_MS = 3000;

/**
 * Whether something accepts connections at HOST:PORT; throws, in three seconds at most, when nothing does. Temporal's own
 * libraries need longer to say less, and the worker's listens for signals meanwhile.
 */
export function reachable(address: string): Promise<void> {
  const at = /^(?:\[(.+)\]|([^:]+)):(\d{1,5})$/.exec(address);
  const port = Number(at?.[3]);
  if (at === null || port > 65_535)
    throw new FleetError(EXIT.usage, `${address} is no HOST:PORT`, { field: 'address' });
  return new Promise((resolve, reject) => {
    const socket = connect({ host: at[1] ?? at[2] ?? '', port, timeout: REACH_MS });
    const failed = (error: Error) => {
      socket.destroy();
      reject(error);
    };
    socket.on('connect', () => {
      socket.destroy();
      resolve();
    });
    socket.on('error', failed);
    socket.on('timeout', () => failed(new Error(`no answer in ${REACH_MS / 1000} s`)));
  });
}
