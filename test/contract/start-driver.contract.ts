import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { fleet, stagehand } from '../support/fleet-commands.ts';
import { isAlive, pidsWithHome } from '../support/processes.ts';
import type { World } from '../support/world.ts';
import { userTexts } from './facts.ts';
import { inEachWorld } from './worlds.ts';

const HARD = `-p leading dash\n$(touch pwned) \`touch pwned\` "double" 'single' \\n 🚀 é\n\n\tindented;\n`;
const LONG = `${HARD}${'a line with "quotes", $(touch pwned) and `touch pwned` 🚀\n'.repeat(700)}end;\n\n`;

const start = (world: World, task: string, cwd: string, ...more: string[]) =>
  fleet(world, 'start-driver', [task, '--cwd', cwd, '--brief', `${world.root}/brief.md`, '--json', ...more]);

const taskOf = (world: World, task: string) =>
  JSON.parse(readFileSync(`${world.configDir}/jobs/tasks/${task}/task.json`, 'utf8')) as Record<string, unknown>;

const eventsOf = (world: World, task: string) =>
  readFileSync(`${world.configDir}/jobs/tasks/${task}/events.jsonl`, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

/** A folder that nobody has trusted, and a brief. */
async function untrusted(world: World, brief = HARD): Promise<string> {
  writeFileSync(`${world.root}/brief.md`, brief);
  writeFileSync(
    `${world.root}/fleet.json`,
    JSON.stringify({ cap: { max: 60, memoryFloor: '0%' }, roster: { timeout: '40s' } }),
  );
  return world.folder(`fresh-${Math.random().toString(36).slice(2)}`, { trusted: false });
}

/** A claude whose new background session is not in the roster for some seconds, as on a machine that is too busy. */
const shyClaude = (world: World) =>
  stagehand(
    world,
    'shy-claude',
    `case " $* " in
       *" --name "*) claude "$@"; code=$?; date +%s > $HOME/spawned-at; exit $code;;
       *" --all "*) ;;
       *" agents "*) [ $(($(date +%s) - $(cat $HOME/spawned-at 2>/dev/null || echo 0))) -lt 6 ] && echo '[]' && exit;;
     esac
     exec claude "$@"`,
  );

/** Starts a task by it, with less time than that. */
const startShyly = (world: World, task: string, cwd: string, ...more: string[]) => {
  const args = [task, '--cwd', cwd, '--brief', `${world.root}/brief.md`, '--json', '--wait', '2s', ...more];
  return fleet(world, 'start-driver', args, { FLEET_CLAUDE: shyClaude(world) });
};

/** Live sessions that were started for a task. */
const drivers = async (world: World, task: string) =>
  (await world.roster()).filter(({ name, pid }) => pid !== undefined && name?.startsWith(`${task}-`));

const reserved = async (world: World) =>
  JSON.parse((await fleet(world, 'session-cap', ['status', '--json'])).stdout).reserved as number;

inEachWorld('start-driver', (world) => {
  it.each(['background', 'interactive'])(
    'starts a Driver (%s) in a folder nobody trusted, with a long hard brief as its own first prompt',
    async (kind) => {
      const cwd = await untrusted(world(), LONG);
      const done = await start(world(), `long-${kind}`, cwd, '--kind', kind);
      expect(done, done.stdout + done.stderr).toMatchObject({ code: 0 });
      const { sessionId, pid, name } = JSON.parse(done.stdout);
      expect(userTexts(await world().transcript(sessionId))[0]).toBe(LONG);
      expect(isAlive(pid)).toBe(true);
      expect(taskOf(world(), `long-${kind}`)).toMatchObject({
        state: 'working',
        cwd,
        driverSid: sessionId,
        workerSid: sessionId,
        driverName: name,
        launch: { kind },
      });
      expect(taskOf(world(), `long-${kind}`)).not.toHaveProperty('spawnIntent');
      expect(readFileSync(`${world().configDir}/jobs/tasks/long-${kind}/BRIEF.md`, 'utf8')).toBe(LONG);
      expect(existsSync(`${cwd}/pwned`)).toBe(false);
      expect(await drivers(world(), `long-${kind}`)).toHaveLength(1);
      expect(await reserved(world())).toBe(0);
      expect(await start(world(), `long-${kind}`, cwd)).toMatchObject({ code: 73 });
    },
  );

  it('gives a brief as Claude Code keeps it, whatever editor it comes from', async () => {
    const cwd = await untrusted(
      world(),
      '\ufeff# A brief\r\nwith 👩\u200d💻 ⚠\ufe0f and \u001b[31mred\u0007\r\n\u200bend\r\n',
    );
    const done = await start(world(), 'plain', cwd);
    expect(done, done.stdout + done.stderr).toMatchObject({ code: 0 });
    const told = userTexts(await world().transcript(JSON.parse(done.stdout).sessionId))[0];
    expect(told).toBe('# A brief\nwith 👩\u200d💻 ⚠\ufe0f and [31mred\nend\n');
    expect(readFileSync(`${world().configDir}/jobs/tasks/plain/BRIEF.md`, 'utf8')).toBe(told);
  });

  it.each(['/help me', '  /no-such-command x', '\u200b', '/'])(
    'refuses %j, which no session would be told',
    async (brief) => {
      const cwd = await untrusted(world(), brief);
      expect(await start(world(), 'untold', cwd)).toMatchObject({
        code: 65,
        stderr: expect.stringContaining('brief.md: it '),
      });
      expect(existsSync(`${world().configDir}/jobs/tasks/untold`)).toBe(false);
    },
  );

  it('a path at its beginning is no command', async () => {
    const cwd = await untrusted(world(), '/etc/hosts is a file, !not #a @command');
    expect(await start(world(), 'path', cwd)).toMatchObject({ code: 0 });
  });

  it('drops what would make the session a child of the one it is started from', async () => {
    const cwd = await untrusted(world());
    const env = {
      CLAUDECODE: '1',
      CLAUDE_CODE_CHILD_SESSION: '1',
      CLAUDE_CODE_SESSION_ID: '5e551000-0000-4000-8000-00000000000c',
      CLAUDE_PID: '1',
    };
    for (const kind of ['background', 'interactive']) {
      const args = [`child-${kind}`, '--cwd', cwd, '--brief', `${world().root}/brief.md`, '--json', '--kind', kind];
      const done = await fleet(world(), 'start-driver', args, env);
      expect(done, done.stdout + done.stderr).toMatchObject({ code: 0 });
    }
  });

  it.each(['background', 'interactive'])(
    'asked for bypass mode, meets neither its warning nor its disclaimer (%s)',
    async (kind) => {
      const cwd = await untrusted(world());
      const local = `${cwd}/.claude/settings.local.json`;
      await world().run('mkdir', ['-p', `${cwd}/.claude`]);
      writeFileSync(local, JSON.stringify({ mine: { kept: true } }));
      writeFileSync(`${cwd}/.mcp.json`, JSON.stringify({ mcpServers: { demo: { command: 'true', args: [] } } }));
      const done = await start(world(), `bypass-${kind}`, cwd, '--kind', kind, '--', '--dangerously-skip-permissions');
      expect(done, done.stdout + done.stderr).toMatchObject({ code: 0 });
      expect(JSON.parse(readFileSync(local, 'utf8'))).toMatchObject({ mine: { kept: true } });
    },
  );

  it('refused for want of a slot, makes nothing', async () => {
    const cwd = await untrusted(world());
    writeFileSync(`${world().root}/fleet.json`, JSON.stringify({ cap: { max: 1 } }));
    const before = pidsWithHome(world().home).length;
    expect(await start(world(), 'refused', cwd)).toMatchObject({ code: 75 });
    expect(existsSync(`${world().configDir}/jobs/tasks/refused`)).toBe(false);
    expect(pidsWithHome(world().home).length).toBeLessThanOrEqual(before);
  });

  it.each(['background', 'interactive'])(
    'that lands on a question it could not answer is a failed start (%s)',
    async (kind) => {
      const cwd = await untrusted(world());
      // A claude that forgets the trust we gave it, right before it starts.
      const forgetful = stagehand(
        world(),
        'forgetful-claude',
        `case " $* " in *" --name "*) node -e 'const fs=require("fs"),f=process.env.HOME+"/.claude.json",j=JSON.parse(fs.readFileSync(f));j.projects={};fs.writeFileSync(f,JSON.stringify(j))';; esac; exec claude "$@"`,
      );
      const task = `stuck-${kind}`;
      const args = [
        task,
        '--cwd',
        cwd,
        '--brief',
        `${world().root}/brief.md`,
        '--kind',
        kind,
        '--json',
        '--wait',
        '30s',
      ];
      const done = await fleet(world(), 'start-driver', args, { FLEET_CLAUDE: forgetful });
      expect(done, done.stdout + done.stderr).toMatchObject({ code: 70 });
      const said = JSON.parse(done.stdout);
      expect(said).toMatchObject({ result: 'failed', sessionId: null });
      if (kind === 'interactive') {
        expect(said.words).toContain('it stands on a dialog');
        expect(said.excerpt).toContain('No, exit');
        await world().until(
          async () =>
            !(
              await world()
                .tmux.command(['list-sessions', '-F', '#S'])
                .catch(() => '')
            ).includes(task),
          { what: 'the stuck process to leave' },
        );
      } else expect(said.words).toContain('not trusted');
      expect(taskOf(world(), task)).not.toHaveProperty('driverSid');
      expect(taskOf(world(), task)).not.toHaveProperty('spawnIntent');
      expect(eventsOf(world(), task).at(-1)).toMatchObject({ kind: 'spawn-failed', by: 'start-driver' });
      expect(await drivers(world(), task)).toEqual([]);
      expect(await reserved(world())).toBe(0);
      // And once the question is answered, the task gets its Driver.
      await world().trust(cwd);
      const again = await fleet(world(), 'driver-kickoff', [task, '--json']);
      expect(again, again.stdout + again.stderr).toMatchObject({ code: 0 });
      expect(await drivers(world(), task)).toHaveLength(1);
    },
  );

  it.each([
    ['before the spawn', 'background', 'case " $* " in *" --name "*) kill -9 $PPID; exit 1;; esac; exec claude "$@"'],
    ['in the spawn', 'background', 'case " $* " in *" --name "*) kill -9 $PPID;; esac; exec claude "$@"'],
    [
      'after the spawn',
      'background',
      'case " $* " in *" --name "*) touch $HOME/spawned;; *agents*) [ -e $HOME/spawned ] && kill -9 $PPID;; esac; exec claude "$@"',
    ],
    [
      'after the spawn',
      'interactive',
      'case " $* " in *" --name "*) touch $HOME/spawned;; *agents*) [ -e $HOME/spawned ] && kill -9 $PPID;; esac; exec claude "$@"',
    ],
  ])('killed %s (%s) and called again makes one Driver', async (when, kind, script) => {
    const cwd = await untrusted(world());
    const task = `killed-${when.split(' ')[0]}-${kind}`;
    const killing = stagehand(world(), 'killing-claude', script);
    const args = [task, '--cwd', cwd, '--brief', `${world().root}/brief.md`, '--kind', kind, '--json'];
    const first = await fleet(world(), 'start-driver', args, { FLEET_CLAUDE: killing });
    expect(first.signal, first.stdout + first.stderr).toBe('SIGKILL');
    await world().run('rm', ['-f', `${world().home}/spawned`]);
    const second = await start(world(), task, cwd, '--kind', kind);
    expect(second, second.stdout + second.stderr).toMatchObject({ code: 0 });
    expect(await drivers(world(), task)).toHaveLength(1);
    const { sessionId } = JSON.parse(second.stdout);
    expect(userTexts(await world().transcript(sessionId))).toEqual([HARD]);
    expect(taskOf(world(), task)).toMatchObject({ driverSid: sessionId });
  });

  it.each(['background', 'interactive'])(
    'whose session is told anything else first is a failed start, and is let go (%s)',
    async (kind) => {
      const cwd = await untrusted(world());
      // One letter is missing at the end of what it is told.
      const garbling = stagehand(
        world(),
        'garbling-claude',
        'case " $* " in *" --name "*) b="${@: -1}"; set -- "${@:1:$#-1}" "${b%?}";; esac; exec claude "$@"',
      );
      const args = [`garbled-${kind}`, '--cwd', cwd, '--brief', `${world().root}/brief.md`, '--kind', kind, '--json'];
      const done = await fleet(world(), 'start-driver', args, { FLEET_CLAUDE: garbling });
      expect(done, done.stdout + done.stderr).toMatchObject({ code: 70 });
      expect(JSON.parse(done.stdout).words).toContain('its first message is not the brief');
      expect(taskOf(world(), `garbled-${kind}`)).not.toHaveProperty('driverSid');
      await world().until(async () => (await drivers(world(), `garbled-${kind}`)).length === 0, {
        what: 'it to leave',
      });
      expect(await reserved(world())).toBe(0);
    },
  );

  it('that is not to be seen in time leaves nothing that would take its brief later', async () => {
    const cwd = await untrusted(world());
    const done = await startShyly(world(), 'hasty', cwd);
    expect(done, done.stdout + done.stderr).toMatchObject({ code: 70 });
    await world().until(async () => (await drivers(world(), 'hasty')).length === 0, { what: 'nothing of it to run' });
    expect(taskOf(world(), 'hasty')).not.toHaveProperty('spawnIntent');
    expect(await reserved(world())).toBe(0);
    const again = await fleet(world(), 'driver-kickoff', ['hasty', '--json']);
    expect(again, again.stdout + again.stderr).toMatchObject({ code: 0 });
    expect(await drivers(world(), 'hasty')).toHaveLength(1);
  });

  it('that could not be let go, because it works on its brief by then, is found by the next call: one Driver', async () => {
    const cwd = await untrusted(world(), 'SLOW45 to think');
    const done = await startShyly(world(), 'late', cwd);
    expect(done, done.stdout + done.stderr).toMatchObject({ code: 70 });
    expect(eventsOf(world(), 'late').at(-1)).toMatchObject({ kind: 'spawn-failed', stillThere: true });
    const [first] = await drivers(world(), 'late');
    const again = await start(world(), 'late', cwd);
    expect(again, again.stdout + again.stderr).toMatchObject({ code: 0 });
    expect(JSON.parse(again.stdout)).toMatchObject({ sessionId: first?.sessionId, recovered: true });
    expect(await drivers(world(), 'late')).toHaveLength(1);
    expect(taskOf(world(), 'late')).not.toHaveProperty('spawnIntent');
  });

  it('whose command starts the session and then hangs is found by its name', async () => {
    const cwd = await untrusted(world());
    const hanging = stagehand(
      world(),
      'hanging-claude',
      'case " $* " in *" --name "*) claude "$@" >/dev/null; exec sleep 300;; esac; exec claude "$@"',
    );
    const args = ['hanging', '--cwd', cwd, '--brief', `${world().root}/brief.md`, '--json', '--wait', '10s'];
    const done = await fleet(world(), 'start-driver', args, { FLEET_CLAUDE: hanging });
    expect(done, done.stdout + done.stderr).toMatchObject({ code: 0 });
    const [row] = await drivers(world(), 'hanging');
    expect(JSON.parse(done.stdout)).toMatchObject({ sessionId: row?.sessionId, name: row?.name });
    expect(await drivers(world(), 'hanging')).toHaveLength(1);
    expect(await reserved(world())).toBe(0);
  });

  it('gives a pane the fleet’s config directory, whatever the tmux server was started with', async () => {
    const cwd = await untrusted(world());
    await world().tmux.start(['sleep', '60'], { name: 'older', cwd });
    const other = `${world().root}/other`;
    const args = ['placed', '--cwd', cwd, '--brief', `${world().root}/brief.md`, '--kind', 'interactive', '--json'];
    const done = await fleet(world(), 'start-driver', args, { CLAUDE_CONFIG_DIR: other });
    expect(done, done.stdout + done.stderr).toMatchObject({ code: 0 });
    const { sessionId } = JSON.parse(done.stdout);
    const found = await world().run('find', [other, '-name', `${sessionId}.jsonl`]);
    expect(found.stdout.trim().split('\n')).toHaveLength(1);
    expect(found.stdout).toContain(sessionId);
    expect(await world().transcriptFile(sessionId)).toBeUndefined();
  });

  it('gives its slot back when the task can’t be written down', async () => {
    const cwd = await untrusted(world());
    await world().run('mkdir', ['-p', `${world().configDir}/jobs/tasks/blocked/BRIEF.md`]);
    const done = await start(world(), 'blocked', cwd);
    expect(done.code, done.stdout + done.stderr).not.toBe(0);
    expect(done.stderr).not.toContain('    at ');
    expect(await reserved(world())).toBe(0);
  });

  it('from a git hook, trusts its own folder and not the hook’s repository', async () => {
    const cwd = await untrusted(world());
    const other = await world().folder('other-repository', { trusted: false });
    await world().run('git', ['init', '-q', other]);
    const args = ['hooked', '--cwd', cwd, '--brief', `${world().root}/brief.md`, '--json'];
    const done = await fleet(world(), 'start-driver', args, { GIT_DIR: `${other}/.git` });
    expect(done, done.stdout + done.stderr).toMatchObject({ code: 0 });
    const { projects } = JSON.parse(readFileSync(`${world().home}/.claude.json`, 'utf8'));
    expect(projects[cwd]).toMatchObject({ hasTrustDialogAccepted: true });
    expect(projects[other]?.hasTrustDialogAccepted).not.toBe(true);
  });

  it('twice at once makes one Driver', async () => {
    const cwd = await untrusted(world());
    const ends = await Promise.all([start(world(), 'twice', cwd), start(world(), 'twice', cwd)]);
    expect(ends.map(({ code }) => code).sort()).toEqual([0, expect.toBeOneOf([73, 75])]);
    expect(await drivers(world(), 'twice')).toHaveLength(1);
  });
});

inEachWorld('many starts at once', (world) => {
  it('lose no key of Claude Code’s own state file', async () => {
    const count = world().kind === 'real' ? 4 : 20;
    await untrusted(world());
    const file = `${world().home}/.claude.json`;
    const state = JSON.parse(readFileSync(file, 'utf8'));
    const kept = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`key${n}`, { n, deep: [n] }]));
    writeFileSync(file, JSON.stringify({ ...state, ...kept }));
    const cwds = await Promise.all(
      Array.from({ length: count }, (_, n) => world().folder(`many-${n}`, { trusted: false })),
    );
    const ends = await Promise.all(cwds.map((cwd, n) => start(world(), `many-${n}`, cwd, '--wait', '170s')));
    expect(ends.map(({ code, stderr }) => [code, stderr])).toEqual(ends.map(() => [0, '']));
    const after = JSON.parse(readFileSync(file, 'utf8'));
    expect(after).toMatchObject({ ...kept, hasCompletedOnboarding: true });
    for (const cwd of cwds) expect(after.projects[cwd], cwd).toMatchObject({ hasTrustDialogAccepted: true });
    expect(readdirSync(world().home).filter((name) => name.includes('.tmp-'))).toEqual([]);
  });
});
