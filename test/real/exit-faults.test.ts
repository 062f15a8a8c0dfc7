import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { bashCall } from '../contract/facts.ts';
import { documentOf, fleet, stagehand } from '../support/fleet-commands.ts';
import { isAlive } from '../support/processes.ts';
import { configure, eachTestAWorld, idleSession, linesOf, recordsOf, rosterFault } from '../support/stand-in.ts';
import type { Pane } from '../support/world.ts';

const world = eachTestAWorld();
const exit = (sid: string, env: Record<string, string> = {}) => fleet(world(), 'session-exit', [sid, '--json'], env);

/** The box holds nothing. */
const EMPTY_BOX = /^❯\u00a0 *$/m;

/** A tmux that does `script` when a call holds the words `on`, before it does what it was asked, and logs every call. */
function tmuxThat(on: string, script: string): { FLEET_TMUX: string; calls: () => string[] } {
  const log = join(world().root, 'tmux-calls');
  const body = `echo "$*" >> '${log}'\ncase "$*" in *${JSON.stringify(on)}*)\n${script}\n;; esac\nexec tmux "$@"`;
  return { FLEET_TMUX: stagehand(world(), 'tmux-that', body), calls: () => linesOf(log) };
}

/** A claude whose n-th roster answer goes through `filter`. */
function doctoredClaude(nth: number, filter: string): string {
  const log = join(world().root, 'roster-calls');
  const script = `if [ "$*" = 'agents --json' ]; then
echo x >> '${log}'
if [ "$(wc -l < '${log}')" = ${nth} ]; then claude "$@" | ${filter}; exit 0; fi
fi
exec claude "$@"`;
  return stagehand(world(), 'doctored-claude', script);
}

const keysSent = (calls: readonly string[]) => calls.filter((call) => call.includes('send-keys'));
const results = () => recordsOf(world(), 'exits.jsonl').filter(({ step }) => step === 'result');

/** Puts a message into a session's inbox, as a script that a stagehand can run. */
async function messenger(pane: Pane, text: string): Promise<string> {
  const path = (await world().sessionFile(pane.pid))?.messagingSocketPath;
  const line = JSON.stringify({ type: 'user', message: { role: 'user', content: text } });
  const file = join(world().root, 'message.cjs');
  writeFileSync(file, `require('node:net').connect(${JSON.stringify(path)}).end(${JSON.stringify(`${line}\n`)});`);
  return `'${process.execPath}' '${file}'`;
}

it('killed between typing and Enter: the session stays with our text, and the next run finishes it', async () => {
  const { pane, sid } = await idleSession(world());
  const { FLEET_TMUX } = tmuxThat(' Enter', 'kill -9 "$PPID"; exit 0');
  expect(await exit(sid, { FLEET_TMUX })).toMatchObject({ signal: 'SIGKILL' });
  expect(await world().screen(pane)).toMatch(/^❯\u00a0\/exit *$/m);
  expect(isAlive(pane.pid)).toBe(true);
  expect(results()).toEqual([]);

  const done = await exit(sid);
  expect(done, done.stdout + done.stderr).toMatchObject({ code: 0 });
  expect(isAlive(pane.pid)).toBe(false);
  const log = recordsOf(world(), 'exits.jsonl');
  expect(log.map(({ step }) => step)).toEqual(['intent', 'intent', 'result']);
  expect(log[2]).toMatchObject({ id: log[1]?.id, verdict: 'left', cleared: true });
});

it.each([
  ['busy', `sed 's/"idle"/"busy"/'`, 'became busy'],
  ['waiting', `sed 's/"idle"/"waiting"/'`, 'became waiting'],
  ['unlisted', `(cat > /dev/null; echo '[]')`, 'no longer lists'],
  ['unreadable', `head -c 20`, 'can’t be read any more'],
])('a session that is %s by the roster after the typing: what was typed is taken back', async (_, filter, words) => {
  const { pane, sid } = await idleSession(world());
  const done = await exit(sid, { FLEET_CLAUDE: doctoredClaude(3, filter) });
  expect(done, done.stdout + done.stderr).toMatchObject({ code: 77 });
  expect(documentOf(done)).toMatchObject({ verdict: 'refused', words: expect.stringContaining(words) });
  expect(await world().screen(pane)).toMatch(EMPTY_BOX);
  expect(isAlive(pane.pid)).toBe(true);
  expect(results()).toMatchObject([{ verdict: 'refused', cleared: true }]);
});

