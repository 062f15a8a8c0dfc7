import { spawn } from 'node:child_process';
import { comm } from './comm.mjs';
import { claudePath, simDir } from './daemon-places.mjs';

/**
 * `claude bg-pty-host`: the parent of one background session. It passes the daemon's words on, ends with the session's
 * code, and takes the session with it when the daemon is gone.
 */
export function runHost() {
  const words = process.argv.slice(process.argv.indexOf('--') + 2);
  const spare = words[0] === '--bg-spare';
  const child = spawn(process.execPath, spare ? ['bg-spare', ...words] : ['bg-spare', '--bg-session', ...words], {
    argv0: spare ? 'claude' : claudePath,
    cwd: simDir,
    env: process.env,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  comm();
  process.on('message', (message) => child.connected && child.send(message, () => {}));
  child.on('message', (message) => process.connected && process.send(message, () => {}));
  child.on('exit', (code) => process.exit(code ?? 137));
  process.on('disconnect', () => child.kill('SIGTERM'));
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  process.send({ pid: child.pid });
}
