import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { expect, it } from 'vitest';
import { fleet } from '../support/fleet-commands.ts';
import type { World } from '../support/world.ts';
import { inEachWorld } from './worlds.ts';

const start = async (world: World, task: string) => {
  const cwd = await world.folder(`new-${task}`, { trusted: false });
  writeFileSync(`${world.root}/brief.md`, `the brief of ${task}\n`);
  const args = [task, '--cwd', cwd, '--brief', `${world.root}/brief.md`, '--kind', 'interactive', '--json'];
  return { cwd, done: fleet(world, 'start-driver', args) };
};

inEachWorld('~/.claude.json as a link into somebody’s dotfiles', (world) => {
  it('stays a link: a start writes through it, and so does Claude Code; nothing in it is lost', async () => {
    const link = `${world().home}/.claude.json`;
    const target = `${world().home}/dotfiles/claude.json`;
    mkdirSync(`${world().home}/dotfiles`);
    renameSync(link, target);
    symlinkSync('dotfiles/claude.json', link);
    writeFileSync(target, JSON.stringify({ ...JSON.parse(readFileSync(target, 'utf8')), mine: { kept: 1 } }));
    const { cwd, done } = await start(world(), 'linked');
    const said = await done;
    expect(said, said.stdout + said.stderr).toMatchObject({ code: 0 });
    expect(readlinkSync(link)).toBe('dotfiles/claude.json');
    expect(lstatSync(target).isFile()).toBe(true);
    const state = JSON.parse(readFileSync(target, 'utf8'));
    expect(state).toMatchObject({ hasCompletedOnboarding: true, mine: { kept: 1 } });
    expect(state.projects[cwd]).toMatchObject({ hasTrustDialogAccepted: true });
  });

  it('is locked where Claude Code locks it: beside the link', async () => {
    const link = `${world().home}/.claude.json`;
    const lock = `${link}.lock`;
    await world().until(() => !existsSync(lock), { what: 'nobody to hold the lock' });
    mkdirSync(lock);
    const { cwd, done } = await start(world(), 'locked');
    await new Promise((over) => setTimeout(over, 2500));
    const before = JSON.parse(readFileSync(link, 'utf8'));
    rmdirSync(lock);
    const said = await done;
    expect(said, said.stdout + said.stderr).toMatchObject({ code: 0 });
    expect(before.projects?.[cwd]?.hasTrustDialogAccepted).not.toBe(true);
  });
});
