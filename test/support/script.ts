import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { buildSync } from 'esbuild';

/** A temp folder of one test, removed by `remove`. */
export function tempFolder(below = tmpdir()): { path: string; remove: () => void } {
  const path = mkdtempSync(join(below, 'sf-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** Bundles a TypeScript program of test/real/scripts for plain Node, and returns its path in `folder`. */
export function buildScript(name: string, folder: string): string {
  const outfile = join(folder, `${basename(name, '.ts')}.mjs`);
  buildSync({
    entryPoints: [join(import.meta.dirname, '..', 'real', 'scripts', name)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
  });
  return outfile;
}

export interface Finished {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

/** A child process with what it printed so far and its end. */
export function start(command: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env) {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], env });
  const said = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => (said.stdout += chunk));
  child.stderr.on('data', (chunk) => (said.stderr += chunk));
  const done = new Promise<Finished>((resolve) =>
    child.on('close', (code, signal) => resolve({ code, signal, ...said })),
  );
  return { child, said, done };
}

/** Runs a command to its end. */
export function run(command: string, args: readonly string[], env?: NodeJS.ProcessEnv): Promise<Finished> {
  return start(command, args, env).done;
}
