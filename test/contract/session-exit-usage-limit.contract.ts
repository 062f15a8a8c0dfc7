import { afterEach, expect, it } from 'vitest';
import { fleet } from '../support/fleet-commands.ts';
import { isAlive } from '../support/processes.ts';
import { type Refusal, SUBSCRIBED, serviceAnswers, serviceRefuses } from '../support/service.ts';
import type { Pane, World } from '../support/world.ts';
import { endReasons, sidOf } from './facts.ts';
import { inEachWorld } from './worlds.ts';

const exit = (world: World, sid: string) => fleet(world, 'session-exit', [sid, '--json']);
const inHours = (hours: number) => Math.floor(Date.now() / 1000) + hours * 3600;

/** An interactive session whose first turn met that, once the screen says so. */
async function limited(world: World, refusal: Refusal, says: RegExp): Promise<{ pane: Pane; sid: string }> {
  await serviceRefuses(world, refusal);
  const pane = await world.startInteractive({ prompt: 'hi' });
  const sid = sidOf(await world.row(pane));
  await world.shows(pane, says, { timeout: 30_000 });
  return { pane, sid };
}

const waiting = (world: World) =>
  limited(world, { mode: 'limit', resetsAt: inHours(2) }, /^ {2}⚠ Usage limit reached(?:.*\n){1,3}.*Esc to cancel$/m);

inEachWorld(
  'session-exit, of a session at its usage limit,',
  (world) => {
    afterEach(() => serviceAnswers(world()));

    it('lets one leave that is told how much is used', async () => {
      const { pane, sid } = await limited(world(), { mode: 'warned', resetsAt: inHours(72) }, /You've used 92%/);
      const done = await exit(world(), sid);
      expect(done, done.stdout + done.stderr).toMatchObject({ code: 0 });
      expect(isAlive(pane.pid)).toBe(false);
    });

    it('lets one leave that waits for the limit to reset', async () => {
      const { pane, sid } = await waiting(world());
      await world().row(pane, { status: 'idle' });
      const done = await exit(world(), sid);
      expect(done, done.stdout + done.stderr).toMatchObject({ code: 0 });
      expect(isAlive(pane.pid)).toBe(false);
      expect(await endReasons(world(), sid)).toEqual(['prompt_input_exit']);
    });

    it('refuses behind a draft, and the session goes on waiting', async () => {
      const { pane, sid } = await waiting(world());
      await world().type(pane, 'and then the docs');
      await world().shows(pane, /❯\u00a0and then the docs/);
      const done = await exit(world(), sid);
      expect(done, done.stdout + done.stderr).toMatchObject({ code: 77 });
      expect(JSON.parse(done.stdout).words).toContain('a draft stands in the box: the prompt box holds: and then');
      expect(await world().screen(pane)).toMatch(/❯\u00a0and then the docs\n─+\n {2}⚠ Usage limit reached/);
    });

    it('refuses at the question that a longer wait asks, and goes on once it is closed', async () => {
      const refusal: Refusal = { mode: 'limit', resetsAt: inHours(72), claim: 'seven_day' };
      const { pane, sid } = await limited(world(), refusal, /❯ 1\. Stop and wait/);
      const done = await exit(world(), sid);
      expect(done, done.stdout + done.stderr).toMatchObject({ code: 77 });
      expect(await world().screen(pane)).toMatch(/❯ 1\. Stop and wait/);
      await world().keys(pane, 'Escape');
      await world().shows(pane, /❯\u00a0/);
      await world().row(pane, { status: 'idle' });
      expect(await exit(world(), sid)).toMatchObject({ code: 0 });
    });
  },
  SUBSCRIBED,
);
