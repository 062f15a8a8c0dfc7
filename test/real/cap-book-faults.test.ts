import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { fleet } from '../support/fleet-commands.ts';
import { countingClaude, eachTestAWorld, ownFile, statusOf } from '../support/stand-in.ts';

const world = eachTestAWorld();
const admit = (args: readonly string[] = [], env: Record<string, string> = {}) =>
  fleet(world(), 'session-cap', ['admit', ...args], env);
const DAY = 86_400_000;

interface Book {
  reservations: { takenAt: { wall: number; boot: string } }[];
}

function edit(name: string, change: (document: Book) => void): void {
  const file = ownFile(world(), name);
  const document = JSON.parse(readFileSync(file, 'utf8'));
  change(document);
  writeFileSync(file, JSON.stringify(document));
}

it('a roster answer dated in the future (the clock was set back) is not believed', async () => {
  const { command, calls } = countingClaude(world());
  await admit([], { FLEET_CLAUDE: command });
  edit('roster.json', (document) => {
    Object.assign(document, { startedAt: Date.now() + DAY, rows: [] });
  });
  const began = performance.now();
  expect((await admit([], { FLEET_CLAUDE: command })).code).toBe(0);
  expect(performance.now() - began).toBeLessThan(5000);
  expect(calls()).toHaveLength(2);
});

it.each([
  ['a day ahead', DAY],
  ['a day behind', -DAY],
])('a wall clock that is stepped %s neither frees a slot early nor keeps it', async (_, step) => {
  await admit(['--ttl', '1h', '--for', 'kept']);
  await admit(['--ttl', '2s', '--for', 'over']);
  edit('admissions.json', (document) => {
    for (const { takenAt } of document.reservations) takenAt.wall -= step;
  });
  const names = async () => (await statusOf(world())).reservations as { for: string }[];
  await world().until(async () => (await names()).length < 2, { what: 'the shorter one to be over' });
  expect(await names()).toMatchObject([{ for: 'kept' }]);
});

it('a reservation of another boot that is dated in the future keeps its slot for no day', async () => {
  await admit(['--ttl', '1h']);
  edit('admissions.json', (document) => {
    for (const { takenAt } of document.reservations)
      Object.assign(takenAt, { wall: Date.now() + DAY, boot: 'another' });
  });
  expect(await statusOf(world())).toMatchObject({ reserved: 0 });
});

it.runIf(process.getuid?.() === 0 && process.platform === 'linux')(
  'a full disk: not admitted, said, and nothing torn; admitted again when there is room',
  async () => {
    const home = join(world().root, 'full');
    mkdirSync(home);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', home]);
    try {
      const env = { FLEET_HOME: home };
      expect((await admit(['--for', 'first'], env)).code).toBe(0);
      const file = join(home, 'fleet', 'admissions.json');
      const before = readFileSync(file, 'utf8');
      fill(home);
      for (let at = 0; at < 2; at++) {
        const done = await admit([], env);
        expect([done.stdout, done.code]).toEqual(['', 70]);
        expect(done.stderr).toMatch(/^session-cap: .*ENOSPC/);
        expect(readFileSync(file, 'utf8')).toBe(before);
      }
      expect(readdirSync(join(home, 'fleet')).filter((name) => /\.tmp-|\.lock\./.test(name))).toEqual([]);
      writeFileSync(join(home, 'filler'), '');
      expect((await admit([], env)).code).toBe(0);
    } finally {
      execFileSync('umount', [home]);
    }
  },
);

/** Takes every free block of a small file system. */
function fill(folder: string): void {
  const file = join(folder, 'filler');
  const { bavail, bsize } = statfsSync(folder);
  writeFileSync(file, Buffer.alloc(Number(bavail) * Number(bsize)));
  expect(statfsSync(folder).bavail).toBe(0);
}

it('a FLEET_HOME that is a file: one line, no slot', async () => {
  writeFileSync(join(world().root, 'a-file'), '');
  const done = await admit([], { FLEET_HOME: join(world().root, 'a-file') });
  expect(done).toMatchObject({
    code: 70,
    stdout: '',
    stderr: expect.stringMatching(/^session-cap: .*ENOTDIR[^\n]*\n$/),
  });
});
