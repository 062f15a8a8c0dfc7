import { spawn } from 'node:child_process';
import { claudePath, daemonDir, ptySocket, simDir } from './daemon-places.mjs';

/** Starts a `bg-pty-host` with a session under it, or with a spare when nothing is claimed yet. */
export function startHost(claim) {
  const mark = Math.random().toString(16).slice(2, 10);
  const socket = claim ? ptySocket(claim.id) : `${daemonDir}/spare/${mark}.pty.sock`;
  const words = claim ? sessionWords(claim) : ['--bg-spare', `${daemonDir}/spare/${mark}.claim.sock`];
  const args = ['bg-pty-host', '--bg-pty-host', socket, '200', '50', '--', claudePath, ...words];
  const host = spawn(process.execPath, args, {
    argv0: 'claude',
    cwd: simDir,
    env: process.env,
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const gone = new Promise((resolve) => {
    host.on('exit', (code) => resolve(code ?? 1));
    host.on('error', () => resolve(1));
  });
  if (claim) host.send({ claim });
  return { host, gone, pid: undefined };
}

/** The words that a session started for this job shows in the process list. */
export function sessionWords({ job, prompt, resume }) {
  const identity = resume ? ['--resume', job.sessionId] : ['--session-id', job.sessionId];
  return [...identity, ...job.respawnFlags, ...(prompt === undefined ? [] : [prompt])];
}
