// Packs the package, installs it globally into a clean prefix, and uses it from there: commands, man pages, completions.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
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
  process.stdout.write(`${packed}: installs and runs\n`);
} finally {
  rmSync(temp, { recursive: true, force: true });
}
