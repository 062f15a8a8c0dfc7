// Packs the package, installs it globally into a clean prefix, and uses it from there: commands, man pages, completions.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = new URL('..', import.meta.url).pathname;
const temp = mkdtempSync(join(tmpdir(), 'sf-pack-'));
const run = (file, args, options = {}) =>
  execFileSync(file, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], ...options });
try {
  run('npm', ['pack', '--pack-destination', temp, '--silent'], { cwd: root });
  const [packed] = readdirSync(temp);
  run('npm', ['install', '--global', '--prefix', join(temp, 'prefix'), '--no-audit', '--no-fund', join(temp, packed)]);
  const installed = join(temp, 'prefix/lib/node_modules/session-fleet');
  const env = {
    PATH: `${join(temp, 'prefix/bin')}:${process.env.PATH}`,
    HOME: temp,
    FLEET_CLAUDE: join(temp, 'no-claude'),
  };
  for (const command of ['session-cap', 'session-exit']) {
    run(command, ['--version'], { env });
    if (!existsSync(join(temp, `prefix/share/man/man1/${command}.1`))) throw new Error(`no man page of ${command}`);
    for (const name of [`${command}.bash`, `_${command}`, `${command}.fish`]) {
      if (!existsSync(join(installed, 'completions', name))) throw new Error(`no completion ${name}`);
    }
  }
  const log = JSON.parse(run('session-cap', ['log', '--json'], { env }));
  if (log.schema !== 'session-fleet.session-cap.log.v1')
    throw new Error('session-cap log --json printed something else');
  const large = readdirSync(installed, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !file.includes('/node_modules/session-fleet/node_modules/') && statSync(file).size > 1 << 20);
  if (large.length > 0) throw new Error(`over 1 MB: ${large.join(' ')}`);
  await checkTemporal(env);
  process.stdout.write(`${packed}: installs and runs\n`);
} finally {
  rmSync(temp, { recursive: true, force: true });
}

/** With Temporal's packages beside it, the worker bundles its workflow and waits for the server. */
async function checkTemporal(env) {
  const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const peers = ['worker', 'client', 'workflow', 'activity'].map((name) => `@temporalio/${name}`);
  const versions = peers.map((name) => `${name}@${devDependencies[name]}`);
  run('npm', [
    'install',
    '--global',
    '--prefix',
    join(temp, 'prefix'),
    '--no-audit',
    '--no-fund',
    '--silent',
    ...versions,
  ]);
  const worker = spawn('task-watcher', ['worker', '--address', '127.0.0.1:1'], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const late = setTimeout(() => worker.kill('SIGKILL'), 60_000);
  let said = '';
  for await (const text of worker.stderr.setEncoding('utf8')) {
    said += text;
    if (said.includes('waits for the Temporal server')) break;
  }
  clearTimeout(late);
  worker.kill();
  if (!said.includes('waits for the Temporal server')) throw new Error(`task-watcher worker said: ${said}`);
}
