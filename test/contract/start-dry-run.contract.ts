import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { DOCUMENTS } from '../../src/schemas/documents.ts';
import { fleet, stagehand } from '../support/fleet-commands.ts';
import { snapshotOf } from '../support/snapshot.ts';
import type { World } from '../support/world.ts';
import { inEachWorld } from './worlds.ts';

/**
 * A dry run, which must change nothing: none of the fleet's files, nothing in Claude Code's state, no process. (Other files of the
 * config dir are claude's own, and it writes them at every call.)
 */
async function dry(world: World, command: 'start-driver' | 'driver-kickoff', args: string[], env = {}) {
  const places = [`${world.configDir}/jobs/tasks`, `${world.configDir}/jobs/fleet`, `${world.root}/u`];
  const state = `${world.home}/.claude.json`;
  // The real claude counts its own calls in there: of it only what we could have answered is compared.
  const answers = () => {
    if (world.kind === 'sim') return snapshotOf(state);
    const { projects = {}, customApiKeyResponses } = JSON.parse(readFileSync(state, 'utf8'));
    const trusted = Object.keys(projects).filter((folder) => projects[folder].hasTrustDialogAccepted);
    return { trusted, customApiKeyResponses };
  };
  const all = () => ({ ...snapshotOf(...places), answers: answers() });
  const sessions = async () => (await world.roster()).map(({ pid }) => pid).sort();
  const [files, running] = [all(), await sessions()];
  const done = await fleet(world, command, [...args, '--dry-run', '--json'], env);
  expect(all()).toEqual(files);
  expect(await sessions()).toEqual(running);
  const document = done.stdout === '' ? JSON.parse(done.stderr) : JSON.parse(done.stdout);
  expect(DOCUMENTS[document.schema]?.safeParse(document), done.stdout + done.stderr).toMatchObject({ success: true });
  if (done.stdout !== '') expect(document.dryRun).toBe(true);
  return { code: done.code, document };
}

async function untrusted(world: World, task: string): Promise<string[]> {
  const cwd = await world.folder(`dry-${task}`, { trusted: false });
  writeFileSync(`${world.root}/brief.md`, 'the brief\n');
  const config = { cap: { max: 60, memoryFloor: '0%' }, roster: { timeout: '40s' } };
  writeFileSync(`${world.root}/fleet.json`, JSON.stringify(config));
  return [task, '--cwd', cwd, '--brief', `${world.root}/brief.md`];
}

/** In earnest. */
const start = (world: World, args: string[], env = {}) => fleet(world, 'start-driver', [...args, '--json'], env);

