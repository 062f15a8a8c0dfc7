import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { documentOf, fleet } from '../support/fleet-commands.ts';
import { eachTestAWorld } from '../support/stand-in.ts';

const world = eachTestAWorld();

/** Starts a task in a folder that nobody trusted. */
async function start(task = 'payments') {
  const cwd = await world().folder('fresh', { trusted: false });
  writeFileSync(`${world().root}/brief.md`, 'the brief\n');
  return fleet(world(), 'start-driver', [task, '--cwd', cwd, '--brief', `${world().root}/brief.md`]);
}

const stateFile = () => `${world().home}/.claude.json`;

describe('a ~/.claude.json that can’t be used', () => {
  it.each([
    ['torn', 65, 'not a JSON object', (file: string) => writeFileSync(file, '{"projects": {')],
    ['a list', 65, 'not a JSON object', (file: string) => writeFileSync(file, '[]')],
    ['a folder', 65, 'no plain file', (file: string) => mkdirSync(file)],
    ['a link to itself', 69, 'ELOOP', (file: string) => symlinkSync(file, file)],
    [
      'a link to where nothing can be made',
      70,
      'it can’t be written',
      (file: string) => symlinkSync('/proc/claude.json', file),
    ],
  ])('%s: exit %d in one line, nothing made, the slot given back', async (_, code, words, make) => {
    rmSync(stateFile());
    make(stateFile());
    const done = await start();
    expect(done, done.stderr).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(words) });
    expect(done.stderr).toContain(stateFile());
    expect(done.stderr.trim().split('\n')).toHaveLength(1);
    expect(existsSync(`${world().configDir}/jobs/tasks/payments`)).toBe(false);
    expect(existsSync(`${stateFile()}.lock`)).toBe(false);
    rmSync(stateFile(), { recursive: true });
    expect(documentOf(await fleet(world(), 'session-cap', ['status', '--json']))).toMatchObject({ reserved: 0 });
    expect(await world().roster()).toEqual([]);
  });

  it('that is not there yet is made; one that a link promises is made where the link leads', async () => {
    const kept = `${world().home}/dotfiles/claude.json`;
    rmSync(stateFile());
    symlinkSync(kept, stateFile());
    const done = await start();
    expect(done, done.stderr).toMatchObject({ code: 0 });
    expect(JSON.parse(readFileSync(kept, 'utf8'))).toMatchObject({ hasCompletedOnboarding: true });
  });
});
