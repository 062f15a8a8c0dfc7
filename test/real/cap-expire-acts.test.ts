import { expect, it } from 'vitest';
import { documentOf, fleet, stagehand } from '../support/fleet-commands.ts';
import { HOUR, makeTask } from '../support/made-fleet.ts';
import { isAlive } from '../support/processes.ts';
import { configure, eachTestAWorld, idleSession, recordsOf, rosterFault, setAge } from '../support/stand-in.ts';

const world = eachTestAWorld();
const expire = (...args: string[]) => fleet(world(), 'session-cap', ['expire', '--json', ...args]);

/** Sets the transcript of a session back by three days. */
async function age(sid: string): Promise<void> {
  const file = await world().transcriptFile(sid);
  if (file === undefined) throw new Error(`no transcript of ${sid}`);
  setAge(file, 72 * HOUR);
}

/** An idle background session. */
async function background(): Promise<{ sid: string; pid: number }> {
  const { id } = await world().startBackground({ prompt: 'hi' });
  const { sessionId = '', pid = 0 } = await world().answered((row) => row.id === id);
  return { sid: sessionId, pid };
}

it('the silent ones leave by their own door, of both kinds; the others stay', async () => {
  const { pane, sid } = await idleSession(world());
  const hidden = await background();
  const tasked = await idleSession(world());
  const fresh = await idleSession(world());
  for (const one of [sid, hidden.sid, tasked.sid]) await age(one);
  makeTask(world(), 'open', { state: 'working', driverSid: tasked.sid });

  const done = await expire();
  expect(done, done.stdout + done.stderr).toMatchObject({ code: 0, stderr: '' });
  const sessions = documentOf(done).sessions as { sessionId: string; reason: string; outcome: string | null }[];
  expect(Object.fromEntries(sessions.map((one) => [one.sessionId, [one.reason, one.outcome]]))).toEqual({
    [sid]: ['silent', 'left'],
    [hidden.sid]: ['silent', 'left'],
    [tasked.sid]: ['protected', null],
    [fresh.sid]: ['not-silent', null],
  });
  expect([pane, hidden, tasked.pane, fresh.pane].map(({ pid }) => isAlive(pid))).toEqual([false, false, true, true]);
  const ends = (await world().hookLog()).filter((call) => call.hook_event_name === 'SessionEnd');
  expect(ends.map(({ session_id, reason }) => [session_id, reason])).toEqual(
    expect.arrayContaining([
      [sid, 'prompt_input_exit'],
      [hidden.sid, 'other'],
    ]),
  );
  expect(recordsOf(world(), 'exits.jsonl').filter(({ step }) => step === 'result')).toHaveLength(2);
});

it('a draft that a person left keeps a silent session: refused, and said', async () => {
  const { pane, sid } = await idleSession(world());
  await age(sid);
  await world().type(pane, 'not yet');
  await world().shows(pane, 'not yet');
  const done = await expire();
  expect(documentOf(done).sessions).toMatchObject([
    { verdict: 'expire', outcome: 'refused', outcomeWords: expect.stringContaining('a draft stands in the box') },
  ]);
  expect(isAlive(pane.pid)).toBe(true);
  expect(await world().screen(pane)).toContain('not yet');
});

it('a mass verdict lets nobody leave, until --allow-mass', async () => {
  configure(world(), { breaker: { minDeaths: 2 } });
  const both = [await background(), await background()];
  for (const { sid } of both) await age(sid);
  expect((await expire()).code).toBe(77);
  expect(both.map(({ pid }) => isAlive(pid))).toEqual([true, true]);
  const done = await expire('--allow-mass');
  expect(done, done.stdout).toMatchObject({ code: 0 });
  expect(documentOf(done)).toMatchObject({ mass: true, stopped: false });
  expect(both.map(({ pid }) => isAlive(pid))).toEqual([false, false]);
});

it('two at once: one does it, the other says 75', async () => {
  const { pane, sid } = await idleSession(world());
  await age(sid);
  rosterFault(world(), { mode: 'slow', ms: 1000, times: 1 });
  const ends = await Promise.all([expire(), expire()]);
  expect(ends.map(({ code }) => code).sort()).toEqual([0, 75]);
  const later = ends.find(({ code }) => code === 75);
  expect(later?.stdout).toBe('');
  expect(JSON.parse(later?.stderr ?? '')).toMatchObject({
    exitCode: 75,
    message: expect.stringContaining('is locked by process'),
  });
  expect(isAlive(pane.pid)).toBe(false);
});

it('a roster that fails once the verdicts are there: 69, said, nobody touched', async () => {
  const { pane, sid } = await idleSession(world());
  await age(sid);
  const log = `${world().root}/calls`;
  const fails = `if [ "$1" = agents ]; then echo x >> '${log}'; [ "$(wc -l < '${log}')" -gt 1 ] && exit 1; fi`;
  const FLEET_CLAUDE = stagehand(world(), 'fails-later', `${fails}\nexec claude "$@"`);
  const done = await fleet(world(), 'session-cap', ['expire', '--quiet'], { FLEET_CLAUDE });
  expect(done, done.stderr).toMatchObject({ code: 69, stdout: expect.stringMatching(/EXPIRE .*→ nothing done: /) });
  expect(isAlive(pane.pid)).toBe(true);
});

it('an unreadable roster: 69, nobody touched', async () => {
  const { pane, sid } = await idleSession(world());
  await age(sid);
  rosterFault(world(), { mode: 'torn' });
  expect(await expire()).toMatchObject({ code: 69, stdout: '' });
  expect(isAlive(pane.pid)).toBe(true);
  expect(recordsOf(world(), 'exits.jsonl')).toEqual([]);
});
