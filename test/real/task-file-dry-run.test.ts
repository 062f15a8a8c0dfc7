import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DOCUMENTS } from '../../src/schemas/documents.ts';
import { run, tempFolder } from '../support/script.ts';
import { snapshotOf } from '../support/snapshot.ts';

const BIN = join(import.meta.dirname, '..', '..', 'bin', 'task-file.cjs');
const folder = tempFolder();
const env = { PATH: process.env.PATH, HOME: folder.path };
const tasksDir = join(folder.path, '.claude/jobs/tasks');
const taskFile = (...words: string[]) => run(process.execPath, [BIN, ...words], env);
const board = (state: string) =>
  JSON.stringify({ groups: [{ title: 'g', items: [{ text: 'a', state, evidence: 'e' }] }] });

beforeAll(async () => {
  writeFileSync(join(folder.path, 'brief.md'), 'the brief\n');
  writeFileSync(join(folder.path, 'board.json'), board('open'));
  writeFileSync(join(folder.path, 'bad.json'), '{');
  for (const name of ['open', 'met', 'parked']) {
    await taskFile('new', name, '--cwd', folder.path);
    writeFileSync(join(tasksDir, name, 'acceptance.json'), board(name === 'met' ? 'met' : 'open'));
  }
  await taskFile('park', 'parked');
  mkdirSync(join(tasksDir, 'torn'));
  writeFileSync(join(tasksDir, 'torn', 'task.json'), '{');
});
afterAll(folder.remove);

const NEW = ['--cwd', folder.path, '--brief', `${folder.path}/brief.md`, '--acceptance', `${folder.path}/board.json`];

// Each is then done in earnest, which must end the same.
it.each([
  [['new', 'made', ...NEW], 0, 'working'],
  [['new', 'open', ...NEW], 73, undefined],
  [['new', 'bad', '--acceptance', `${folder.path}/bad.json`], 65, undefined],
  [['new', 'bad', '--cwd', '/no/such/folder'], 66, undefined],
  [['set', 'open', 'note=x', 'state=ready_for_review'], 0, 'ready_for_review'],
  [['set', 'open', 'state=done'], 77, undefined],
  [['set', 'open', 'driverSid=x'], 65, undefined],
  [['set', 'parked', 'state=working'], 77, undefined],
  [['set', 'nobody', 'a=1'], 66, undefined],
  [['set', 'torn', 'a=1'], 65, undefined],
  [['unpark', 'open'], 77, undefined],
  [['park', 'parked'], 77, undefined],
  [['finish', 'open'], 77, undefined],
  [['finish', 'open', '--abandon'], 64, undefined],
  [['finish', 'met'], 0, 'done'],
  [['finish', 'open', '--abandon', '--reason', 'why'], 0, 'abandoned'],
  [['unpark', 'parked'], 0, 'working'],
  [['park', 'parked'], 0, 'parked'],
])('%j --dry-run ends with %d, as it would, and changes nothing', async (words, code, state) => {
  const before = snapshotOf(folder.path);
  const dry = await taskFile(...words, '--dry-run', '--json');
  const said = await taskFile(...words, '--dry-run');
  expect(snapshotOf(folder.path)).toEqual(before);
  expect(dry, dry.stderr).toMatchObject({ code });
  const earnest = await taskFile(...words, '--json');
  expect(earnest, earnest.stderr).toMatchObject({ code });
  if (state === undefined) {
    expect(dry).toMatchObject({ stdout: '', stderr: earnest.stderr });
    expect(said.stderr.trim().split('\n')).toHaveLength(1);
    return;
  }
  const document = JSON.parse(dry.stdout);
  expect(DOCUMENTS[document.schema]?.safeParse(document)).toMatchObject({ success: true });
  expect(document).toMatchObject({ dryRun: true, state });
  expect(said.stdout).toMatch(new RegExp(`^would be: ${words[1]}: ${state}`));
  const { stateChangedAt, createdAt } = document;
  expect({ ...JSON.parse(earnest.stdout), dryRun: true, stateChangedAt, createdAt }).toEqual(document);
  expect(await taskFile(...words, '--dry-run', '--quiet')).toMatchObject({ stdout: '' });
});

it('a dry run beside whoever holds the task’s lock neither waits nor takes it', async () => {
  const file = join(tasksDir, 'met', 'task.json');
  writeFileSync(`${file}.lock.1-x`, JSON.stringify({ pid: 1, procStart: '1', host: 'elsewhere' }));
  const before = snapshotOf(folder.path);
  expect(await taskFile('set', 'met', 'a=1', '--dry-run')).toMatchObject({ code: 0 });
  expect(snapshotOf(folder.path)).toEqual(before);
});
