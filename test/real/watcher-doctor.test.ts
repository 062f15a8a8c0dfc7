import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { documentOf, fleet, stagehand } from '../support/fleet-commands.ts';
import { isoAgo, makeDrivers, taskDir } from '../support/made-drivers.ts';
import { HOUR, makeTask } from '../support/made-fleet.ts';
import { eachTestAWorld, ownFile, rosterFault } from '../support/stand-in.ts';
import { editTask } from '../support/supervised.ts';

const world = eachTestAWorld();
const CLAIM = join(import.meta.dirname, '..', '..', 'bin', 'task-claim.cjs');

interface Finding {
  check: string;
  level: string;
  task: string | null;
  words: string;
  means: string | null;
  mend: string | null;
  fixed: boolean;
}

async function examined(args: string[] = [], env: Record<string, string> = {}) {
  const done = await fleet(world(), 'watcher-doctor', ['--json', ...args], env);
  const { findings, healthy } = documentOf(done) as { findings: Finding[]; healthy: boolean };
  const wrong = findings.filter(({ level }) => level !== 'ok');
  for (const { means, mend } of wrong)
    expect([means, mend]).toEqual([expect.stringMatching(/./), expect.stringMatching(/./)]);
  return { done, findings, healthy, wrong: wrong.map(({ check, task }) => `${check} ${task ?? ''}`.trim()) };
}

it('a fleet that is supervised is healthy, with a Driver as no lane', async () => {
  const cwd = await world().folder();
  await makeDrivers(world(), { a: { cwd, state: 'working' } });
  await fleet(world(), 'supervisor-sweep', []);
  const { done, wrong, healthy, findings } = await examined();
  expect(wrong).toEqual([]);
  expect([done.code, healthy]).toEqual([0, true]);
  expect(findings.find(({ check }) => check === 'watcher')?.words).toContain('a death is the Supervisor’s');
  expect((await fleet(world(), 'watcher-doctor', ['--quiet'])).stdout).toBe('');
});

it('without a sweep: nobody wakes, nobody revives, and each is said with what mends it', async () => {
  const cwd = await world().folder();
  await makeDrivers(world(), { a: { cwd, state: 'working' } });
  rmSync(ownFile(world(), 'sweep.json'));
  const { done, wrong } = await examined();
  expect(done.code).toBe(1);
  expect(wrong.sort()).toEqual(['lanes a', 'sweep', 'timers', 'watcher a']);
});

it('a watcher that closed while the task is open is a failure with that name, never OK', async () => {
  const cwd = await world().folder();
  await makeDrivers(world(), { a: { cwd }, b: { cwd } });
  const closed = { at: isoAgo(HOUR), by: 'task-watcher', kind: 'closed', status: 'EXPIRED', reason: '72 h' };
  writeFileSync(join(taskDir(world(), 'a'), 'events.jsonl'), `${JSON.stringify(closed)}\n`);
  const heart = { tickAt: isoAgo(HOUR), workflowId: 'w', runId: 'r', sid: null };
  writeFileSync(join(taskDir(world(), 'b'), 'watcher.json'), JSON.stringify(heart));
  const { wrong, findings } = await examined();
  expect(wrong).toEqual(['watcher a', 'watcher b']);
  expect(findings.find(({ task }) => task === 'a')).toMatchObject({
    words: expect.stringContaining('watcher closed while the task is open (EXPIRED'),
    mend: 'task-watcher start a',
  });
});

it('sources that can’t be read, and a claude that is not known', async () => {
  await makeDrivers(world(), {});
  rosterFault(world(), { mode: 'garbage' });
  const FLEET_CLAUDE = stagehand(world(), 'odd', 'case "$1" in --version) echo strange;; *) exec claude "$@";; esac');
  const { wrong } = await examined([], { FLEET_CLAUDE });
  expect(wrong).toEqual(expect.arrayContaining(['roster', 'claude']));
});

