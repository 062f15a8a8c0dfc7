import { connect } from 'node:net';
import { ptySocket } from './daemon-places.mjs';
import { jobByIdOrName, noMatch } from './find-job.mjs';

/** `claude logs <id>`: what stands on a background session's screen. */
export async function logs([wanted = '']) {
  const id = wanted && jobByIdOrName(wanted);
  if (!id) return noMatch(wanted);
  const socket = connect(ptySocket(id), () => socket.write('{"logs":true}\n'));
  socket.on('error', () => {});
  socket.pipe(process.stdout);
}
