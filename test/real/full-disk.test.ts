import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { fleet } from '../support/fleet-commands.ts';
import { eachTestAWorld } from '../support/stand-in.ts';

const world = eachTestAWorld();
const mounts = process.getuid?.() === 0 && spawnSync('unshare', ['-m', 'true']).status === 0;

describe.runIf(mounts)('start-driver and task-file on a full disk', () => {
  // So full that nothing fits, that an admission does but no task, and that a first log line does not.
  it.each([64, 60, 56, 52])(
    'with %d of 64 KB taken: one line that names a file, nothing left behind',
    async (taken) => {
      const home = `${world().root}/small`;
      mkdirSync(home);
      writeFileSync(`${world().root}/brief.md`, `${'a long brief '.repeat(1000)}\n`);
      const cwd = await world().folder();
      expect((await world().run('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'none', home])).code).toBe(0);
      try {
        await world().run('sh', ['-c', `head -c ${taken}k /dev/zero > ${home}/taken`]);
        const words = ['payments', '--cwd', cwd, '--brief', `${world().root}/brief.md`];
        for (const [command, args] of [
          ['start-driver', words],
          ['task-file', ['new', ...words]],
        ] as const) {
          const done = await fleet(world(), command, args, { FLEET_HOME: home });
          expect(done, done.stderr).toMatchObject({ code: 70, stdout: '' });
          expect(done.stderr).toMatch(new RegExp(`^${command}: ENOSPC: .* '${home}/[^\n]*'\n$`));
        }
        const left = await world().run('find', [home, '-type', 'f', '(', '-size', '0', '-o', '-name', '*.tmp-*', ')']);
        expect(left.stdout).toBe('');
        expect((await world().roster()).filter(({ pid }) => pid !== undefined)).toEqual([]);
      } finally {
        await world().run('umount', ['-l', home]);
      }
    },
  );
});
