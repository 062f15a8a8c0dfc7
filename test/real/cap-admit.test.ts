import { readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { documentOf, fleet } from '../support/fleet-commands.ts';
import { isAlive, signalQuietly } from '../support/processes.ts';
import {
  configure,
  countingClaude,
  eachTestAWorld,
  fileText,
  ownFile,
  recordsOf,
  rosterOf,
  sleepers,
  statusOf,
} from '../support/stand-in.ts';
import { until } from '../support/world.ts';

const world = eachTestAWorld();
const cap = (args: readonly string[], env: Record<string, string> = {}) => fleet(world(), 'session-cap', args, env);

it('below the ceiling: admitted, with a token and nothing else on standard output', async () => {
  const done = await cap(['admit', '--max', '1']);
  expect(done).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/^[\w-]{8,}\n$/) });
  expect(await statusOf(world(), '--max', '1')).toMatchObject({ admits: false, live: 0, reserved: 1, counted: 1 });
});

it('at the ceiling: 75, said, and logged as a JSON line that `log` shows', async () => {
  await cap(['admit', '--max', '1', '--for', 'first']);
  const done = await cap(['admit', '--max', '1', '--for', 'second']);
  expect(done).toMatchObject({
    code: 75,
    stdout: '',
    stderr: expect.stringMatching(/^session-cap: not admitted: 1 of 1/),
  });
  const [refusal, ...more] = recordsOf(world(), 'refusals.jsonl');
  expect(more).toEqual([]);
  expect(refusal).toMatchObject({ for: 'second', reason: 'at-ceiling', counted: 1, ceiling: 1 });
  expect(refusal?.callerPid).toBe(process.pid);
  expect((await cap(['log'])).stdout).toMatch(
    / second: 1 of 1 sessions \(0 live, 0 starting or on a dialog, 1 reserved\)\n$/,
  );
  expect(documentOf(await cap(['log', '--json']))).toMatchObject({ refusals: [{ for: 'second' }], skippedLines: 0 });
});

it('below the memory floor: 75, and no slot is taken', async () => {
  const done = await cap(['admit', '--memory-floor', '100%', '--json']);
  expect(done.code).toBe(75);
  expect(documentOf(done)).toMatchObject({ admitted: false, token: null, reason: 'below-memory-floor' });
  expect(recordsOf(world(), 'refusals.jsonl')).toMatchObject([{ reason: 'below-memory-floor' }]);
  expect(await statusOf(world())).toMatchObject({ reserved: 0 });
});

it('forty at once, one below the ceiling: exactly one is admitted, for a few roster calls', async () => {
  rosterOf(
    world(),
    sleepers(world(), 2).map((pid) => ({ pid, kind: 'interactive', status: 'idle' })),
  );
  // On a loaded machine forty processes take their time.
  configure(world(), { roster: { timeout: '60s' } });
  const { command, calls } = countingClaude(world());
  const ends = await Promise.all(
    Array.from({ length: 40 }, () => cap(['admit', '--max', '3'], { FLEET_CLAUDE: command })),
  );
  expect(ends.map(({ code }) => code).sort(), JSON.stringify(ends.map(({ stderr }) => stderr))).toEqual([
    0,
    ...Array(39).fill(75),
  ]);
  expect(calls().length).toBeLessThan(15);
  expect(new Set(recordsOf(world(), 'refusals.jsonl').map(({ reason }) => reason))).toEqual(new Set(['at-ceiling']));
}, 120_000);

it('a caller that is killed: its slot counts to its ttl, then is free', async () => {
  const marker = `${world().root}/token`;
  const script = `${process.execPath} bin/session-cap.cjs admit --max 1 --ttl 3s > '${marker}'; echo $$ >> '${marker}'; exec sleep 600`;
  const running = world().run('bash', ['-c', script], { cwd: new URL('../..', import.meta.url).pathname });
  const pid = Number(await until(async () => (await fileText(marker)).split('\n')[1]));
  signalQuietly(pid, 'SIGKILL');
  await running;
  expect(isAlive(pid)).toBe(false);
  expect((await cap(['admit', '--max', '1'])).code).toBe(75);
  await until(async () => (await cap(['admit', '--max', '1'])).code === 0, {
    what: 'the slot to be free',
    interval: 200,
  });
});

