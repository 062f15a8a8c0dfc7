import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { isTaskName, readTasks, writeTask } from '../../src/lib/store/task-files.ts';
import { tempFolder } from '../support/script.ts';

const SID = '7b6a75ce-4d13-4fd3-9f0a-03291e1657ff';
const folder = tempFolder();
afterAll(folder.remove);
let made = 0;

/** A tasks folder with these task.json texts. */
function tasks(files: Record<string, unknown>): string {
  const dir = join(folder.path, `tasks-${made++}`);
  mkdirSync(dir);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(dir, name));
    writeFileSync(
      join(dir, name, 'task.json'),
      typeof content === 'string' ? content : JSON.stringify(content, null, 2),
    );
  }
  return dir;
}

describe('reading', () => {
  it('names a bad file and its field, and stops no other', () => {
    const dir = tasks({
      good: { state: 'working', driverSid: SID },
      torn: '{"state": "wor',
      state: { state: 'wroking' },
      sid: { state: 'done', driverSid: '../../etc' },
      list: [],
      times: { state: 'working', driverRespawnTimes: ['yesterday'] },
    });
    const { tasks: good, bad } = readTasks(dir);
    expect(good.map(({ name }) => name)).toEqual(['good']);
    expect(Object.fromEntries(bad.map(({ name, field }) => [name, field]))).toEqual({
      torn: '(file)',
      state: 'state',
      sid: 'driverSid',
      list: '(top)',
      times: 'driverRespawnTimes.0',
    });
  });

  it('follows no link out of the folder, and takes no folder without task.json for a task', () => {
    const dir = tasks({ real: { state: 'working' } });
    mkdirSync(join(dir, 'empty'));
    mkdirSync(join(dir, 'linkfile'));
    symlinkSync('/etc/passwd', join(dir, 'linkfile', 'task.json'));
    symlinkSync(join(dir, 'real'), join(dir, 'linked'));
    mkdirSync(join(dir, 'folder', 'task.json'), { recursive: true });
    writeFileSync(join(dir, 'stray.json'), '{}');
    const { tasks: good, bad } = readTasks(dir);
    expect(good.map(({ name }) => name)).toEqual(['real']);
    expect(bad.map(({ name }) => name).sort()).toEqual(['folder', 'linked', 'linkfile']);
  });

  it('reads the names of the days when a Driver was an Operator', () => {
    const dir = tasks({
      old: {
        state: 'parked',
        operatorSid: SID,
        operatorRespawns: 5,
        operatorName: 'x',
        operatorRespawnTimes: ['2026-01-01T00:00:00Z'],
        operatorSeen: { pid: 7, procStart: '8' },
      },
      emptied: { state: 'working', operatorSid: SID, driverSid: null, operatorName: 'x', driverName: '' },
      both: { state: 'working', operatorSid: 'nonsense', driverSid: SID, operatorName: 'old', driverName: 'new' },
    });
    const { tasks: good } = readTasks(dir);
    expect(good.find(({ name }) => name === 'old')?.task).toMatchObject({
      driverSid: SID,
      driverRespawns: 5,
      driverName: 'x',
      driverRespawnTimes: ['2026-01-01T00:00:00Z'],
      driverSeen: { pid: 7, procStart: '8' },
    });
    expect(good.find(({ name }) => name === 'emptied')?.task).toMatchObject({ driverSid: SID, driverName: 'x' });
    expect(good.find(({ name }) => name === 'both')?.task).toMatchObject({ driverSid: SID, driverName: 'new' });
  });

  it('takes null and empty for absent', () => {
    const { tasks: good } = readTasks(
      tasks({ t: { state: 'working', workerSid: null, driverSid: '', releasedAt: null } }),
    );
    expect(good[0]?.task).not.toHaveProperty('workerSid');
  });

  it('has none where there is no folder', () =>
    expect(readTasks(join(folder.path, 'none'))).toEqual({ tasks: [], bad: [], skipped: 0 }));
});

describe('writing', () => {
  it('changes what it is told and keeps every other field, known or not, in its place', async () => {
    const dir = tasks({
      t: { zeta: [1, { a: null }], state: 'working', operatorSid: SID, note: 'mine', alarms: { x: 1, own: true } },
    });
    await writeTask(dir, 't', (document) => {
      document.state = 'done';
    });
    const text = readFileSync(join(dir, 't', 'task.json'), 'utf8');
    expect(JSON.parse(text)).toEqual({
      zeta: [1, { a: null }],
      state: 'done',
      operatorSid: SID,
      note: 'mine',
      alarms: { x: 1, own: true },
    });
    expect(Object.keys(JSON.parse(text))).toEqual(['zeta', 'state', 'operatorSid', 'note', 'alarms']);
    expect(readdirSync(join(dir, 't'))).toEqual(['task.json']);
  });

  it('refuses a result that is no task, and a file that is bad already, and changes neither', async () => {
    const dir = tasks({ t: { state: 'working' }, bad: '{"state": "wor' });
    const file = join(dir, 't', 'task.json');
    const before = readFileSync(file, 'utf8');
    await expect(
      writeTask(dir, 't', (document) => {
        document.state = 'finished';
      }),
    ).rejects.toMatchObject({ exitCode: 65, blame: { file, field: 'state' } });
    expect(readFileSync(file, 'utf8')).toBe(before);
    await expect(writeTask(dir, 'bad', () => undefined)).rejects.toMatchObject({ exitCode: 65 });
    expect(readFileSync(join(dir, 'bad', 'task.json'), 'utf8')).toBe('{"state": "wor');
  });

  it('loses no update of 20 at once', async () => {
    const dir = tasks({ t: { state: 'working', exitRequests: 0 } });
    await Promise.all(
      Array.from({ length: 20 }, () =>
        writeTask(dir, 't', (document, task) => {
          document.exitRequests = (task?.exitRequests ?? 0) + 1;
        }),
      ),
    );
    expect(readTasks(dir).tasks[0]?.task.exitRequests).toBe(20);
  });

  it('makes a task once', async () => {
    const dir = tasks({});
    const create = () =>
      writeTask(
        dir,
        'new',
        (document) => {
          document.state = 'working';
        },
        { create: true },
      );
    expect((await create()).task.state).toBe('working');
    await expect(create()).rejects.toMatchObject({ exitCode: 73 });
    await expect(writeTask(dir, 'missing', () => undefined)).rejects.toMatchObject({ exitCode: 66 });
    expect(readdirSync(dir)).toEqual(['new']);
  });

  it.each(['', '..', '../x', 'a/b', '.hidden', 'a\nb', 'x'.repeat(201)])('takes no name like %j', async (name) => {
    expect(isTaskName(name)).toBe(false);
    await expect(writeTask(tasks({}), name, () => undefined)).rejects.toMatchObject({ exitCode: 64 });
  });
});
