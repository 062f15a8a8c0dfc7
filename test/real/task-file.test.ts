import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { DOCUMENTS } from '../../src/schemas/documents.ts';
import { run, tempFolder } from '../support/script.ts';

const BIN = join(import.meta.dirname, '..', '..', 'bin', 'task-file.cjs');
const SID = '7b6a75ce-4d13-4fd3-9f0a-03291e1657ff';
const folder = tempFolder();
afterAll(folder.remove);
const env = { PATH: process.env.PATH, HOME: folder.path };
const tasksDir = join(folder.path, '.claude/jobs/tasks');

const taskFile = (...words: string[]) => run(process.execPath, [BIN, ...words], env);
const stored = (task: string) => JSON.parse(readFileSync(join(tasksDir, task, 'task.json'), 'utf8'));
const board = (task: string, items: unknown) =>
  writeFileSync(join(tasksDir, task, 'acceptance.json'), JSON.stringify({ groups: [{ title: 'Refunds', items }] }));

async function json(...words: string[]) {
  const done = await taskFile(...words, '--json');
  const document = JSON.parse(done.stdout);
  expect(DOCUMENTS[document.schema]?.safeParse(document), done.stdout).toMatchObject({ success: true });
  return { code: done.code, document };
}

describe('a task', () => {
  it('is made once, shown, found and changed; what is not known stays', async () => {
    const made = await json('new', 'payments', '--title', 'Pay back', '--cwd', folder.path);
    expect(made).toMatchObject({
      code: 0,
      document: { task: 'payments', state: 'working', title: 'Pay back', cwd: folder.path, board: { status: 'none' } },
    });
    expect(await taskFile('new', 'payments')).toMatchObject({ code: 73 });
    expect((await taskFile('path', 'payments')).stdout).toBe(`${join(tasksDir, 'payments')}\n`);
    writeFileSync(join(tasksDir, 'payments', 'task.json'), JSON.stringify({ mine: { a: [1] }, ...stored('payments') }));
    expect(
      await taskFile('set', 'payments', 'state=awaiting-human', `driverSid=${SID}`, 'note=hello there'),
    ).toMatchObject({ code: 0, stderr: '' });
    expect(stored('payments')).toMatchObject({
      mine: { a: [1] },
      state: 'awaiting-human',
      driverSid: SID,
      note: 'hello there',
    });
    expect(
      readFileSync(join(tasksDir, 'payments', 'events.jsonl'), 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toMatchObject([{ by: 'task-file', kind: 'state', from: 'working', to: 'awaiting-human' }]);
    expect(await taskFile('set', 'payments', 'note=')).toMatchObject({ code: 0 });
    expect(stored('payments')).not.toHaveProperty('note');
  });

  it.each([
    [['set', 'payments', 'state=done'], 77],
    [['set', 'payments', 'state="done"'], 77],
    [['new', 'x', '--brief', '/dev/zero'], 65],
    [['new', 'x', '--acceptance', '/dev/zero'], 65],
    [['set', 'payments', 'exitedAt=2026-01-01T00:00:00Z'], 77],
    [['set', 'payments', 'state=nonsense'], 65],
    [['set', 'payments', 'driverSid=../x'], 65],
    [['set', 'payments', 'nothing'], 64],
    [['set', 'payments'], 64],
    [['set', 'nobody', 'a=1'], 66],
    [['show', '../payments'], 64],
    [['list', '--state', 'nonsense'], 64],
    [['finish', 'payments', '--abandon'], 64],
    [['new', 'x', '--cwd', '/no/such/folder'], 66],
    [['new', 'x', '--brief', '/no/such/file'], 66],
  ])('%j ends with %d in one line and changes nothing', async (words, code) => {
    const before = readFileSync(join(tasksDir, 'payments', 'task.json'), 'utf8');
    const done = await taskFile(...words);
    expect(done.code).toBe(code);
    expect(done.stderr.trim().split('\n')).toHaveLength(1);
    expect(readFileSync(join(tasksDir, 'payments', 'task.json'), 'utf8')).toBe(before);
    expect(existsSync(join(tasksDir, 'x'))).toBe(false);
  });
});

describe('finish', () => {
  it('refuses while something is open, names it, and is the only way to done', async () => {
    await taskFile('new', 'refunds');
    expect(await taskFile('finish', 'refunds')).toMatchObject({
      code: 77,
      stderr: expect.stringContaining('no board'),
    });
    board('refunds', [
      { text: 'books agree', state: 'open' },
      { text: 'sent', state: 'met', evidence: 'log' },
    ]);
    expect(await taskFile('finish', 'refunds')).toMatchObject({
      code: 77,
      stderr: expect.stringContaining('Refunds: books agree'),
    });
    writeFileSync(join(tasksDir, 'refunds', 'acceptance.json'), '{\n  "groups": [\n    }');
    expect(await taskFile('finish', 'refunds')).toMatchObject({
      code: 77,
      stderr: expect.stringContaining('acceptance.json:3:5'),
    });
    for (const groups of [[], [{ title: 'Refunds', items: [] }]]) {
      writeFileSync(join(tasksDir, 'refunds', 'acceptance.json'), JSON.stringify({ groups }));
      const emptied = expect.stringMatching(/refunds is not finished: its board .*has no items/);
      expect(await taskFile('finish', 'refunds')).toMatchObject({ code: 77, stderr: emptied });
    }
    expect(stored('refunds').state).toBe('working');
    board('refunds', [{ text: 'books agree', state: 'dropped', evidence: 'not needed' }]);
    expect(await taskFile('finish', 'refunds')).toMatchObject({ code: 0 });
    expect(stored('refunds').state).toBe('done');
    expect(await taskFile('finish', 'refunds')).toMatchObject({ code: 77 });
    expect(await taskFile('set', 'refunds', 'state=working')).toMatchObject({ code: 77 });
    const events = readFileSync(join(tasksDir, 'refunds', 'events.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(events).toMatchObject([{ by: 'task-file', kind: 'state', from: 'working', to: 'done' }]);
  });

  it('can give up instead, with a reason', async () => {
    await taskFile('new', 'dreams');
    board('dreams', [{ text: 'all of it', state: 'open' }]);
    expect(await taskFile('finish', 'dreams', '--abandon', '--reason', 'not wanted')).toMatchObject({ code: 0 });
    expect(stored('dreams').state).toBe('abandoned');
    expect(readFileSync(join(tasksDir, 'dreams', 'events.jsonl'), 'utf8')).toContain('not wanted');
  });
});

it('a board that is a pipe, or far too large, is said at once and holds nothing up', async () => {
  await taskFile('new', 'pipes');
  const file = join(tasksDir, 'pipes', 'acceptance.json');
  execFileSync('mkfifo', [file]);
  expect(await taskFile('finish', 'pipes')).toMatchObject({
    code: 77,
    stderr: expect.stringContaining('no plain file'),
  });
  rmSync(file);
  writeFileSync(file, ' '.repeat(10 << 20));
  expect(await taskFile('finish', 'pipes')).toMatchObject({ code: 77, stderr: expect.stringContaining('larger than') });
  rmSync(join(tasksDir, 'pipes'), { recursive: true });
});

it('park puts aside, unpark takes up again and clears the latches', async () => {
  await taskFile('new', 'later');
  expect(await taskFile('unpark', 'later')).toMatchObject({ code: 77 });
  expect(await taskFile('park', 'later', '--reason', 'bank')).toMatchObject({ code: 0 });
  const parked = {
    ...stored('later'),
    releasedAt: '2026-01-01T00:00:00Z',
    exitRequests: 3,
    exitGaveUpAt: '2026-01-01T01:00:00Z',
    mine: 1,
  };
  writeFileSync(join(tasksDir, 'later', 'task.json'), JSON.stringify(parked));
  expect(await taskFile('park', 'later')).toMatchObject({ code: 77 });
  expect(await taskFile('unpark', 'later')).toMatchObject({ code: 0 });
  expect(stored('later')).toMatchObject({ state: 'working', mine: 1 });
  for (const latch of ['releasedAt', 'exitRequests', 'exitGaveUpAt']) expect(stored('later')).not.toHaveProperty(latch);
});

it('validate and list name what is wrong by file, field, line and column, and stop at nothing', async () => {
  expect(await json('validate', 'payments')).toMatchObject({ code: 0, document: { valid: true } });
  mkdirSync(join(tasksDir, 'wrong'));
  writeFileSync(join(tasksDir, 'wrong', 'task.json'), '{"state": "wroking"}');
  board('later', [{ text: 'x', state: 'met' }]);
  const { code, document } = await json('validate');
  expect(code).toBe(65);
  expect(document.problems).toMatchObject([
    { file: join(tasksDir, 'wrong', 'task.json'), field: 'state' },
    { file: join(tasksDir, 'later', 'acceptance.json'), line: 1, column: expect.any(Number) },
  ]);
  const listed = await json('list', '--open');
  expect(listed.code).toBe(65);
  expect(listed.document.tasks.map(({ task }: { task: string }) => task)).toEqual(['later', 'payments']);
  expect(listed.document.bad).toMatchObject([{ field: 'state' }]);
});

it('lists ten thousand tasks', { timeout: 240_000 }, async () => {
  const many = tempFolder();
  try {
    const dir = join(many.path, '.claude/jobs/tasks');
    for (let n = 0; n < 10_000; n++) {
      mkdirSync(join(dir, `task-${n}`), { recursive: true });
      writeFileSync(
        join(dir, `task-${n}`, 'task.json'),
        JSON.stringify({ state: n % 10 === 0 ? 'working' : 'done', driverSid: SID, title: `task ${n}` }),
      );
    }
    const done = await run(process.execPath, [BIN, 'list', '--open', '--json'], { ...env, HOME: many.path });
    expect(JSON.parse(done.stdout).tasks).toHaveLength(1000);
  } finally {
    many.remove();
  }
});
