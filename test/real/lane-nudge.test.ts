import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { documentOf, fleet } from '../support/fleet-commands.ts';
import { makeDrivers } from '../support/made-drivers.ts';
import { makeFleet } from '../support/made-fleet.ts';
import { eachTestAWorld, idleSession, ownFile, rosterFault, rosterOf } from '../support/stand-in.ts';
import { sweepOf } from '../support/supervised.ts';

const world = eachTestAWorld();
const SID = '7b6a75ce-4d13-4fd3-9f0a-03291e1657ff';
const lane = (...args: string[]) => fleet(world(), 'lane-nudge', args);
const arm = (name: string, sid: string, ...more: string[]) =>
  lane('arm', name, '--sid', sid, '--every', '1s', '--text', `news of ${name}?`, ...more);

async function verdicts(...args: string[]): Promise<Record<string, string>> {
  const { lanes } = documentOf(await lane('tick', '--json', ...args)) as { lanes: { lane: string; verdict: string }[] };
  return Object.fromEntries(lanes.map((one) => [one.lane, one.verdict]));
}

it('sends a lane its check-in when it has been quiet, again after that, and ends with its session', async () => {
  const { pane, sid } = await idleSession(world());
  expect(await arm('review', sid)).toMatchObject({ code: 0 });
  await world().until(async () => (await verdicts()).review === 'nudge', { what: 'a check-in', interval: 300 });
  await world().answered(pane, 2);
  const told = async () => JSON.stringify(await world().transcript(sid)).split('news of review?').length - 1;
  expect(await told()).toBeGreaterThan(0);
  await world().until(async () => (await verdicts()).review === 'nudge', { what: 'another check-in', interval: 300 });
  expect(await fleet(world(), 'session-exit', [sid])).toMatchObject({ code: 0 });
  expect(await verdicts('--dry-run')).toEqual({ review: 'expire' });
  expect(existsSync(ownFile(world(), 'lanes/review.json'))).toBe(true);
  expect(await verdicts()).toEqual({ review: 'expire' });
  expect(existsSync(ownFile(world(), 'lanes/review.json'))).toBe(false);
});

it('follows a session that ran /clear', async () => {
  const { pane, sid } = await idleSession(world());
  await arm('a', sid, '--every', '1h');
  await verdicts();
  await world().submit(pane, '/clear');
  const row = await world().row((one) => one.pid === pane.pid && one.sessionId !== sid, { status: 'idle' });
  await verdicts();
  expect(JSON.parse(readFileSync(ownFile(world(), 'lanes/a.json'), 'utf8'))).toMatchObject({ sid: row.sessionId });
});

it('a roster that can’t be read ends no lane and sends nothing', async () => {
  makeFleet(world(), { a: { row: { sessionId: SID } } });
  await arm('a', SID);
  rosterFault(world(), { mode: 'garbage' });
  expect(await lane('tick')).toMatchObject({ code: 69 });
  expect(await verdicts()).toEqual({ a: 'undetermined' });
  expect(existsSync(ownFile(world(), 'lanes/a.json'))).toBe(true);
});

it('twins, a dialog and a busy turn get nothing', async () => {
  const made = makeFleet(world(), { a: { row: { sessionId: SID } }, b: {} });
  await arm('a', SID);
  const row = { cwd: '/made/a', kind: 'interactive', startedAt: 1, sessionId: SID, name: 'a', status: 'idle' };
  rosterOf(world(), [
    { ...row, pid: made.a.pid },
    { ...row, pid: made.b.pid },
  ]);
  expect(await verdicts()).toEqual({ a: 'undetermined' });
  for (const status of ['waiting', 'busy']) {
    rosterOf(world(), [{ ...row, pid: made.a.pid, status }]);
    expect(await verdicts()).toEqual({ a: 'not-idle' });
  }
});

it('a Driver of an open task is no lane; a task’s release stops the lanes of its Driver', async () => {
  const made = await makeDrivers(world(), { a: {}, b: { state: 'done' } });
  expect(await arm('of-a', made.a.sid)).toMatchObject({ code: 77 });
  expect(await arm('of-b', made.b.sid)).toMatchObject({ code: 0 });
  await makeDrivers(world(), { a: {}, c: { state: 'done' } });
  const { document } = await sweepOf(world(), 'b').catch(() => ({ document: undefined }));
  void document;
  expect(existsSync(ownFile(world(), 'lanes/of-b.json'))).toBe(false);
});

it('list, stop by name and by session, and bad files', async () => {
  await arm('one', SID);
  await arm('two', SID);
  await arm('other', SID.replace('7b', '8b'));
  expect(documentOf(await arm('one', SID, '--json'))).toMatchObject({ replaced: true });
  expect((await lane('list')).stdout.split('\n').filter(Boolean)).toHaveLength(3);
  expect(documentOf(await lane('stop', '--sid', SID, '--json'))).toMatchObject({ stopped: ['one', 'two'] });
  expect(await lane('stop', 'other')).toMatchObject({ code: 0 });
  expect(await lane('stop', 'other')).toMatchObject({ code: 66 });
  writeFileSync(ownFile(world(), 'lanes/torn.json'), '{"sid"');
  writeFileSync(
    ownFile(world(), 'lanes/odd.json'),
    JSON.stringify({ sid: '../x', everyMs: 1000, text: 'x', armedAt: 'now' }),
  );
  const listed = await lane('list');
  expect(listed).toMatchObject({
    code: 65,
    stderr: expect.stringMatching(/odd\.json: sid: no session id[\s\S]*torn\.json/),
  });
});

it('bad words', async () => {
  expect(await lane('arm', '../x', '--sid', SID, '--text', 'x')).toMatchObject({ code: 64 });
  expect(await lane('arm', 'a', '--sid', 'short', '--text', 'x')).toMatchObject({ code: 64 });
  expect(await lane('arm', 'a', '--sid', SID)).toMatchObject({ code: 64 });
  expect(await lane('arm', 'a', '--text', 'x')).toMatchObject({ code: 64 });
  expect(await lane('arm', 'a', '--sid', SID, '--text', '   ')).toMatchObject({ code: 65 });
  expect(await lane('stop')).toMatchObject({ code: 64 });
});
