import { join } from 'node:path';
import { expect, it } from 'vitest';
import { documentOf, fleet, stagehand } from '../support/fleet-commands.ts';
import { isAlive } from '../support/processes.ts';
import { eachTestAWorld } from '../support/stand-in.ts';
import type { Finished, Pane } from '../support/world.ts';

const world = eachTestAWorld();
const reap = (args: readonly string[] = [], env: Record<string, string> = {}) =>
  fleet(world(), 'session-cap', ['reap', '--json', ...args], env);

/** A pane that remains on the screen when its process ends. */
function pane(name: string, argv: readonly string[], server = 'default'): Promise<Pane> {
  return world().tmux.start(argv, { name, cwd: world().root, remain: true, server });
}

async function dead(name: string, argv: readonly string[], server = 'default'): Promise<Pane> {
  const made = await pane(name, argv, server);
  const isDead = async () => (await world().tmux.value(made, 'pane_dead', server)) === '1';
  await world().until(isDead, { what: `${name} to be dead` });
  return made;
}

const mark = (one: Pane) => world().tmux.command(['set-option', '-p', '-t', one.id, '@session-fleet', '1']);
const isThere = async (one: Pane, server = 'default') =>
  (await world().tmux.value(one, 'pane_id', server)) !== undefined;

/** The panes that the document names, by tmux session. */
const named = (done: Finished) =>
  Object.fromEntries(
    (documentOf(done).panes as { session: string; reason: string; result: string }[]).map((one) => [
      one.session,
      `${one.reason}: ${one.result}`,
    ]),
  );

/** One pane of each sort. */
async function everySort() {
  const claude = join(world().root, 'bin', 'claude');
  const gone = {
    'dead-claude': await dead('dead-claude', ['claude', '--version']),
    'dead-by-path': await dead('dead-by-path', [claude, '--version']),
    'dead-by-shell': await dead('dead-by-shell', ['claude --version; exit 3']),
    'dead-marked': await dead('dead-marked', ['true']),
  };
  await mark(gone['dead-marked']);
  const stay = {
    'dead-of-a-person': await dead('dead-of-a-person', ['sh', '-c', 'exit 1']),
    'dead-about-claude': await dead('dead-about-claude', ['echo', 'claude']),
    'dead-of-a-namesake': await dead('dead-of-a-namesake', ['sh', '-c', 'exit 0', 'claude-notes']),
    'live-claude': await world().startInteractive({ prompt: 'hi', remain: true, name: 'live-claude' }),
    'live-marked': await pane('live-marked', ['sleep', '600']),
    'live-of-a-person': await pane('live-of-a-person', ['sleep', '600']),
  };
  await mark(stay['live-marked']);
  return { gone: Object.values(gone), stay: Object.values(stay) };
}

const areThere = (panes: readonly Pane[]) => Promise.all(panes.map((one) => isThere(one)));

it('removes dead panes of claude’s and those with the fleet’s mark, and no other', async () => {
  const { gone, stay } = await everySort();
  const dry = await reap(['--dry-run']);
  expect(dry, dry.stderr).toMatchObject({ code: 0, stderr: '' });
  const verdicts = (result: string) => ({
    'dead-claude': `dead-claude: ${result}`,
    'dead-by-path': `dead-claude: ${result}`,
    'dead-by-shell': `dead-claude: ${result}`,
    'dead-marked': `dead-marked: ${result}`,
  });
  expect(named(dry)).toEqual(verdicts('would be removed'));
  expect(await areThere([...gone, ...stay])).toEqual(Array(10).fill(true));
  expect(await world().tmux.value(gone[0] as Pane, 'pane_dead')).toBe('1');

  expect(named(await reap())).toEqual(verdicts('removed'));
  expect(await areThere(gone)).toEqual([false, false, false, false]);
  expect(await areThere(stay)).toEqual(Array(6).fill(true));
  expect(stay.slice(3).map(({ pid }) => isAlive(pid))).toEqual([true, true, true]);
  expect(named(await reap())).toEqual({});
});

