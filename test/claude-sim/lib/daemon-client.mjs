import { spawn } from 'node:child_process';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { claudePath, controlSocket, simDir } from './daemon-places.mjs';

/** Asks the daemon one thing; undefined when none is running. */
export function ask(question) {
  return new Promise((resolve, reject) => {
    const socket = connect(controlSocket, () => socket.end(`${JSON.stringify(question)}\n`));
    let reply = '';
    socket.setEncoding('utf8').on('data', (chunk) => {
      reply += chunk;
    });
    socket.on('error', () => resolve(undefined));
    socket.on('close', () => {
      try {
        resolve(reply ? JSON.parse(reply) : undefined);
      } catch (error) {
        reject(error);
      }
    });
  });
}

/** Launches a background session, starting the daemon first where there is none. Gives the job's id. */
export async function launch(request) {
  const question = { op: 'launch', ...request };
  let reply = await ask(question);
  if (reply) return reply;
  process.stderr.write('Starting background service…\n');
  startDaemon(request.cwd);
  for (let i = 0; i < 200 && !reply; i++) {
    await pause(30);
    reply = await ask(question);
  }
  if (!reply) throw new Error('the background service did not start');
  return reply;
}

function startDaemon(cwd) {
  const by = JSON.stringify({ label: 'claude --bg', cwd, pid: process.pid });
  spawn(process.execPath, ['daemon', 'run', '--origin', 'transient', '--spawned-by', by], {
    argv0: claudePath,
    cwd: simDir,
    env: withoutTmux(process.env),
    detached: true,
    stdio: 'ignore',
  }).unref();
}

function withoutTmux({ TMUX: _tmux, TMUX_PANE: _pane, ...env }) {
  return env;
}
