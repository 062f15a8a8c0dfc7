import { spawn } from 'node:child_process';
import { monotonicMs } from '../monotonic.ts';

/** What came of a bounded child process. `code` is null when it was ended from outside. */
export type RunOutcome =
  | { kind: 'ended'; code: number | null; stdout: string; stderr: string }
  | { kind: 'timeout'; afterMs: number }
  | { kind: 'too-much'; limitBytes: number }
  | { kind: 'failed'; why: string };

export interface RunBounds {
  timeoutMs: number;
  maxBytes?: number;
  env?: Record<string, string | undefined>;
  cwd?: string;
  /** Told the pid as soon as there is one. */
  onPid?: (pid: number) => void;
}

/**
 * Runs a short reader (`claude agents`, `claude stop`, tmux, ps) by argv, never through a shell, and comes back within
 * `timeoutMs` whatever it does. One that runs out of time is ended through spawn's own `timeout`; one that does not let
 * itself be ended, or whose children hold its pipes, is left behind rather than waited for. Never used for a session.
 */
export function boundedRun(command: string, args: readonly string[], bounds: RunBounds): Promise<RunOutcome> {
  const { maxBytes = 32 << 20 } = bounds;
  // spawn takes whole milliseconds only.
  const timeoutMs = Math.ceil(bounds.timeoutMs);
  return new Promise((resolve) => {
    let child: ReturnType<typeof spawn>;
    try {
      child = spawn(command, args, {
        stdio: ['ignore', 'pipe', 'pipe'],
        timeout: timeoutMs,
        ...(bounds.env ? { env: bounds.env as NodeJS.ProcessEnv } : {}),
        ...(bounds.cwd === undefined ? {} : { cwd: bounds.cwd }),
      });
    } catch (error) {
      resolve({ kind: 'failed', why: String((error as Error).message) });
      return;
    }
    const chunks: { stdout: Buffer[]; stderr: Buffer[] } = { stdout: [], stderr: [] };
    let bytes = 0;
    const settle = (outcome: RunOutcome) => {
      clearTimeout(timer);
      child.stdout?.destroy();
      child.stderr?.destroy();
      child.unref();
      resolve(outcome);
    };
    // A little after spawn's own timeout, which has then had its chance to end the child.
    const timer = setTimeout(() => settle({ kind: 'timeout', afterMs: timeoutMs }), timeoutMs + 50);
    if (child.pid !== undefined) bounds.onPid?.(child.pid);
    for (const name of ['stdout', 'stderr'] as const) {
      child[name]?.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > maxBytes) settle({ kind: 'too-much', limitBytes: maxBytes });
        else chunks[name].push(chunk);
      });
    }
    const started = monotonicMs();
    child.on('error', (error) => {
      // Node stops the clock of `timeout` only at an exit, and what could not be started has none: we would wait for it.
      child.emit('exit', null, null);
      settle({ kind: 'failed', why: error.message });
    });
    child.on('close', (code, signal) => {
      if (signal !== null && monotonicMs() - started >= timeoutMs) settle({ kind: 'timeout', afterMs: timeoutMs });
      else
        settle({
          kind: 'ended',
          code,
          stdout: Buffer.concat(chunks.stdout).toString('utf8'),
          stderr: Buffer.concat(chunks.stderr).toString('utf8'),
        });
    });
  });
}

/** Why an outcome is no success, for a message; undefined when it ended with 0. */
export function failureOf(outcome: RunOutcome, command: string): string | undefined {
  switch (outcome.kind) {
    case 'timeout':
      return `${command} gave no answer within ${outcome.afterMs / 1000} s`;
    case 'too-much':
      return `${command} printed more than ${outcome.limitBytes} bytes`;
    case 'failed':
      return `${command} could not be run: ${outcome.why}`;
    case 'ended':
      return outcome.code === 0 ? undefined : `${command} ended with ${outcome.code ?? 'a signal'}`;
  }
}