it('bad tasks, open starts, old questions, dialogs and leftovers; --fix does what is safe', async () => {
  const cwd = await world().folder();
  const fresh = await world().folder('fresh', { trusted: false });
  const made = await makeDrivers(world(), { a: { cwd }, b: { cwd: fresh }, c: { cwd: '/nowhere' } });
  makeTask(world(), 'torn', '{');
  editTask(world(), 'a', { spawnIntent: { sid: 'x', at: isoAgo(HOUR) } });
  await fleet(world(), 'lane-nudge', ['arm', 'lane', '--sid', made.a.sid.replace('a', 'b'), '--text', 'x']);
  const lane = JSON.parse(readFileSync(ownFile(world(), 'lanes/lane.json'), 'utf8'));
  writeFileSync(ownFile(world(), 'lanes/lane.json'), JSON.stringify({ ...lane, sid: made.a.sid }));
  await fleet(world(), 'decision-ledger', [
    'raise',
    '--title',
    'Which way?',
    '--option',
    'a=This',
    '--option',
    'b=That',
  ]);
  const [file = ''] = documentOf(await fleet(world(), 'decision-ledger', ['list', '--json'])).decisions as {
    id: string;
  }[];
  const decision = ownFile(world(), `decisions/${(file as { id: string }).id}.json`);
  writeFileSync(
    decision,
    JSON.stringify({ ...JSON.parse(readFileSync(decision, 'utf8')), raisedAt: isoAgo(25 * HOUR) }),
  );
  const dead = ownFile(world(), `x.lock.${'0'.repeat(20)}-a`);
  writeFileSync(dead, JSON.stringify({ pid: 2 ** 22 - 1, procStart: '1', host: 'h' }));
  const { wrong } = await examined();
  expect(wrong.sort()).toEqual(
    ['decisions', 'dialogs b', 'dialogs c', 'lanes a', 'locks', 'start a', 'tasks torn'].sort(),
  );
  const fixed = await examined(['--fix']);
  expect(
    fixed.findings
      .filter((one) => one.fixed)
      .map(({ check }) => check)
      .sort(),
  ).toEqual(['dialogs', 'lanes', 'locks']);
  expect(existsSync(dead)).toBe(false);
  expect((await examined()).wrong.sort()).toEqual(['decisions', 'dialogs c', 'start a', 'tasks torn']);
});

it('claims that nobody will return, and lost runs; --fix returns them', async () => {
  await makeDrivers(world(), {});
  expect((await examined()).wrong).toEqual([]);
  const holding = await world().run('bash', ['-c', `${process.execPath} ${CLAIM} acquire k --pid $$; true`]);
  expect(holding.code).toBe(0);
  expect((await examined()).wrong).toEqual(['claims']);
  expect((await examined(['--fix'])).findings.find(({ check }) => check === 'claims')).toMatchObject({ fixed: true });
  expect((await examined()).wrong).toEqual([]);
});

it('finds its commands in a systemd unit, an agent of launchd and a crontab', async () => {
  await makeDrivers(world(), {});
  rmSync(ownFile(world(), 'sweep.json'));
  const timers = async () => (await examined()).findings.find(({ check }) => check === 'timers');
  expect(await timers()).toMatchObject({ level: 'wrong' });
  const units = join(world().home, '.config/systemd/user');
  mkdirSync(units, { recursive: true });
  writeFileSync(
    join(units, 'sweep.service'),
    '[Service]\nExecStart=/usr/bin/node /x/bin/supervisor-sweep.cjs --quiet\n',
  );
  expect(await timers()).toMatchObject({ level: 'ok', words: 'a timer runs supervisor-sweep' });
  rmSync(units, { recursive: true });
  const agents = join(world().home, 'Library/LaunchAgents');
  mkdirSync(agents, { recursive: true });
  const words = ['/opt/bin/session-cap', 'expire', '/opt/bin/supervisor-sweep'].map(
    (word) => `<string>${word}</string>`,
  );
  writeFileSync(join(agents, 'a.plist'), `<array>${words.join('\n  ')}</array>`);
  expect(await timers()).toMatchObject({ level: 'ok', words: 'a timer runs supervisor-sweep, session-cap expire' });
});

it('--checkin-text names the board’s open items, and carries the rule', async () => {
  await makeDrivers(world(), { a: { title: 'The thing' } });
  const text = async () => (await fleet(world(), 'watcher-doctor', ['--checkin-text', 'a'])).stdout;
  expect(await text()).toContain('It has no board');
  const board = join(taskDir(world(), 'a'), 'acceptance.json');
  const item = (state: string, words: string) => ({
    state,
    text: words,
    ...(state === 'open' ? {} : { evidence: 'seen' }),
  });
  writeFileSync(
    board,
    JSON.stringify({ groups: [{ title: 'G', items: [item('open', 'one\u001b[2J'), item('met', 'two')] }] }),
  );
  expect(await text()).toMatch(
    /The thing[\s\S]*1 of 2 items open\.\n- G: one·\[2J[\s\S]*“Nothing moved” is not an answer/,
  );
  writeFileSync(board, JSON.stringify({ groups: [{ title: 'G', items: [item('met', 'two')] }] }));
  expect(await text()).toContain('finish it: task-file finish a');
  writeFileSync(board, '{"groups":\n oops}');
  expect(await text()).toContain('line 2, column');
  expect(await fleet(world(), 'watcher-doctor', ['--checkin-text', 'nothing'])).toMatchObject({ code: 66 });
});
