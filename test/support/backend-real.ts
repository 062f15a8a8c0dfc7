import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rm, symlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Backend, baseEnv, type Places } from './backend.ts';
import { finished, type RunOptions } from './spawned.ts';
import { until } from './until.ts';

const port = 8199;
const stubFile = fileURLToPath(new URL('./messages-stub.mjs', import.meta.url));
const packages = fileURLToPath(new URL('../e2e/node_modules/@anthropic-ai/', import.meta.url));

/** The pinned Claude Code's executable, or an error that says how to install it. */
export function realClaude(): string {
  const file = process.env.CONTRACT_CLAUDE ?? `${packages}claude-code-${process.platform}-${process.arch}/claude`;
  if (!existsSync(file)) throw new Error(`no ${file}: run npm ci --prefix test/e2e --ignore-scripts`);
  return file;
}

/** A world whose claude is the real one, in a network namespace that has nothing but a loopback Messages API. */
export async function realBackend(places: Places, extra: Record<string, string>): Promise<Backend> {
  await symlink(realClaude(), `${places.root}/bin/claude`);
  const namespace = `sf${randomBytes(5).toString('hex')}`;
  execFileSync('ip', ['netns', 'add', namespace]);
  execFileSync('ip', ['netns', 'exec', namespace, 'ip', 'link', 'set', 'lo', 'up']);
  const env = {
    ...baseEnv(places, [`${places.root}/bin`, dirname(process.execPath)]),
    ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}`,
    ANTHROPIC_API_KEY: 'sk-ant-local-stub-not-a-real-key',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_TELEMETRY: '1',
    IS_SANDBOX: '1',
    ...extra,
  };
  const run = (command: string, args: readonly string[], options: RunOptions = {}) =>
    finished('ip', ['netns', 'exec', namespace, command, ...args], { ...env, ...options.env }, options);
  const stub = await startStub(namespace, env, places);
  return {
    env,
    run,
    stop: async () => {
      stub.kill('SIGTERM');
      await removeDaemonSockets(places);
      execFileSync('ip', ['netns', 'delete', namespace]);
    },
  };
}

async function startStub(namespace: string, env: Record<string, string>, places: Places): Promise<ChildProcess> {
  const words = ['netns', 'exec', namespace, process.execPath, stubFile];
  // No HOME of the world: the stub must outlive the world's own processes, and is ended by its handle.
  const stubEnv = {
    PATH: env.PATH,
    STUB_PORT: String(port),
    STUB_LOG: `${places.root}/stub.log`,
    STUB_REFUSAL: `${places.configDir}/sim/api.json`,
    STUB_LEASH: String(process.pid),
  };
  const stub = spawn('ip', words, { env: stubEnv, stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  stub.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    said += chunk;
  });
  await until(() => said.includes('listening'), { what: 'the stub of the Messages API' });
  return stub;
}

/** The daemon keeps its sockets outside of TMPDIR, in a folder that only its own log names. */
async function removeDaemonSockets(places: Places): Promise<void> {
  const log = await readFile(`${places.configDir}/daemon.log`, 'utf8').catch(() => '');
  for (const [, folder] of log.matchAll(/control socket bound at (\S+\/cc-daemon-\d+\/\w+)\/control\.sock/g)) {
    if (folder) await rm(folder, { recursive: true, force: true });
  }
}
