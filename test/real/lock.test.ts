import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { acquireLock, withLock } from '../../src/lib/store/lock.ts';
import { procStartOf } from '../../src/lib/store/process-identity.ts';
import { buildScript, run, start, tempFolder } from '../support/script.ts';
import { until } from '../support/until.ts';

const folder = tempFolder();
const scripts = { count: '', hold: '' };
beforeAll(() => {
  scripts.count = buildScript('count-under-lock.ts', folder.path);
  scripts.hold = buildScript('hold-lock.ts', folder.path);
});
afterAll(folder.remove);

const entries = (name: string) => readdirSync(folder.path).filter((entry) => entry.startsWith(`${name}.lock.`));

/** A process that holds the lock of `file`. */
async function holder(file: string) {
  const process = start('node', [scripts.hold, file]);
  await until(() => process.said.stdout.includes('held'), { what: 'the lock to be held' });
  return process;
}

describe('the lock', () => {
  it('lets 40 processes add up without losing one', async () => {
    const file = join(folder.path, 'sum');
    const ends = await Promise.all(Array.from({ length: 40 }, () => run('node', [scripts.count, file, '5'])));
    expect(ends.map(({ code, stderr }) => [code, stderr])).toEqual(ends.map(() => [0, '']));
    expect(readFileSync(file, 'utf8')).toBe('200');
    expect(entries('sum')).toEqual([]);
  });

  it('is free at once when its holder is killed', async () => {
    const file = join(folder.path, 'killed');
    const { child, done } = await holder(file);
    child.kill('SIGKILL');
    await done;
    const started = performance.now();
    (await acquireLock(file)).release();
    expect(performance.now() - started).toBeLessThan(1000);
    expect(entries('killed')).toEqual([]);
  });

  it('stays with a holder that is stopped, however long, and is had when that goes on', async () => {
    const file = join(folder.path, 'stopped');
    const { child, done } = await holder(file);
    child.kill('SIGSTOP');
    await expect(acquireLock(file, { waitMs: 400, what: 'the thing' })).rejects.toMatchObject({
      exitCode: 75,
      message: expect.stringContaining(`the thing is locked by process ${child.pid}`),
    });
    child.kill('SIGCONT');
    child.kill('SIGUSR1');
    await done;
    (await acquireLock(file)).release();
  });

  it('is not kept by a process number that was used again', async () => {
    const file = join(folder.path, 'reused');
    const entry = (procStart: string | undefined) =>
      writeFileSync(`${file}.lock.0-x`, JSON.stringify({ pid: process.ppid, procStart, host: hostname() }));
    entry('1');
    (await acquireLock(file, { waitMs: 0 })).release();
    entry(procStartOf(process.ppid));
    await expect(acquireLock(file, { waitMs: 50 })).rejects.toMatchObject({ exitCode: 75 });
  });

  it('is kept by an entry nobody can read, and the refusal names it', async () => {
    const file = join(folder.path, 'torn');
    writeFileSync(`${file}.lock.0-torn`, '{"pid": 12');
    await expect(acquireLock(file, { waitMs: 50 })).rejects.toThrow('torn.lock.0-torn');
  });

  it('is kept by another host', async () => {
    const file = join(folder.path, 'elsewhere');
    writeFileSync(`${file}.lock.0-x`, JSON.stringify({ pid: 2 ** 22, procStart: '1', host: 'elsewhere' }));
    await expect(acquireLock(file, { waitMs: 50 })).rejects.toMatchObject({ exitCode: 75 });
  });

  it('is let go of when the work under it throws', async () => {
    const file = join(folder.path, 'thrown');
    await expect(withLock(file, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(entries('thrown')).toEqual([]);
  });

  it('excludes callers of one process from each other', async () => {
    const file = join(folder.path, 'inner');
    let inside = 0;
    let most = 0;
    await Promise.all(
      Array.from({ length: 20 }, () =>
        withLock(file, async () => {
          most = Math.max(most, ++inside);
          await new Promise((done) => setTimeout(done, 1));
          inside--;
        }),
      ),
    );
    expect(most).toBe(1);
  });
});
