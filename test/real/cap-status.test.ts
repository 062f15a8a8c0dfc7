import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { documentOf, fleet } from '../support/fleet-commands.ts';
import { makeFleet } from '../support/made-fleet.ts';
import { makeReport } from '../support/made-report.ts';
import { eachTestAWorld, idleSession, rosterFault, rosterOf, sleepers, statusOf } from '../support/stand-in.ts';

const world = eachTestAWorld({ env: { CLAUDE_SIM_SPARES: '1' } });
const BIN = join(import.meta.dirname, '..', '..', 'bin', 'session-cap.cjs');
const status = (...args: string[]) => fleet(world(), 'session-cap', ['status', ...args]);
const ESCAPE = '\u001b';

/** What status printed of a screen, without the spaces that tmux keeps at the ends of lines. */
const ownLines = (screen: string) =>
  screen.slice(screen.indexOf('\nsessions '), screen.indexOf('\ndone')).replace(/ +$/gm, '').split('\n');

/** Runs a shell line in which $cap is session-cap. */
const shell = (line: string, env: Record<string, string> = {}) =>
  world().run('bash', ['-c', `cap="${process.execPath} ${BIN}"\n${line}`], { env });

/** Fifty sessions whose names are as long and as hostile as names can be. */
function hostileFleet(): void {
  const names = [
    `${ESCAPE}[2J${ESCAPE}]0;owned\u0007red`,
    'two\nlines\r\n',
    '\u202egnp.exe',
    '\u009b31mC1',
    `long ${'x'.repeat(500)}`,
    '名前は長い'.repeat(20),
    '$(touch owned) `id` "quoted" \\',
  ];
  const pids = sleepers(world(), 50);
  rosterOf(
    world(),
    pids.map((pid, at) => ({
      pid,
      kind: 'interactive',
      status: at % 2 ? 'idle' : `busy${ESCAPE}[31m`,
      name: names[at % names.length],
      sessionId: `${at.toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`,
      cwd: `/tmp/${ESCAPE}[5m`,
      startedAt: 1,
    })),
  );
}

it('shows sessions, ceiling, memory and where each lives', async () => {
  const { sid } = await idleSession(world(), { name: 'lane-7', args: ['--name', 'builder'] });
  const { stdout, code } = await status('--max', '9');
  expect(code).toBe(0);
  expect(stdout).toMatch(/^sessions {2}1 of 9 {2}\(1 live, 0 starting or on a dialog, 0 reserved\) {2}admits$/m);
  expect(stdout).toMatch(/^memory {4}[\d.]+ \w+ of [\d.]+ \w+ available \(\d+%\), floor /m);
  expect(stdout).toMatch(new RegExp(`^${sid.slice(0, 8)} +tmux +idle +\\d+s +[\\d.]+ MB +lane-7:0 +builder$`, 'm'));
});

it('says 1 when no further session would be admitted, and why', async () => {
  await fleet(world(), 'session-cap', ['admit', '--for', 'x']);
  expect(await status('--max', '1')).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/refuses\n +1 of 1 sessions .*\n[\s\S]*^reserved {2}x {2}since /m),
  });
});

it('shows the helpers with their memory, RSS and PSS, as no sessions', async () => {
  const { id } = await world().startBackground({ prompt: 'hi' });
  await world().answered((row) => row.id === id);
  await world().until(async () => ((await statusOf(world())).helpers as { count: number }).count === 4);
  const { helpers } = await statusOf(world());
  const { rssBytes, pssBytes, roles } = helpers as { rssBytes: number; pssBytes: number; roles: object };
  expect(roles).toEqual({ daemon: 1, 'pty-host': 2, spare: 1, attach: 0, 'agents-view': 0 });
  expect(rssBytes).toBeGreaterThan(pssBytes);
  expect(pssBytes).toBeGreaterThan(4 << 20);
  expect((await status()).stdout).toMatch(/^helpers {3}1 daemon, 2 pty-host, 1 spare: .* RSS, .* PSS, no sessions$/m);
});

