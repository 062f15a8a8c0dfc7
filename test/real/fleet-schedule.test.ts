import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { documentOf, fleet } from '../support/fleet-commands.ts';
import { eachTestAWorld, ownFile } from '../support/stand-in.ts';

const world = eachTestAWorld();
const schedule = (args: readonly string[], env: Record<string, string> = {}) =>
  fleet(world(), 'fleet-schedule', args, { PATH: path(), ...env });
const has = (command: string) => spawnSync('sh', ['-c', `command -v ${command}`]).status === 0;

let bin = '';
const path = () => `${bin}:${world().env.PATH}`;
const crontab = () => readFileSync(join(world().root, 'crontab'), 'utf8');

/** A crontab(1) that keeps one file, as the real one does, and no systemctl or launchctl but one that notes its words. */
beforeEach(() => {
  bin = join(world().root, 'fake');
  mkdirSync(bin);
  const file = join(world().root, 'crontab');
  const script = (name: string, text: string) => {
    writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`);
    chmodSync(join(bin, name), 0o755);
  };
  script(
    'crontab',
    `if [ "$1" = -l ]; then [ -e '${file}' ] && cat '${file}' || { echo "no crontab for me" >&2; exit 1; }; else cp "$1" '${file}'; fi`,
  );
  for (const name of ['systemctl', 'launchctl']) script(name, `echo "${name} $*" >> '${world().root}/called'`);
});

it('cron: installed, again nothing changes, removed; every other byte stays', async () => {
  const mine = '# mine\nMAILTO=me\r\n0 3 * * * backup 50\\%  \n\n@reboot x';
  writeFileSync(join(world().root, 'crontab'), mine);
  expect(await schedule(['install', '--target', 'cron'])).toMatchObject({ code: 0, stdout: 'installed for cron\n' });
  expect(crontab().startsWith(`${mine}\n# BEGIN session-fleet `)).toBe(true);
  const installed = crontab();
  expect(documentOf(await schedule(['install', '--target', 'cron', '--json']))).toMatchObject({ changed: false });
  expect(crontab()).toBe(installed);
  expect(await schedule(['remove', '--target', 'cron'])).toMatchObject({ code: 0 });
  expect(crontab()).toBe(`${mine}\n`);
  expect(documentOf(await schedule(['remove', '--target', 'cron', '--json']))).toMatchObject({ changed: false });
});

it('cron: a crontab that can’t be read is not replaced, one whose own lines are broken neither', async () => {
  writeFileSync(join(bin, 'crontab'), '#!/bin/sh\necho "permission denied" >&2; exit 1\n');
  expect(await schedule(['install', '--target', 'cron'])).toMatchObject({
    code: 69,
    stderr: expect.stringContaining('permission denied'),
  });
  writeFileSync(
    join(bin, 'crontab'),
    `#!/bin/sh\n[ "$1" = -l ] && echo '# BEGIN session-fleet ${world().configDir}/jobs' || touch '${world().root}/written'\n`,
  );
  expect(await schedule(['install', '--target', 'cron'])).toMatchObject({ code: 65 });
  expect(existsSync(join(world().root, 'written'))).toBe(false);
});

describe('the runner', () => {
  it('works in cron’s empty environment, and says when each entry ran and failed', async () => {
    await schedule(['install', '--target', 'cron']);
    const line =
      crontab()
        .split('\n')
        .find((one) => one.includes(' sweep '))
        ?.replace(/^(\S+ ){5}/, '') ?? '';
    const bare = (command: string) =>
      world().run('env', ['-i', 'HOME=/nowhere', 'PATH=/usr/bin:/bin', 'SHELL=/bin/sh', '/bin/sh', '-c', command]);
    expect(await bare(line)).toMatchObject({ code: 0, stdout: '', stderr: '' });
    expect(existsSync(ownFile(world(), 'sweep.json')), 'it swept this fleet').toBe(true);
    const state = async () => {
      const { entries } = documentOf(await schedule(['status', '--json'])) as {
        entries: { name: string; well: boolean; lastCode: number | null; failedWords: string | null }[];
      };
      return Object.fromEntries(entries.map((one) => [one.name, one]));
    };
    expect((await state()).sweep).toMatchObject({ well: true, lastCode: 0 });
    expect((await state()).expire).toMatchObject({ well: false, lastCode: null });
    for (const name of ['watch', 'lanes', 'sample', 'claims', 'reap', 'expire'])
      await bare(`'${ownFile(world(), 'schedule/run')}' ${name}`);
    expect(await schedule(['status'])).toMatchObject({ code: 0 });
    writeFileSync(join(world().root, 'fleet.json'), '{"wake":{"quiet":15}}');
    await bare(line);
    writeFileSync(join(world().root, 'fleet.json'), '{}');
    expect((await state()).sweep).toMatchObject({
      well: false,
      lastCode: 78,
      failedWords: expect.stringContaining('wake.quiet'),
    });
    await bare(line);
    expect((await state()).sweep).toMatchObject({
      well: true,
      lastCode: 0,
      failedWords: expect.stringContaining('wake.quiet'),
    });
  });

  it('is what the doctor takes for a timer', async () => {
    await schedule(['install', '--target', 'cron']);
    const { findings } = documentOf(await fleet(world(), 'watcher-doctor', ['--json'], { PATH: path() })) as {
      findings: { check: string; level: string }[];
    };
    expect(findings.find(({ check }) => check === 'timers')).toMatchObject({ level: 'ok' });
  });
});

it('systemd: units that systemd-analyze takes, enabled once, and taken away', async () => {
  expect(await schedule(['install', '--target', 'systemd'])).toMatchObject({ code: 0, stderr: '' });
  const units = join(world().home, '.config/systemd/user');
  expect(readdirSync(units)).toHaveLength(14);
  const called = () => readFileSync(join(world().root, 'called'), 'utf8');
  expect(called()).toMatch(/^systemctl --user daemon-reload\nsystemctl --user enable --now session-fleet-sweep.timer /);
  const before = called();
  await schedule(['install', '--target', 'systemd']);
  expect(called()).toBe(before);
  if (has('systemd-analyze')) {
    const verified = await world().run(
      'systemd-analyze',
      ['verify', '--user', '--man=no', ...readdirSync(units).map((name) => join(units, name))],
      {
        env: { XDG_RUNTIME_DIR: world().root },
      },
    );
    expect(verified.stderr.split('\n').filter((one) => one.includes('session-fleet'))).toEqual([]);
  }
  expect(await schedule(['remove', '--target', 'systemd'])).toMatchObject({ code: 0 });
  expect(readdirSync(units)).toEqual([]);
  expect(called()).toContain('systemctl --user disable --now session-fleet-sweep.timer');
});

it('launchd: agents that a plist reader takes', async () => {
  expect(await schedule(['install', '--target', 'launchd'])).toMatchObject({ code: 0 });
  const agents = join(world().home, 'Library/LaunchAgents');
  expect(readdirSync(agents)).toHaveLength(7);
  for (const name of readdirSync(agents)) {
    const parsed = await world().run('python3', [
      '-c',
      'import plistlib,sys,json;print(json.dumps(plistlib.load(open(sys.argv[1],"rb"))))',
      join(agents, name),
    ]);
    expect(JSON.parse(parsed.stdout)).toMatchObject({
      AbandonProcessGroup: true,
      ProgramArguments: [ownFile(world(), 'schedule/run'), expect.any(String)],
    });
    if (has('plistutil')) expect(await world().run('plistutil', ['-i', join(agents, name)])).toMatchObject({ code: 0 });
  }
});

it('where the system’s command can’t be run, the files are there and the rest is said', async () => {
  writeFileSync(join(bin, 'systemctl'), '#!/bin/sh\necho "Failed to connect to bus" >&2; exit 1\n');
  const done = await schedule(['install', '--target', 'systemd']);
  expect(done).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('not run: systemctl --user daemon-reload: Failed to connect'),
  });
  expect(existsSync(join(world().home, '.config/systemd/user/session-fleet-sweep.timer'))).toBe(true);
});

it('print and --dry-run change nothing; bad words are said', async () => {
  const printed = await schedule(['print', '--target', 'launchd']);
  expect(printed.stdout).toContain('session-fleet.sweep.plist');
  expect((await schedule(['install', '--dry-run', '--target', 'cron'])).stdout).toContain('# BEGIN session-fleet');
  expect(existsSync(join(world().root, 'crontab'))).toBe(false);
  expect(existsSync(ownFile(world(), 'schedule'))).toBe(false);
  expect(await schedule(['install', '--target', 'windows'])).toMatchObject({ code: 64 });
});
