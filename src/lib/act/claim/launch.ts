import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import type { RunEnd } from '../../decide/claim/finalize.ts';
import { errnoOf } from '../../errors.ts';

export interface LaunchRequest {
  command: readonly string[];
  env: Record<string, string | undefined>;
  /** The command is ended after so long, as timeout(1) ends one; undefined: never. */
  timeoutMs: number | undefined;
  onStart: (pid: number) => void;
}

/** What is passed on. USR1 is Node's own; the window's size reaches the command by the terminal. */
const PASSED_ON = ['SIGTERM', 'SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGUSR2'] as const;
/** These a terminal sends to the whole foreground group: passed on, the command would get them twice. */
const OF_A_TERMINAL: ReadonlySet<string> = new Set(['SIGINT', 'SIGQUIT']);

/**
 * Runs a person's own command to its end, its terminal and streams kept. Signals to this process are passed on to it, the way
 * env(1) and timeout(1) do, nothing harder than what was received; after its time limit it is sent SIGTERM, once. `code` is what a shell
 * would say: 128 + n for a command that a signal ended, 127 and 126 for one that can't be run, 124 after the time limit.
 */
export function launch({ command, env, timeoutMs, onStart }: LaunchRequest): Promise<RunEnd & { code: number }> {
  const [file = '', ...args] = command;
  return new Promise((resolve) => {
    const child = spawn(file, args, { stdio: 'inherit', env: env as NodeJS.ProcessEnv });
    let timedOut = false;
    let stoppedBy: string | undefined;
    const pass = (name: NodeJS.Signals) => {
      if (name !== 'SIGUSR2') stoppedBy ??= name;
      if (!(OF_A_TERMINAL.has(name) && process.stdin.isTTY)) child.kill(name);
    };
    for (const name of PASSED_ON) process.on(name, pass);
    const timer =
      timeoutMs === undefined
        ? undefined
        : setTimeout(() => {
            timedOut = true;
            child.kill();
          }, timeoutMs);
    const settle = (end: RunEnd, code: number) => {
      clearTimeout(timer);
      for (const name of PASSED_ON) process.off(name, pass);
      resolve({ ...end, code });
    };
    child.on('spawn', () => {
      if (child.pid !== undefined) onStart(child.pid);
    });
    child.on('error', (error) => {
      if (child.pid !== undefined) return;
      process.stderr.write(`session-run: ${file}: ${error.message}\n`);
      const code = errnoOf(error) === 'ENOENT' ? 127 : 126;
      settle({ rawExitCode: code, timedOut: false }, code);
    });
    child.on('exit', (status, signal) => {
      const own = status ?? 128 + (signal === null ? 0 : constants.signals[signal]);
      // A command that ended well by itself, in the moment in which it was asked to, ended well.
      const raw = timedOut ? 124 : own;
      settle({ rawExitCode: raw, timedOut, stoppedBy: own === 0 ? undefined : stoppedBy }, raw);
    });
  });
}
