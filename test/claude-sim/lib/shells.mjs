import { spawn } from 'node:child_process';
import { hookEnv } from './hooks.mjs';

/** Starts a Bash tool's command in a process group of its own, so that all of it can be ended. */
export function startShell(session, command) {
  const child = spawn('/bin/bash', ['-c', command], {
    cwd: session.cwd,
    env: hookEnv(session),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk) => {
      output = (output + chunk).slice(-30_000);
    });
  }
  const done = new Promise((resolve) => {
    child.on('error', () => resolve({ code: 127, output }));
    child.on('exit', (code) => resolve({ code: code ?? 1, output }));
  });
  return { child, command, done };
}

/** Ends a shell and what it started. */
export function endShell({ child }) {
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {}
}