it('an unreadable roster: 69, and the live sessions are not known rather than none', async () => {
  rosterFault(world(), { mode: 'garbage' });
  const done = await status('--json');
  expect(done.code).toBe(69);
  expect(documentOf(done)).toMatchObject({ live: null, counted: null, admits: false, reason: 'roster-unreadable' });
  expect((await status()).stdout).toMatch(/^sessions {2}unknown: .*not JSON$/m);
});

it('stands beside a lock that is held', async () => {
  const lock = join(world().configDir, 'jobs', 'fleet', 'admissions.json.lock.00000000000000000001-x');
  await fleet(world(), 'session-cap', ['admit']);
  writeFileSync(lock, '{"pid":1,"procStart":"torn');
  const began = performance.now();
  expect((await status()).code).toBe(0);
  expect(performance.now() - began).toBeLessThan(4000);
});

it('names that hold escapes do nothing to a terminal, and are whole in the document', async () => {
  hostileFleet();
  const { stdout } = await status('--max', '99');
  // biome-ignore format: one set of characters
  expect(stdout.replace(/\n/g, '')).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
  expect(stdout).toContain('·[2J·]0;owned·red');
  const { sessions } = (await statusOf(world())) as { sessions: { name: string }[] };
  expect(sessions.map(({ name }) => name)).toContain(`${ESCAPE}[2J${ESCAPE}]0;owned\u0007red`);
});

it('keeps to the columns of the terminal, with colours there and none under NO_COLOR, and draws the last day', async () => {
  hostileFleet();
  makeReport(`${world().configDir}/jobs`, 300, Date.now());
  for (const [name, env] of Object.entries({ plain: { NO_COLOR: '1' }, coloured: {} })) {
    const pane = await world().tmux.start(['bash', '--norc', '--noprofile'], {
      name,
      cwd: world().root,
      width: 80,
      height: 100,
      env: { ...env, CAP: `${process.execPath} ${BIN}` },
    });
    // A short line, whatever folder this is run in: one that filled the row would be joined with what is below it.
    await world().submit(pane, "$CAP status; echo do''ne");
    const screen = await world().shows(pane, 'done');
    expect(screen).toMatch(/^24 h {6}[▁▂▃▄▅▆▇█ ]{12,} {2}sessions’ RSS, most [\d.]+ GB; least available [\d.]+ GB$/m);
    const rows = screen.split('\n').filter((row) => /^0000[0-9a-f]{4} /.test(row));
    expect(rows).toHaveLength(50);
    // With -J tmux joins what was wrapped: nothing of ours was.
    const joined = await world().tmux.command(['capture-pane', '-p', '-J', '-t', pane.id]);
    expect(ownLines(joined)).toEqual(ownLines(screen));
    const ansi = await world().tmux.command(['capture-pane', '-p', '-e', '-t', pane.id]);
    const own = ansi.slice(ansi.indexOf('sessions'));
    expect(own.includes(`${ESCAPE}[3`), name).toBe(name === 'coloured');
  }
});

it('into a pipe there are no colours, and a reader that goes away is no error', async () => {
  hostileFleet();
  makeReport(`${world().configDir}/jobs`, 300, Date.now());
  const piped = (await shell('$cap status --max 99')).stdout;
  expect(piped).not.toContain(ESCAPE);
  expect(piped).not.toContain('24 h');
  for (const words of ['status', 'status --json', 'log --json', '--help', 'expire --dry-run']) {
    const done = await shell(`set -o pipefail; $cap ${words} | head -c 10`);
    expect([words, done.stderr, done.stdout.length]).toEqual([words, '', 10]);
  }
});

it('the document is complete or not there: with a full pipe and a slow reader too', async () => {
  makeFleet(
    world(),
    Object.fromEntries(Array.from({ length: 120 }, (_, at) => [`s${at}-${'n'.repeat(600)}`, { transcript: null }])),
  );
  const done = await shell('$cap status --json | (sleep 1; cat)');
  expect(done.stdout.length).toBeGreaterThan(65_536);
  expect((documentOf(done).sessions as unknown[]).length).toBe(120);
});

it('--quiet says nothing while there is room, and all when there is none', async () => {
  expect(await status('--quiet')).toMatchObject({ code: 0, stdout: '', stderr: '' });
  expect(await status('--quiet', '--max', '0')).toMatchObject({ code: 1, stdout: expect.stringContaining('refuses') });
});
