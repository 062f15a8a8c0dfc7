import { expect, it } from 'vitest';
import { documentOf, fleet } from '../support/fleet-commands.ts';
import { isAlive } from '../support/processes.ts';
import { eachTestAWorld, idleSession } from '../support/stand-in.ts';

const world = eachTestAWorld({ settings: { editorMode: 'vim' } });
const exit = (sid: string, ...args: string[]) => fleet(world(), 'session-exit', [sid, '--json', ...args]);

it('vim’s normal mode, which shows nothing, gets no key: there letters are commands', async () => {
  const { pane, sid } = await idleSession(world());
  await world().keys(pane, 'Escape');
  await world().until(async () => !(await world().screen(pane)).includes('-- INSERT --'));
  const before = await world().screen(pane);
  const done = await exit(sid);
  expect(done, done.stdout + done.stderr).toMatchObject({ code: 77 });
  expect(documentOf(done)).toMatchObject({ words: expect.stringContaining('input: vim normal mode') });
  expect(await world().screen(pane)).toBe(before);
  expect(isAlive(pane.pid)).toBe(true);

  await world().type(pane, 'i');
  await world().shows(pane, '-- INSERT --');
  expect((await exit(sid)).code).toBe(0);
});

it('vim’s insert mode is seen, and lets it leave', async () => {
  const { pane, sid } = await idleSession(world());
  await world().shows(pane, '-- INSERT --');
  const done = await exit(sid);
  expect(done, done.stdout + done.stderr).toMatchObject({ code: 0 });
  expect(isAlive(pane.pid)).toBe(false);
});