it('removes a dead pane beside a live one and leaves the window to that', async () => {
  const shell = await pane('work', ['sleep', '600']);
  const split = ['split-window', '-d', '-P', '-F', '#{pane_id} #{pane_pid}', '-t', shell.id, 'claude', '--version'];
  const [id = '', pid] = (await world().tmux.command(split)).trim().split(' ');
  const half: Pane = { session: 'work', id, pid: Number(pid) };
  await world().until(async () => (await world().tmux.value(half, 'pane_dead')) === '1');
  expect((await reap()).code).toBe(0);
  expect([await isThere(half), await isThere(shell), isAlive(shell.pid)]).toEqual([false, true, true]);
});

it('does not touch a pane that lives again when it acts', async () => {
  const one = await dead('again', ['claude', '--version']);
  const lives = `case "$*" in *if-shell*) tmux -S "$3" respawn-pane -t ${one.id} sleep 600;; esac\nexec tmux "$@"`;
  const done = await reap([], { FLEET_TMUX: stagehand(world(), 'lives-again', lives) });
  expect(named(done)).toEqual({ again: 'dead-claude: the pane lives again' });
  expect(await world().tmux.value(one, 'pane_dead')).toBe('0');
  expect(isAlive(Number(await world().tmux.value(one, 'pane_pid')))).toBe(true);
  expect(await world().tmux.command(['show-options', '-w', '-t', one.id, 'remain-on-exit'])).toMatch(/ on$/m);
});

it('looks at the servers of FLEET_TMUX_SOCKETS too, by name and by path; without it they are not touched', async () => {
  const first = await dead('first', ['claude', '--version']);
  const second = await dead('second', ['claude', '--version'], 'second');
  const third = await dead('third', ['claude', '--version'], 'third');
  expect(named(await reap(['--dry-run']))).toEqual({ first: expect.any(String) });
  const path = join(world().root, 't', `tmux-${process.getuid?.()}`, 'third');
  const done = await reap([], { FLEET_TMUX_SOCKETS: `second:${path}:never-started` });
  expect(done, done.stderr).toMatchObject({ code: 0 });
  expect(Object.keys(named(done)).sort()).toEqual(['first', 'second', 'third']);
  expect([await isThere(first), await isThere(second, 'second'), await isThere(third, 'third')]).toEqual([
    false,
    false,
    false,
  ]);
});

it('a tmux server that hangs: 69 in time, its name, and the panes of the others are seen to', async () => {
  const here = await dead('here', ['claude', '--version']);
  const there = await dead('there', ['claude', '--version'], 'stuck');
  const hangs = `case "$*" in *stuck*) exec sleep 600;; esac\nexec tmux "$@"`;
  const env = { FLEET_TMUX: stagehand(world(), 'hanging-tmux', hangs), FLEET_TMUX_SOCKETS: 'stuck' };
  const began = performance.now();
  const done = await reap([], env);
  expect(performance.now() - began).toBeLessThan(8000);
  expect(done).toMatchObject({ code: 69, stderr: expect.stringMatching(/stuck: tmux: timeout/) });
  expect(documentOf(done).unreadable).toHaveLength(1);
  expect([await isThere(here), await isThere(there, 'stuck')]).toEqual([false, true]);
});

it('no tmux server, or no tmux at all: nothing to do, 0', async () => {
  expect(documentOf(await reap())).toMatchObject({ panes: [], unreadable: [] });
  const began = performance.now();
  expect((await reap([], { FLEET_TMUX: 'no-such-tmux' })).code).toBe(0);
  expect(performance.now() - began).toBeLessThan(3000);
  expect(await fleet(world(), 'session-cap', ['reap', '--quiet'])).toMatchObject({ code: 0, stdout: '', stderr: '' });
});
