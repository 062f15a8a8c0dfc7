import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { DOCUMENTS } from '../../src/schemas/documents.ts';
import { spec as cap } from '../../src/specs/session-cap.ts';
import { spec as exit } from '../../src/specs/session-exit.ts';
import { fleet } from '../support/fleet-commands.ts';
import { configure, eachTestAWorld, idleSession, rosterFault } from '../support/stand-in.ts';
import type { Finished } from '../support/world.ts';

const world = eachTestAWorld();
const seen = new Set<string>();

/** Runs a command with --json and checks what it printed against the schema that the document names. */
async function documented(command: 'session-cap' | 'session-exit', ...args: string[]): Promise<Finished> {
  const done = await fleet(world(), command, [...args, '--json']);
  const [document, other] = done.stdout === '' ? [done.stderr, ''] : [done.stdout, done.stderr];
  expect(document.trim().split('\n'), `${command} ${args}`).toHaveLength(1);
  const value = JSON.parse(document);
  const schema = DOCUMENTS[value.schema];
  if (schema === undefined) throw new Error(`${command} ${args}: no schema ${value.schema}`);
  const parsed = schema.safeParse(value);
  expect(parsed.error?.issues ?? [], `${command} ${args}: ${document}`).toEqual([]);
  if (done.stdout === '') expect(value).toMatchObject({ command, exitCode: done.code });
  else expect(other.split('\n').filter((line) => line !== '' && !line.startsWith('session-cap: '))).toEqual([]);
  seen.add(value.schema);
  return done;
}

it('every document of every command is of its schema, errors too', async () => {
  const { pane, sid } = await idleSession(world());
  const { id } = await world().startBackground({ prompt: 'hi' });
  await world().answered((row) => row.id === id);
  const dead = await world().tmux.start(['claude', '--version'], { name: 'dead', cwd: world().root, remain: true });
  await world().until(async () => (await world().tmux.value(dead, 'pane_dead')) === '1');

  const admitted = JSON.parse((await documented('session-cap', 'admit', '--for', 'x')).stdout);
  await documented('session-cap', 'admit', '--max', '1');
  await documented('session-cap', 'admit', '--memory-floor', '100%');
  await documented('session-cap', 'status', '--pss');
  await documented('session-cap', 'release', admitted.token);
  await documented('session-cap', 'log');
  await documented('session-cap', 'sample');
  await documented('session-cap', 'report');
  await documented('session-cap', 'report', '--html', join(world().root, 'page.html'));
  await documented('session-cap', 'reap', '--dry-run');
  await documented('session-cap', 'reap');
  await documented('session-cap', 'expire', '--dry-run');
  await documented('session-cap', 'expire', '--idle', '0s', '--allow-mass', '--wait', '20s');
  await world().until(async () => (await world().roster()).length === 0, { what: 'both to have left' });
  await documented('session-exit', sid);
  const next = await idleSession(world());
  await documented('session-exit', next.sid, '--dry-run');
  await world().type(next.pane, 'draft');
  await world().shows(next.pane, 'draft');
  await documented('session-exit', next.sid);
  await world().keys(next.pane, 'C-u');
  await documented('session-exit', next.sid);
  expect(pane.pid).not.toBe(next.pane.pid);

  // Errors: one of each sort that a document can be about.
  expect((await documented('session-cap', 'admit', '--max', 'many')).code).toBe(64);
  expect((await documented('session-cap', 'nonsense')).code).toBe(64);
  expect((await documented('session-exit', 'no id at all')).code).toBe(64);
  expect((await documented('session-cap', 'release', 'no-such')).code).toBe(66);
  configure(world(), { cap: { max: 0 } });
  expect((await documented('session-cap', 'status')).code).toBe(78);
  configure(world(), {});
  rosterFault(world(), { mode: 'torn' });
  for (const words of [['status'], ['admit'], ['sample'], ['expire']]) {
    expect((await documented('session-cap', ...words)).code).toBe(69);
  }
  expect((await documented('session-exit', next.sid)).code).toBe(69);

  const own = [...cap.actions, ...exit.actions].flatMap(({ schema }) => schema ?? []);
  expect([...seen].sort()).toEqual([...own, 'session-fleet.error.v1'].sort());
}, 120_000);

it('each document has its JSON schema in schemas/', () => {
  const folder = join(import.meta.dirname, '..', '..', 'schemas');
  const titles = readdirSync(folder).map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')).title);
  expect(titles).toEqual(expect.arrayContaining(Object.keys(DOCUMENTS)));
});
