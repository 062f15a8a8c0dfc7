import { readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { fleet, stagehand } from '../support/fleet-commands.ts';
import { isAlive } from '../support/processes.ts';
import type { World } from '../support/world.ts';
import { userTexts } from './facts.ts';
import { inEachWorld } from './worlds.ts';

const kickoff = (world: World, task: string, more: string[] = [], env: Record<string, string> = {}) =>
  fleet(world, 'driver-kickoff', [task, '--json', ...more], env);

/** A task whose Driver has had its first turn and has left. */
async function leftDriver(world: World, task: string, kind: string) {
  writeFileSync(`${world.root}/brief.md`, `the brief of ${task}\n`);
  const cwd = await world.folder();
  const args = [
    task,
    '--cwd',
    cwd,
    '--brief',
    `${world.root}/brief.md`,
    '--kind',
    kind,
    '--json',
    '--',
    '--permission-mode',
    'acceptEdits',
  ];
  const done = await fleet(world, 'start-driver', args);
  expect(done, done.stdout + done.stderr).toMatchObject({ code: 0 });
  const { sessionId, pid } = JSON.parse(done.stdout) as { sessionId: string; pid: number };
  await world.answered((row) => row.sessionId === sessionId);
  const left = await fleet(world, 'session-exit', [sessionId]);
  expect(left, left.stdout + left.stderr).toMatchObject({ code: 0 });
  expect(isAlive(pid)).toBe(false);
  return { cwd, sessionId };
}

inEachWorld('driver-kickoff', (world) => {
  it.each(['background', 'interactive'])(
    'continues the same conversation, with the words its start was given (%s)',
    async (kind) => {
      const task = `resume-${kind}`;
      const { sessionId } = await leftDriver(world(), task, kind);
      writeFileSync(`${world().root}/again.md`, '-go on\nwith "it"\n');
      const done = await kickoff(world(), task, ['--resume', '--brief', `${world().root}/again.md`]);
      expect(done, done.stdout + done.stderr).toMatchObject({ code: 0 });
      const { pid, ...said } = JSON.parse(done.stdout);
      expect(said.sessionId).toBe(sessionId);
      expect(userTexts(await world().transcript(sessionId))).toEqual([`the brief of ${task}\n`, '-go on\nwith "it"\n']);
      expect(isAlive(pid)).toBe(true);
      const argv = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
      if (kind === 'interactive') expect(argv).toEqual(expect.arrayContaining(['--permission-mode', 'acceptEdits']));
      expect((await world().roster()).filter((row) => row.sessionId === sessionId)).toHaveLength(1);
      expect(await kickoff(world(), task), 'its Driver lives').toMatchObject({ code: 73 });
    },
  );

  it('begins a new conversation when asked to, or when the transcript is gone', async () => {
    const { sessionId } = await leftDriver(world(), 'fresh', 'background');
    const done = await kickoff(world(), 'fresh', ['--fresh']);
    expect(done, done.stdout + done.stderr).toMatchObject({ code: 0 });
    const next = JSON.parse(done.stdout).sessionId;
    expect(next).not.toBe(sessionId);
    expect(userTexts(await world().transcript(next))).toEqual(['the brief of fresh\n']);
    await world().answered((row) => row.sessionId === next);
    expect(await fleet(world(), 'session-exit', [next])).toMatchObject({ code: 0 });
    const file = await world().transcriptFile(next);
    await world().run('rm', [file ?? '']);
    expect(await kickoff(world(), 'fresh', ['--resume'])).toMatchObject({ code: 66 });
    const third = await kickoff(world(), 'fresh');
    expect(third, third.stdout + third.stderr).toMatchObject({ code: 0 });
    expect([sessionId, next]).not.toContain(JSON.parse(third.stdout).sessionId);
  });

  it('lets go of a copy that claude made instead, and counts nothing', async () => {
    const { sessionId } = await leftDriver(world(), 'copied', 'background');
    const copying = stagehand(
      world(),
      'copying-claude',
      'case " $* " in *" --resume "*) echo "note: it is running, so this started a copy" >&2; exec claude --bg --name the-copy "copy";; esac; exec claude "$@"',
    );
    const done = await kickoff(world(), 'copied', ['--resume', '--wait', '40s'], { FLEET_CLAUDE: copying });
    expect(done, done.stdout + done.stderr).toMatchObject({ code: 70 });
    expect(JSON.parse(done.stdout).words).toContain('a copy');
    expect((await world().roster()).filter(({ name, pid }) => name === 'the-copy' && pid !== undefined)).toEqual([]);
    const task = JSON.parse(readFileSync(`${world().configDir}/jobs/tasks/copied/task.json`, 'utf8'));
    expect(task.driverSid).toBe(sessionId);
    expect(task).not.toHaveProperty('spawnIntent');
  });

  it('takes the new id of a version that gives a resumed conversation one each time', async () => {
    const { sessionId } = await leftDriver(world(), 'minted', 'background');
    const minting = stagehand(
      world(),
      'minting-claude',
      'case " $* " in *" --resume "*) exec claude --bg --name minted -- "${@: -1}";; esac; exec claude "$@"',
    );
    const done = await kickoff(world(), 'minted', ['--resume'], { FLEET_CLAUDE: minting });
    expect(done, done.stdout + done.stderr).toMatchObject({ code: 0 });
    const next = JSON.parse(done.stdout).sessionId;
    expect(next).not.toBe(sessionId);
    const task = JSON.parse(readFileSync(`${world().configDir}/jobs/tasks/minted/task.json`, 'utf8'));
    expect(task).toMatchObject({ driverSid: next, workerSid: next });
    expect(task).not.toHaveProperty('spawnIntent');
  });

  it('starts nothing when its Driver comes back while it is getting ready, and gives the slot back', async () => {
    const { sessionId, cwd } = await leftDriver(world(), 'back', 'background');
    // It comes back right after the first look at the roster, which does not show it.
    const late = stagehand(
      world(),
      'late-claude',
      `if [ "$1" = agents ] && mkdir $HOME/looked 2>/dev/null; then
         claude "$@" > $HOME/rows; cd ${cwd}; claude --bg --resume ${sessionId} -- back >/dev/null 2>&1; exec cat $HOME/rows
       fi
       exec claude "$@"`,
    );
    const done = await kickoff(world(), 'back', ['--fresh'], { FLEET_CLAUDE: late });
    expect(done.code, done.stdout + done.stderr).toBe(73);
    const live = (await world().roster()).filter(({ pid, name }) => pid !== undefined && name?.startsWith('back-'));
    expect(live.map((row) => row.sessionId)).toEqual([sessionId]);
    const task = JSON.parse(readFileSync(`${world().configDir}/jobs/tasks/back/task.json`, 'utf8'));
    expect(task).not.toHaveProperty('spawnIntent');
    const status = JSON.parse((await fleet(world(), 'session-cap', ['status', '--json'])).stdout);
    expect(status.reserved).toBe(0);
  });

  it('refuses a task that is over, one that is not there, and one whose Driver’s life can’t be told', async () => {
    await leftDriver(world(), 'over', 'background');
    const file = `${world().configDir}/jobs/tasks/over/task.json`;
    const task = JSON.parse(readFileSync(file, 'utf8'));
    expect(
      await kickoff(world(), 'over', [], { FLEET_CLAUDE: stagehand(world(), 'broken-claude', 'exit 1') }),
    ).toMatchObject({ code: 69 });
    writeFileSync(file, JSON.stringify({ ...task, state: 'done' }));
    expect(await kickoff(world(), 'over')).toMatchObject({ code: 77 });
    expect(await kickoff(world(), 'nobody')).toMatchObject({ code: 66 });
    writeFileSync(file, '{"state": ');
    expect(await kickoff(world(), 'over')).toMatchObject({ code: 65 });
    expect(readFileSync(file, 'utf8')).toBe('{"state": ');
  });
});
