import { copyFile, mkdir } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { expect, it } from 'vitest';
import { sidOf } from './facts.ts';
import { inEachWorld } from './worlds.ts';

inEachWorld('places', (world) => {
  const slugOf = async (cwd: string, env: Record<string, string> = {}) => {
    const pane = await world().startInteractive({ prompt: 'hi', cwd, env });
    const sid = sidOf(await world().row(pane, { status: 'idle' }));
    await world().until(() => world().transcriptFile(sid), { what: 'a transcript' });
    return basename(dirname((await world().transcriptFile(sid)) ?? ''));
  };

  it('the slug has a dash for all that is no ASCII letter or digit', async () => {
    const cwd = await world().folder('my_proj.v2 ünï');
    expect(await slugOf(cwd)).toBe(`${world().root.replace(/[^a-zA-Z0-9]/g, '-')}-w-my-proj-v2--n-`);
  });

  it('a slug of more than 200 letters is cut and gets a hash of the path', async () => {
    const cwd = await world().folder(`${'long_segment.'.repeat(12)}/${'ab.cd_'.repeat(12)}`);
    let hash = 0;
    for (const letter of cwd) hash = ((hash << 5) - hash + letter.charCodeAt(0)) | 0;
    const flat = cwd.replace(/[^a-zA-Z0-9]/g, '-').slice(0, 200);
    expect(await slugOf(cwd)).toBe(`${flat}-${Math.abs(hash).toString(36)}`);
  });

  it('CLAUDE_CODE_PROJECT_DIR_NAME overrides the slug, but only together with CLAUDE_CONFIG_DIR', async () => {
    const named = { CLAUDE_CODE_PROJECT_DIR_NAME: 'chosen-name' };
    expect(await slugOf(await world().folder('plain'), named)).toMatch(/-w-plain$/);
    const { home, configDir } = world();
    await copyFile(`${home}/.claude.json`, `${configDir}/.claude.json`);
    expect(await slugOf(await world().folder(), { ...named, CLAUDE_CONFIG_DIR: configDir })).toBe('chosen-name');
  });

  it('a session has no transcript until something was said to it', async () => {
    const pane = await world().startInteractive();
    const row = await world().row(pane, { status: 'idle' });
    expect(await world().transcriptFile(sidOf(row))).toBeUndefined();
  });

  it('a session started from inside another one saves nothing and stays out of the roster', async () => {
    const pane = await world().startInteractive({ prompt: 'hi', env: { CLAUDE_CODE_CHILD_SESSION: '1' } });
    await world().shows(pane, '● ok');
    expect((await world().roster(true)).map((row) => row.pid)).not.toContain(pane.pid);
  });

  it('trust of a folder holds for those below it', async () => {
    const cwd = await world().folder('trusted-above');
    await mkdir(`${cwd}/below`);
    const pane = await world().startInteractive({ prompt: 'hi', cwd: `${cwd}/below` });
    await world().row(pane, { status: 'idle' });
  });

  it('--version names the version', async () => {
    expect(await world().claude(['--version'])).toMatchObject({ code: 0, stdout: '2.1.328 (Claude Code)\n' });
  });
});
