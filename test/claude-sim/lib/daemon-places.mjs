import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { configDir, socketDir } from './places.cjs';

/** The folder of the stand-in; its daemon, bg-pty-host and bg-spare files are started from there. */
export const simDir = fileURLToPath(new URL('..', import.meta.url));

/** The path that the daemon and directly started sessions show as their first word. */
export const claudePath = `${simDir}claude`;

const user = process.getuid?.() ?? 0;
const mark = createHash('sha256').update(configDir).digest('hex').slice(0, 8);

/** The daemon's folder of sockets: one for each config dir. */
export const daemonDir = `${socketDir(`cc-daemon-${user}`)}/${mark}`;

export const controlSocket = `${daemonDir}/control.sock`;

/** The socket on which a background session shows its screen. */
export function ptySocket(id) {
  return `${daemonDir}/pty/${id}.sock`;
}