it.each([
  ['right after the typing', 'send-keys -t %0 -l /exit', 1],
  ['right before Enter', ' Enter', 2],
])('a dialog that opens %s gets no key: the pending command does not run', async (_, on, keys) => {
  const cwd = await world().folder();
  const { pane, sid } = await idleSession(world(), { cwd, args: ['--permission-mode', 'manual'] });
  const message = await messenger(pane, bashCall({ command: 'touch approved' }));
  const opens = `tmux "$@"\n${message}\nuntil tmux -S "$3" capture-pane -p -t ${pane.id} | grep -q 'Do you want'; do sleep 0.1; done\n`;
  const first = on.includes('-l') ? `${opens}exit 0` : opens.replace('tmux "$@"\n', '');
  const { calls, ...env } = tmuxThat(on.replace('%0', pane.id), first);
  const done = await exit(sid, env);
  expect(done, done.stdout + done.stderr).toMatchObject({ code: 77 });
  expect(documentOf(done)).toMatchObject({
    verdict: 'refused',
    words: expect.stringContaining('refused after typing'),
  });
  expect(keysSent(calls())).toHaveLength(keys);
  expect(await world().screen(pane)).toMatch(/❯ 1\. Yes/);
  expect(existsSync(join(cwd, 'approved'))).toBe(false);
  expect(isAlive(pane.pid)).toBe(true);
  expect(results()).toMatchObject([{ verdict: 'refused', cleared: false }]);
});

it.each([
  ['before the typing', '-l /exit', EMPTY_BOX, true],
  ['before Enter', ' Enter', /^❯\u00a0\/exit *$/m, false],
])('a client that attaches %s stops it: its person’s keys are not mixed with ours', async (_, on, box, cleared) => {
  const { pane, sid } = await idleSession(world());
  const attach = `tmux -f /dev/null -L viewers new-session -d "env -u TMUX tmux -L default attach-session -t '=${pane.session}'"
until [ "$(tmux -S "$3" display-message -p -t ${pane.id} '#{session_attached}')" = 1 ]; do sleep 0.1; done`;
  const { FLEET_TMUX } = tmuxThat(on, attach);
  const done = await exit(sid, { FLEET_TMUX });
  expect(done, done.stdout + done.stderr).toMatchObject({ code: 77 });
  expect(documentOf(done)).toMatchObject({ words: expect.stringContaining('clients 1') });
  expect(await world().screen(pane)).toMatch(box);
  expect(isAlive(pane.pid)).toBe(true);
  expect(results()).toMatchObject([{ verdict: 'refused', cleared }]);
  expect((await exit(sid)).code).toBe(77);

  await world().tmux.command(['kill-server'], 'viewers');
  await world().until(async () => (await world().tmux.value(pane, 'session_attached')) === '0');
  expect((await exit(sid)).code).toBe(0);
});

it('a pane that vanishes before the typing, its process gone with it: refused, nothing typed anywhere', async () => {
  const other = await idleSession(world());
  const { pane, sid } = await idleSession(world());
  const { FLEET_TMUX } = tmuxThat('-l /exit', `tmux -S "$3" kill-pane -t ${pane.id}`);
  const done = await exit(sid, { FLEET_TMUX });
  expect(done, done.stdout + done.stderr).toMatchObject({ code: 77 });
  expect(documentOf(done)).toMatchObject({ words: 'nothing typed: the pane is gone' });
  expect(await world().screen(other.pane)).toMatch(EMPTY_BOX);
});