it('release gives the slot back at once; twice is no error; an unknown token is 66', async () => {
  const token = (await cap(['admit', '--max', '1'])).stdout.trim();
  expect(documentOf(await cap(['release', token, '--json']))).toMatchObject({ token, ended: 'released', now: true });
  expect((await cap(['admit', '--max', '1'])).code).toBe(0);
  expect(await cap(['release', token])).toMatchObject({ code: 0, stderr: '' });
  expect(await cap(['release', 'no-such-token'])).toMatchObject({ code: 66, stdout: '' });
  expect(await statusOf(world())).toMatchObject({ reserved: 1 });
});

it('a release after its time has run out says so', async () => {
  const token = (await cap(['admit', '--ttl', '0s'])).stdout.trim();
  expect(await statusOf(world())).toMatchObject({ reserved: 0 });
  await cap(['admit']);
  expect(documentOf(await cap(['release', token, '--json']))).toMatchObject({ ended: 'expired', now: false });
});

it.each([
  ['{"cap": {"maxx": 3}}', 'cap.maxx'],
  ['{"cap": {"max": "3"}}', 'cap.max'],
  ['{"roster": {"timeout": 5}}', 'roster.timeout'],
  ['{"roster": {"timeout": "5 minutes"}}', 'roster.timeout'],
  ['{"cap": {"memoryFloor": "200%"}}', 'cap.memoryFloor'],
])('a wrong config %s: 78, the file and the field, and nothing is admitted', async (text, field) => {
  configure(world(), text);
  const done = await cap(['admit', '--json']);
  expect([done.code, done.stdout]).toEqual([78, '']);
  expect(JSON.parse(done.stderr)).toMatchObject({ exitCode: 78, file: `${world().root}/fleet.json`, field });
});

it('a config that is torn, or that FLEET_CONFIG names and is not there: 78 with the file', async () => {
  configure(world(), '{"cap": {');
  expect(await cap(['admit'])).toMatchObject({
    code: 78,
    stderr: expect.stringContaining(`${world().root}/fleet.json: not JSON`),
  });
  const gone = `${world().root}/gone.json`;
  expect(await cap(['admit'], { FLEET_CONFIG: gone })).toMatchObject({
    code: 78,
    stderr: expect.stringContaining(gone),
  });
});

it('an admissions.json that can’t be understood: 65, its name, and it stays as it is', async () => {
  await cap(['admit']);
  const file = ownFile(world(), 'admissions.json');
  for (const text of [
    '{"generation": 1, "reserva',
    '[]',
    '{"generation":-1,"endedAtGeneration":0,"reservations":[]}',
    '{"generation":1,"endedAtGeneration":0,"reservations":[{"token":5}]}',
  ]) {
    writeFileSync(file, text);
    for (const words of [
      ['admit', '--json'],
      ['release', 'x', '--json'],
      ['status', '--json'],
    ]) {
      const done = await cap(words);
      expect([words[0], done.code, done.stdout]).toEqual([words[0], 65, '']);
      expect(JSON.parse(done.stderr)).toMatchObject({ exitCode: 65, file });
    }
    expect(readFileSync(file, 'utf8')).toBe(text);
  }
});

it('an admissions.json of a newer version keeps the fields that are not known here', async () => {
  await cap(['admit', '--for', 'old']);
  const file = ownFile(world(), 'admissions.json');
  const book = JSON.parse(readFileSync(file, 'utf8'));
  book.lanes = [{ name: 'x' }];
  book.reservations[0].lane = 'x';
  writeFileSync(file, JSON.stringify(book));
  expect((await cap(['admit', '--for', 'new'])).code).toBe(0);
  const after = JSON.parse(readFileSync(file, 'utf8'));
  expect(after.lanes).toEqual([{ name: 'x' }]);
  expect(after.reservations.map((one: Record<string, unknown>) => [one.for, one.lane])).toEqual([
    ['old', 'x'],
    ['new', undefined],
  ]);
});
