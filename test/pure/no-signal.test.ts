import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { build, transformSync } from 'esbuild';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..');

/** The code of a file without its comments. */
function codeOf(file: string): string {
  return transformSync(readFileSync(file, 'utf8'), { loader: 'ts', legalComments: 'none' }).code;
}

function filesBelow(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ts|js|mjs)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}

// What could end a session, or anything, from outside. Signal 0 asks for existence and is taken out before the search.
const FORBIDDEN =
  /\bkill\w*|\bSIG[A-Z]+\d*\b|kill-(session|server|pane|window)|\bp?killall\b|\bpkill\b|respawn-\w+[^'"`]* -k|\babort\b|killSignal|pidfd|tgkill/g;

/** Forbidden words in code that may hold `process.kill(pid, 0)` and may ignore signals sent to itself. */
function offences(code: string): string[] {
  const allowed = code
    .replace(/process\.kill\([\w.]+, 0\)/g, '')
    // `session-cap run` ignores ^C and ^\ of its terminal, which its command gets as well.
    .replace('["SIGINT", "SIGQUIT"]', '');
  return allowed.match(FORBIDDEN) ?? [];
}

/** session-run passes the signals that it gets on to its own command, and ends that after --timeout, as timeout(1) does. */
const LAUNCHER = 'src/lib/act/claim/launch.ts';

it('no source of ours can send a signal or end a tmux session', () => {
  const files = [...filesBelow('src'), ...filesBelow('bin')].map((file) => relative(ROOT, file));
  expect(files.length).toBeGreaterThan(50);
  const found = files
    .filter((file) => file !== LAUNCHER)
    .flatMap((file) => offences(codeOf(join(ROOT, file))).map((word) => `${file}: ${word}`));
  expect(found).toEqual([]);
});

it('but the launcher of a person’s own command, to that command: what it received, or the gentlest after its time', () => {
  const code = codeOf(join(ROOT, LAUNCHER));
  expect(code.match(/\bkill\w*\([^)]*\)/g)).toEqual(['kill(name)', 'kill()']);
  expect(code.match(/\w+\.kill\b/g)).toEqual(['child.kill', 'child.kill']);
  expect([...new Set(code.match(/\bSIG[A-Z]+\d*/g))].sort()).toEqual([
    'SIGHUP',
    'SIGINT',
    'SIGQUIT',
    'SIGTERM',
    'SIGUSR2',
  ]);
  expect(code).not.toMatch(/killSignal|abort|detached/);
});

it('finds what it looks for', () => {
  for (const code of [
    'process.kill(pid, 9)',
    'child.kill()',
    'run("tmux", ["kill-session"])',
    'spawn("kill", ["-9"])',
    'const s = "SIGKILL"',
    'tmux("respawn-pane -k")',
    'controller.abort()',
    'process.kill(pid, signal)',
  ]) {
    expect(offences(code), code).not.toEqual([]);
  }
  expect(offences('process.kill(pid, 0)')).toEqual([]);
});

it('only the bounded reader sets a time limit on a child, and nothing sets a signal for it', () => {
  const users = filesBelow('src').filter((file) => codeOf(file).includes('child_process'));
  expect(users.map((file) => relative(ROOT, file)).sort()).toEqual([
    'src/actions/cap-run.ts', // the user's own command, on the user's terminal, without a limit
    'src/lib/act/claim/launch.ts', // session-run's own command
    'src/lib/observe/bounded-run.ts',
    'src/lib/store/process-identity.ts', // ps
  ]);
  expect(codeOf(join(ROOT, 'src/actions/cap-run.ts'))).not.toMatch(/timeout|detached/);
});

it('of the libraries in the bundles, commander can, for subcommands that are programs, which no command here has, and the lock’s signal-exit, to itself', async () => {
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: readdirSync(join(ROOT, 'src/commands')).map((name) => `src/commands/${name}`),
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    outdir: 'dist',
    write: false,
    metafile: true,
    define: { __FLEET_VERSION__: '"0"' },
  });
  const libraries = Object.keys(metafile.inputs).filter((name) => name.startsWith('node_modules/'));
  expect(libraries.length).toBeGreaterThan(3);
  expect(libraries.filter((name) => /\.kill\(|\bprocess\.kill\b/.test(codeOf(join(ROOT, name))))).toEqual([
    'node_modules/commander/lib/command.js',
    'node_modules/signal-exit/index.js',
  ]);
  expect(filesBelow('src').filter((file) => /executableFile|\.executableDir\(/.test(codeOf(file)))).toEqual([]);
});
