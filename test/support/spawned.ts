import { spawn } from 'node:child_process';

/** What a finished command left. `code` is null when a signal ended it. */
export interface Finished {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

/** How a command is run inside a world. `env` is laid over the world's own. */
export interface RunOptions {
  cwd?: string;
  env?: Record<string, string | undefined>;
  input?: string;
  /** Milliseconds after which the command is killed (default 60 s). */
  timeout?: number;
}

/** Runs one command with exactly `env`, to its end; a non-zero exit is a result, not an error. */
export function finished(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  options: RunOptions = {},
): Promise<Finished> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { env, cwd: options.cwd, stdio: ['pipe', 'pipe', 'pipe'] });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      stdout += chunk;
    });
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      stderr += chunk;
    });
    const timer = setTimeout(() => child.kill('SIGKILL'), options.timeout ?? 60_000);
    let settled = false;
    const settle = (code: number | null, signal: NodeJS.Signals | null) => {
      if (settled) return;
      settled = true;
      clearTimeout(timer);
      resolve({ code, signal, stdout, stderr });
    };
    child.on('error', reject);
    child.on('close', settle);
    // A daemon that the command left behind may hold the pipes open; the command itself has ended all the same.
    child.on('exit', (code, signal) => setTimeout(() => settle(code, signal), 300).unref());
    child.stdin.on('error', () => {});
    child.stdin.end(options.input ?? '');
  });
}