inEachWorld('start-driver --dry-run', (world) => {
  it.each(['background', 'interactive'])('says how it would start (%s), and starts so', async (kind) => {
    const args = [...(await untrusted(world(), `first-${kind}`)), '--kind', kind];
    const { code, document } = await dry(world(), 'start-driver', args);
    expect(document).toMatchObject({
      result: 'would-start',
      sessionId: null,
      plan: { kind, cwd: args[2], resumes: null },
    });
    expect(code).toBe(0);
    expect(document.plan.answers).toEqual([
      { question: 'trust', folder: args[2], file: `${world().home}/.claude.json` },
      { question: 'auto-mode-notice', folder: null, file: null },
    ]);
    expect(await start(world(), args)).toMatchObject({ code: 0 });
    expect(await dry(world(), 'start-driver', args)).toMatchObject({ code: 73 });
  });

  it('names every question that it would answer', async () => {
    const args = await untrusted(world(), 'asked');
    writeFileSync(`${args[2]}/.mcp.json`, '{}');
    const more = ['--dry-run', '--json', '--', '--dangerously-skip-permissions'];
    const done = await fleet(world(), 'start-driver', [...args, ...more]);
    expect(JSON.parse(done.stdout).plan.answers).toMatchObject([
      { question: 'trust', folder: args[2] },
      { question: 'bypass-warning', file: `${args[2]}/.claude/settings.local.json` },
      { question: 'auto-mode-notice' },
      { question: 'mcp-servers' },
    ]);
  });

  it('refused for want of a slot says so, with that exit code', async () => {
    const args = await untrusted(world(), 'full');
    writeFileSync(`${world().root}/fleet.json`, JSON.stringify({ cap: { max: 1 } }));
    const { code, document } = await dry(world(), 'start-driver', args);
    expect(code).toBe(75);
    expect(document).toMatchObject({
      result: 'refused',
      words: expect.stringMatching(/^not admitted: \d+ of 1 sessions/),
    });
    const config = { policy: {}, roster: { timeout: '40s' } };
    writeFileSync(`${world().root}/fleet.json`, JSON.stringify(config));
    const broken = stagehand(world(), 'broken-claude', 'exit 1');
    expect(await dry(world(), 'start-driver', args, { FLEET_CLAUDE: broken })).toMatchObject({ code: 69 });
  });

  it.each([
    ['before the spawn', 'would-start', 'case " $* " in *" --name "*) kill -9 $PPID; exit 1;; esac; exec claude "$@"'],
    [
      'after the spawn',
      'would-find',
      'case " $* " in *" --name "*) touch $HOME/spawned;; *agents*) [ -e $HOME/spawned ] && kill -9 $PPID;; esac; exec claude "$@"',
    ],
  ])('of a start that was killed %s: %s', async (when, result, script) => {
    const args = await untrusted(world(), `killed-${when.split(' ')[0]}`);
    const killing = stagehand(world(), 'killing-claude', script);
    expect((await start(world(), args, { FLEET_CLAUDE: killing })).signal).toBe('SIGKILL');
    await world().run('rm', ['-f', `${world().home}/spawned`]);
    await world().until(async () => (await dry(world(), 'start-driver', args)).code === 0, { what: 'it to be told' });
    for (const command of ['start-driver', 'driver-kickoff'] as const) {
      const words = command === 'start-driver' ? args : args.slice(0, 1);
      expect(await dry(world(), command, words)).toMatchObject({ code: 0, document: { result } });
    }
    const done = await start(world(), args);
    expect(done, done.stdout + done.stderr).toMatchObject({ code: 0 });
    expect(JSON.parse(done.stdout).recovered).toBe(result === 'would-find');
  });
});

inEachWorld('driver-kickoff --dry-run', (world) => {
  it('is a verdict: alive, dead and continued, over, not there', async () => {
    const args = await untrusted(world(), 'kick');
    const { sessionId } = JSON.parse((await start(world(), args)).stdout);
    expect(await dry(world(), 'driver-kickoff', ['kick'])).toMatchObject({ code: 73 });
    await world().answered((row) => row.sessionId === sessionId);
    expect(await fleet(world(), 'session-exit', [sessionId])).toMatchObject({ code: 0 });
    const dead = await dry(world(), 'driver-kickoff', ['kick']);
    expect(dead).toMatchObject({ code: 0, document: { result: 'would-start', plan: { resumes: sessionId } } });
    const fresh = await dry(world(), 'driver-kickoff', ['kick', '--fresh']);
    expect(fresh).toMatchObject({ code: 0, document: { plan: { resumes: null } } });
    const file = `${world().configDir}/jobs/tasks/kick/task.json`;
    writeFileSync(file, readFileSync(file, 'utf8').replace('"working"', '"done"'));
    expect(await dry(world(), 'driver-kickoff', ['kick'])).toMatchObject({ code: 77 });
    expect(await dry(world(), 'driver-kickoff', ['nobody'])).toMatchObject({ code: 66 });
  });

  it('while another start of the task runs it is refused, and leaves that start’s lock', async () => {
    const args = await untrusted(world(), 'locked');
    mkdirSync(`${world().configDir}/jobs/fleet/spawn`, { recursive: true });
    const entry = JSON.stringify({ pid: 1, procStart: '1', host: 'elsewhere' });
    writeFileSync(`${world().configDir}/jobs/fleet/spawn/locked.lock.1-x`, entry);
    expect(await dry(world(), 'start-driver', args)).toMatchObject({ code: 75 });
    expect(await dry(world(), 'driver-kickoff', ['locked'])).toMatchObject({ code: 75 });
  });
});
