import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { scanProc } from '../../src/lib/observe/linux-processes.ts';
import { tempFolder } from '../support/script.ts';

const COUNT = 10_000;
const folder = tempFolder();
afterAll(folder.remove);

/** /proc/PID/stat of a `sleep` with that parent, resident in two pages. */
const stat = (pid: number, ppid: number) =>
  `${pid} (sleep) S ${ppid} 1 1 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 ${1000 + pid} 5000000 2 0 0 0`;

/** Ten thousand processes: half of them in one long line of descent from 2, half of them children of 3. */
beforeAll(() => {
  for (let pid = 2; pid < COUNT + 2; pid++) {
    mkdirSync(join(folder.path, String(pid)));
    const ppid = pid <= 3 ? 1 : pid % 2 === 0 ? pid - 2 : 3;
    writeFileSync(join(folder.path, String(pid), 'stat'), stat(pid, ppid));
  }
  // What is no process, one that has just gone, and one that is gone while it is read.
  mkdirSync(join(folder.path, 'sys'));
  mkdirSync(join(folder.path, '77777'));
  mkdirSync(join(folder.path, '88888'));
  writeFileSync(join(folder.path, '88888', 'stat'), '');
});

it('ten thousand processes are one pass: each has its identity, and a tree its memory, however deep or wide', () => {
  const table = scanProc(folder.path);
  expect(table.byPid.size).toBe(COUNT);
  expect(table.byPid.get(4321)).toMatchObject({ ppid: 3, procStart: '5321', rssBytes: 8192, comm: 'sleep' });
  expect(table.tree(2)).toHaveLength(COUNT / 2);
  expect(table.treeRssBytes(2)).toBe((COUNT / 2) * 8192);
  expect(table.treeRssBytes(3)).toBe((COUNT / 2) * 8192);
  expect(table.ancestors(COUNT)).toHaveLength(COUNT / 2);
});

it('a pass costs one read of one small file for each process: what else it knows is read when it is asked for', () => {
  const table = scanProc(folder.path);
  rmSync(join(folder.path, '4'), { recursive: true });
  expect(table.alive(4)?.procStart).toBe('1004');
  expect([table.argv(4), table.environ(4)]).toEqual([undefined, undefined]);
  writeFileSync(join(folder.path, '6', 'cmdline'), 'claude\0--resume\0');
  expect(table.argv(6)).toEqual(['claude', '--resume']);
});