it('a pane that holds another program by the time of the typing gets no key', async () => {
  const { pane, sid } = await idleSession(world());
  const { FLEET_TMUX } = tmuxThat('-l /exit', `tmux -S "$3" respawn-pane -k -t ${pane.id} cat`);
  const done = await exit(sid, { FLEET_TMUX });
  expect(done, done.stdout + done.stderr).toMatchObject({ code: 77 });
  expect(documentOf(done)).toMatchObject({ words: expect.stringMatching(/^nothing typed: .*said no \(process \d+/) });
  expect((await world().screen(pane)).trim()).toBe('');
});

it('a second line that a person types behind ours, while the roster is asked: no Enter, their line stays', async () => {
  const { pane, sid } = await idleSession(world());
  const person = `{ cat; tmux -L default send-keys -t '${pane.id}' C-j 'and more'; sleep 0.5; }`;
  const { FLEET_TMUX, calls } = tmuxThat('nothing of this', '');
  const done = await exit(sid, { FLEET_TMUX, FLEET_CLAUDE: doctoredClaude(3, person) });
  expect(done, done.stdout + done.stderr).toMatchObject({ code: 77 });
  expect(keysSent(calls()).filter((call) => call.includes('Enter'))).toEqual([]);
  expect(await world().screen(pane)).toMatch(/^❯\u00a0\/exit *\n {2}and more/m);
  expect(isAlive(pane.pid)).toBe(true);
});

it('moved to the background by a choice at its dialog right behind Enter: not called left', async () => {
  const args = ['--dangerously-skip-permissions', '--settings', '{"skipDangerousModePermissionPrompt":true}'];
  const prompt = bashCall({ command: 'sleep 600', run_in_background: true });
  const pane = await world().startInteractive({ prompt, args, remain: true });
  await world().shows(pane, /· 1 shell ·/);
  const { sessionId: sid = '' } = await world().row(pane, { status: 'busy' });
  await world().until(async () => (await world().sessionFile(pane.pid))?.status === 'shell');
  const claude = stagehand(
    world(),
    'blind',
    `if [ "$1" = agents ]; then claude "$@" | sed 's/"busy"/"idle"/'; else exec claude "$@"; fi`,
  );
  const { FLEET_TMUX } = tmuxThat(
    ' Enter',
    `tmux "$@"; until tmux -S "$3" capture-pane -p -t ${pane.id} | grep -q 'Background work'; do sleep 0.05; done
tmux -S "$3" send-keys -t ${pane.id} 2; while [ -e /proc/${pane.pid}/exe ]; do sleep 0.05; done; exit 0`,
  );
  const done = await exit(sid, { FLEET_TMUX, FLEET_CLAUDE: claude });
  expect(done, done.stdout + done.stderr).toMatchObject({ code: 75 });
  expect(documentOf(done)).toMatchObject({
    verdict: 'still-running',
    words: expect.stringContaining('moved to the background'),
  });
  expect(isAlive(pane.pid)).toBe(false);
  const moved = await world().row((row) => row.kind === 'background' && row.pid !== undefined);
  expect(moved.sessionId).not.toBe(sid);
});

it('a roster that hangs: 69 in time, nothing typed', async () => {
  configure(world(), { roster: { timeout: '1s' } });
  const { pane, sid } = await idleSession(world());
  rosterFault(world(), { mode: 'hang' });
  const began = performance.now();
  const done = await exit(sid);
  expect(performance.now() - began).toBeLessThan(1000 + 3000);
  expect(done, done.stdout + done.stderr).toMatchObject({ code: 69 });
  expect(documentOf(done)).toMatchObject({ verdict: 'unreadable', guards: [] });
  expect(await world().screen(pane)).toMatch(EMPTY_BOX);
  expect(recordsOf(world(), 'exits.jsonl')).toEqual([]);
});

it('a tmux that can’t be asked: 69, nothing done', async () => {
  const { pane, sid } = await idleSession(world());
  const FLEET_TMUX = stagehand(world(), 'sick-tmux', `echo 'server version is too old for client' >&2; exit 1`);
  const done = await exit(sid, { FLEET_TMUX });
  expect(done, done.stdout + done.stderr).toMatchObject({ code: 69 });
  expect(documentOf(done)).toMatchObject({ words: expect.stringContaining('too old for client') });
  expect(isAlive(pane.pid)).toBe(true);
});

it('a tmux that is not found (cron’s PATH is short), where a server’s socket is: 69, nothing done', async () => {
  const { pane, sid } = await idleSession(world());
  const done = await exit(sid, { FLEET_TMUX: join(world().root, 'no-tmux') });
  expect(done, done.stdout + done.stderr).toMatchObject({ code: 69 });
  expect(documentOf(done)).toMatchObject({ words: expect.stringMatching(/nothing done: address: .*ENOENT/) });
  expect(isAlive(pane.pid)).toBe(true);
});

it('two at once on one session: while one is at it the other says 75, and /exit is typed once', async () => {
  const { pane, sid } = await idleSession(world());
  const [arrived, goOn] = [join(world().root, 'arrived'), join(world().root, 'go-on')];
  const { calls, ...env } = tmuxThat('-l /exit', `touch '${arrived}'; until [ -e '${goOn}' ]; do sleep 0.05; done`);
  const first = exit(sid, env);
  await world().until(() => existsSync(arrived), { what: 'the first to begin typing' });
  const second = await exit(sid, env);
  writeFileSync(goOn, '');
  expect(second, second.stdout).toMatchObject({ code: 75, stdout: '' });
  expect(JSON.parse(second.stderr).message).toMatch(/^the exit of session .* is locked by process \d+/);
  expect((await first).code).toBe(0);
  expect(isAlive(pane.pid)).toBe(false);
  expect(calls().filter((call) => call.includes('-l /exit'))).toHaveLength(1);
});

it('two started at the same moment: one lets it leave, the other stands back', async () => {
  const { pane, sid } = await idleSession(world());
  const ends = await Promise.all([exit(sid), exit(sid)]);
  const [one, other] = ends.map(({ code }) => code).sort();
  expect(one).toBe(0);
  expect([66, 75, 77]).toContain(other);
  expect(isAlive(pane.pid)).toBe(false);
});
