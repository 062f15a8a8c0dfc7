import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeTask } from '../support/made-fleet.ts';
import { configure, eachTestAWorld } from '../support/stand-in.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const world = eachTestAWorld();

it('without Temporal’s packages its paths say what to install, and nothing else needs them', async () => {
  // Away from this project's own node_modules, as a plain `npm install --global session-fleet` is.
  for (const folder of ['bin', 'dist'])
    cpSync(join(ROOT, folder), join(world().root, 'installed', folder), { recursive: true });
  const run = (...words: string[]) =>
    world().run(process.execPath, [join(world().root, 'installed/bin/task-watcher.cjs'), ...words]);
  configure(world(), { watcher: { temporal: { address: '127.0.0.1:1' } } });
  makeTask(world(), 'one', { state: 'working', cwd: '/made/one' });
  for (const words of [['worker'], ['start', 'one'], ['stop', 'one', '--engine', 'temporal']]) {
    const { code, stderr } = await run(...words);
    expect(code).toBe(69);
    expect(stderr).toMatch(
      /^task-watcher: @temporalio\/\w+ is not installed; .*: npm install -g @temporalio\/worker @temporalio\/client @temporalio\/workflow @temporalio\/activity\n$/,
    );
  }
  expect((await run('start', 'one', '--engine', 'embedded')).code).toBe(0);
  expect((await run('tick', '--all', '--json')).code).toBe(0);
  expect((await run('status', '--json')).code).toBe(0);
});

it.each(['nonsense', 'host:', 'host:99999', ':7233'])('a worker does not wait for %j', async (address) => {
  const done = await world().run(process.execPath, [
    join(ROOT, 'bin/task-watcher.cjs'),
    'worker',
    '--address',
    address,
  ]);
  expect(done).toMatchObject({ code: 64, stderr: `task-watcher: ${address} is no HOST:PORT\n` });
});

it('a server that is not there is said in one line', async () => {
  configure(world(), { watcher: { temporal: { address: '127.0.0.1:1' } } });
  makeTask(world(), 'one', { state: 'working', cwd: '/made/one' });
  const { code, stderr } = await world().run(process.execPath, [join(ROOT, 'bin/task-watcher.cjs'), 'start', 'one']);
  expect(code).toBe(69);
  expect(stderr).toMatch(/^task-watcher: the Temporal server at 127\.0\.0\.1:1, namespace default: .*refused.*\n$/i);
});
