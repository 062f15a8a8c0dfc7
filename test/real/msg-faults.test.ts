import { spawnSync } from 'node:child_process';
import { appendFileSync, chmodSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { documentOf, fleet } from '../support/fleet-commands.ts';
import { eachTestAWorld, idleSession, ownFile, recordsOf } from '../support/stand-in.ts';
import type { Pane, World } from '../support/world.ts';

const BIN = join(import.meta.dirname, '..', '..', 'bin', 'session-msg.cjs');
const world = eachTestAWorld();
const traces = spawnSync('strace', ['-o', '/dev/null', 'true']).status === 0;

const send = (sid: string, ...words: string[]) => fleet(world(), 'session-msg', ['send', sid, '--json', ...words]);

/** How often a text was said to a session. */
async function times(made: World, sid: string, text: string): Promise<number> {
  const lines = await made.transcript(sid);
  return lines.filter((line) => line.type === 'user' && JSON.stringify(line.message).includes(text)).length;
}

describe.runIf(traces)('a sender that is killed', () => {
  it.each([
    ['before its intent is written', 'write', 1, 0],
    ['between intent and post', 'connect', 1, 1],
    ['between post and result', 'write', 2, 0],
  ])('%s: nothing is lost, nothing comes twice', async (_, call, when, waits) => {
    const { sid } = await idleSession(world());
    const log = ownFile(world(), 'mail.jsonl');
    mkdirSync(join(log, '..'), { recursive: true });
    appendFileSync(log, '');
    const only = call === 'write' ? ['-P', log] : [];
    const inject = ['-qq', '-o', '/dev/null', ...only, '-e', `inject=${call}:signal=KILL:when=${when}`];
    const words = ['send', sid, 'once and only once', '--id', 'killed-1'];
    const killed = await world().run('strace', [...inject, process.execPath, BIN, ...words], { timeout: 60_000 });
    expect(killed.code, killed.stderr).not.toBe(0);
    await new Promise((done) => setTimeout(done, 500));
    expect((await fleet(world(), 'session-msg', ['inbox', sid])).code).toBe(waits);
    const again = await fleet(world(), 'session-msg', [...words, '--json']);
    expect(again, again.stderr).toMatchObject({ code: 0 });
    expect(documentOf(again)).toMatchObject({ verdict: 'delivered', sent: when === 1 });
    expect(await times(world(), sid, 'once and only once')).toBe(1);
    expect((await fleet(world(), 'session-msg', ['inbox', sid])).code).toBe(0);
  });
});

it('two senders of one message at once: one sends it', async () => {
  const { sid } = await idleSession(world());
  const both = await Promise.all([1, 2].map(() => send(sid, 'from both', '--id', 'both-1')));
  expect(both.map(({ code }) => code)).toEqual([0, 0]);
  expect(both.map((done) => documentOf(done).sent).sort()).toEqual([false, true]);
  expect(await times(world(), sid, 'from both')).toBe(1);
});

it('ten senders at once: all arrive', async () => {
  const { sid } = await idleSession(world());
  const all = await Promise.all(Array.from({ length: 10 }, (_, at) => send(sid, `number ${at} of ten`)));
  expect(all.map(({ code }) => code)).toEqual(Array(10).fill(0));
  await world().until(async () => (await times(world(), sid, ' of ten')) === 10, { what: 'all ten' });
});

async function noteOf(pane: Pane) {
  const file = join(world().configDir, 'sessions', `${pane.pid}.json`);
  const note = await world().until(() => world().sessionFile(pane.pid), { what: 'the session file' });
  return { file, note };
}

it.each([
  ['another session', { sessionId: '00000000-0000-4000-8000-000000000000' }],
  ['another start time', { procStart: '1' }],
  ['another pid', { pid: 1 }],
  ['a path that is none', { messagingSocketPath: 'relative.sock' }],
])('a note on its process that names %s: refused, and not typed instead', async (_, wrong) => {
  const { pane, sid } = await idleSession(world());
  const { file, note } = await noteOf(pane);
  writeFileSync(`${file}.new`, JSON.stringify({ ...note, ...wrong }));
  renameSync(`${file}.new`, file);
  const done = await send(sid, 'to whom');
  // The stand-in's roster is made of these notes too: a wrong one there may take the session out of it.
  expect([66, 69, 77], done.stdout + done.stderr).toContain(done.code);
  expect(await times(world(), sid, 'to whom')).toBe(0);
  expect(await world().screen(pane)).not.toContain('to whom');
});

it('an inbox that is no socket: refused', async () => {
  const { pane, sid } = await idleSession(world());
  const { note } = await noteOf(pane);
  rmSync(String(note.messagingSocketPath));
  writeFileSync(String(note.messagingSocketPath), '');
  const done = await send(sid, 'to a file');
  expect(done).toMatchObject({ code: 77 });
  expect(documentOf(done).words).toContain('no socket');
});

it('an inbox that nobody answers: typed', async () => {
  const { pane, sid } = await idleSession(world());
  const { note } = await noteOf(pane);
  const path = String(note.messagingSocketPath);
  rmSync(path);
  // A socket whose listener is gone: bound under another name, so that closing it does not remove this one.
  await new Promise<void>((done) => {
    const server = createServer().listen(`${path}.x`, () => {
      renameSync(`${path}.x`, path);
      server.close(() => done());
    });
  });
  await expect(
    new Promise((done, fail) => {
      const socket = connect(path, () => done(socket.destroy()));
      socket.on('error', fail);
    }),
  ).rejects.toThrow('ECONNREFUSED');
  const done = await send(sid, 'nobody answers');
  expect(done, done.stdout).toMatchObject({ code: 0 });
  expect(documentOf(done)).toMatchObject({ verdict: 'delivered', route: 'typed' });
  expect(recordsOf(world(), 'mail.jsonl').map(({ route, verdict }) => route ?? verdict)).toEqual([
    'socket',
    'refused',
    'typed',
    'delivered',
  ]);
});

it('a log that can’t be written: nothing is sent', async () => {
  const { sid } = await idleSession(world());
  const log = ownFile(world(), 'mail.jsonl');
  mkdirSync(log, { recursive: true });
  const done = await send(sid, 'unlogged');
  expect(done.code).toBe(70);
  expect(await times(world(), sid, 'unlogged')).toBe(0);
});

it.each([
  ['empty', ['']],
  ['blank', [' \n ']],
  ['too long', ['--file', 'long']],
  ['with a NUL', ['--file', 'nul']],
  ['no UTF-8', ['--file', 'latin']],
])('a text that is %s: 65', async (_, words) => {
  const folder = world().root;
  writeFileSync(join(folder, 'long'), 'x'.repeat((64 << 10) + 1));
  writeFileSync(join(folder, 'nul'), 'a\0b');
  writeFileSync(join(folder, 'latin'), Buffer.from([0x61, 0xe9, 0x62]));
  const done = await send('00000000-0000-4000-8000-000000000000', ...words);
  expect(done).toMatchObject({ code: 65, stdout: '' });
  expect(JSON.parse(done.stderr)).toMatchObject({ schema: 'session-fleet.error.v1', exitCode: 65 });
});

it('says what is missing or wrong in its words', async () => {
  const sid = '00000000-0000-4000-8000-000000000000';
  chmodSync(world().root, 0o755);
  for (const [words, code] of [
    [[sid], 64],
    [['not an id', 'x'], 64],
    [[sid, 'x', '--file', 'y'], 64],
    [[sid, 'x', '--id', '../up'], 64],
    [[sid, '--id', 'never-sent'], 66],
    [[sid, '--file', 'no such file'], 66],
    [[sid, '--file', '.'], 65],
  ] as const) {
    expect((await fleet(world(), 'session-msg', ['send', ...words])).code, words.join(' ')).toBe(code);
  }
});
