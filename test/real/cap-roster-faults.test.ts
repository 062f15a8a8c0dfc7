import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { fleet } from '../support/fleet-commands.ts';
import { isAlive, signalQuietly } from '../support/processes.ts';
import {
  configure,
  countingClaude,
  eachTestAWorld,
  idleSession,
  ownFile,
  recordsOf,
  rosterFault,
  statusOf,
} from '../support/stand-in.ts';
import type { World } from '../support/world.ts';

const world = eachTestAWorld();
const admit = (env: Record<string, string> = {}) => fleet(world(), 'session-cap', ['admit'], env);

it.each([
  ['hangs', { mode: 'hang' }, 'gave no answer within 1 s'],
  ['hangs and ignores SIGTERM', { mode: 'hang', ignoreTerm: true }, 'gave no answer within 1 s'],
  ['prints nothing', { mode: 'empty' }, 'empty output'],
  ['prints no JSON', { mode: 'garbage' }, 'not JSON'],
  ['is cut off', { mode: 'torn' }, 'not JSON'],
  ['fails', { mode: 'exit1' }, 'not reachable'],
  ['is disabled', { mode: 'disabled' }, 'disabled'],
])('a roster that %s: 69 in time, not admitted, and no session touched', async (_, wish, words) => {
  configure(world(), { roster: { timeout: '1s' } });
  const { pane } = await idleSession(world());
  const screen = await world().screen(pane);
  rosterFault(world(), wish);
  const began = performance.now();
  const done = await admit();
  expect(performance.now() - began).toBeLessThan(1000 + 3000);
  expect([done.code, done.stdout]).toEqual([69, '']);
  expect(done.stderr).toContain(words);
  expect(recordsOf(world(), 'refusals.jsonl')).toMatchObject([{ reason: 'roster-unreadable', counted: null }]);
  rosterFault(world(), undefined);
  endReader(world());
  expect(isAlive(pane.pid)).toBe(true);
  expect(await world().screen(pane)).toBe(screen);
  // A failed answer serves for a second, as any other.
  await world().until(async () => (await statusOf(world())).live === 1, { what: 'the roster to be read again' });
  expect(await statusOf(world())).toMatchObject({ reserved: 0 });
});

it('beside a reader that hangs and can’t be ended no second one is started; when it is gone, one is', async () => {
  configure(world(), { roster: { timeout: '1s' } });
  rosterFault(world(), { mode: 'hang', ignoreTerm: true });
  const { command, calls } = countingClaude(world());
  expect((await admit({ FLEET_CLAUDE: command })).code).toBe(69);
  rosterFault(world(), undefined);
  const done = await Promise.all([admit({ FLEET_CLAUDE: command }), admit({ FLEET_CLAUDE: command })]);
  expect(done.map(({ code }) => code)).toEqual([69, 69]);
  expect(done[0]?.stderr).toMatch(/has not ended: process \d+; no other is started beside it/);
  expect(calls()).toEqual(['agents --json']);
  expect(endReader(world())).toBe(true);
  await world().until(async () => (await admit({ FLEET_CLAUDE: command })).code === 0, { what: 'an admission' });
  expect(calls()).toHaveLength(2);
});

it('a claude that is not there: 69 at once, its name', async () => {
  const began = performance.now();
  const done = await admit({ FLEET_CLAUDE: 'no-such-claude' });
  expect(performance.now() - began).toBeLessThan(3000);
  expect(done).toMatchObject({ code: 69, stdout: '', stderr: expect.stringContaining('no-such-claude') });
});

it('a roster that fails once is asked again by the next caller', async () => {
  rosterFault(world(), { mode: 'exit1', times: 1 });
  expect((await admit()).code).toBe(69);
  await world().until(async () => (await admit()).code === 0, { what: 'an admission' });
});

/** Ends the stand-in's reader that would not be ended; false when there is none. */
function endReader(at: World): boolean {
  try {
    const { reader } = JSON.parse(readFileSync(ownFile(at, 'roster.flight'), 'utf8'));
    if (!isAlive(reader.pid)) return false;
    signalQuietly(reader.pid, 'SIGKILL');
    return true;
  } catch {
    return false;
  }
}
