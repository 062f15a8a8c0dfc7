import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { symlink } from 'node:fs/promises';
import { createServer } from 'node:net';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Backend, baseEnv, type Places } from './backend.ts';
import { finished } from './spawned.ts';
import { until } from './until.ts';

const stubFile = fileURLToPath(new URL('./messages-stub.mjs', import.meta.url));

/** The claude that stands on the caller's PATH, if one does. */
export function claudeOnPath(path = process.env.PATH ?? ''): string | undefined {
  return path
    .split(delimiter)
    .map((folder) => join(folder, 'claude'))
    .find((file) => existsSync(file));
}

/**
 * A world whose claude is the one on PATH, with a HOME of its own and a loopback stub in place of the service: no account
 * is used, nothing is charged, and the caller's own sessions and settings are not seen. Needs no root and no namespace.
 */
export async function pathBackend(places: Places, extra: Record<string, string>): Promise<Backend> {
  const claude = claudeOnPath();
  if (claude === undefined) throw new Error('no claude on PATH');
  await symlink(claude, `${places.root}/bin/claude`);
  const port = await freePort();
  const env: Record<string, string> = {
    ...baseEnv(places, [`${places.root}/bin`, dirname(process.execPath)]),
    ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}`,
    ANTHROPIC_API_KEY: 'sk-ant-local-stub-not-a-real-key',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_TELEMETRY: '1',
    IS_SANDBOX: '1',
    ...extra,
  };
  const stubEnv = {
    PATH: env.PATH ?? '',
    STUB_PORT: String(port),
    STUB_LOG: `${places.root}/stub.log`,
    STUB_LEASH: String(process.pid),
  };
  const stub = spawn(process.execPath, [stubFile], { env: stubEnv, stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  stub.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    said += chunk;
  });
  await until(() => said.includes('listening'), { what: 'the stub of the Messages API' });
  return {
    env,
    run: (command, args, options = {}) => finished(command, args, { ...env, ...options.env }, options),
    stop: async () => void stub.kill('SIGTERM'),
  };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
