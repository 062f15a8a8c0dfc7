import { afterEach, expect, it } from 'vitest';
import { decideHold } from '../../src/lib/decide/hold.ts';
import type { FailedTurn } from '../../src/lib/observe/failed-turn.ts';
import { type LastTurn, readLastTurn } from '../../src/lib/observe/last-turn.ts';
import { type Refusal, SUBSCRIBED, serviceAnswers, serviceRefuses } from '../support/service.ts';
import type { Pane, RosterRow, World } from '../support/world.ts';
import { sidOf } from './facts.ts';
import { inEachWorld } from './worlds.ts';

const HOUR = 3_600_000;
const policy = { limitHold: HOUR, authHold: 6 * HOUR };

async function lastTurn(world: World, sid: string): Promise<LastTurn> {
  const file = await world.transcriptFile(sid);
  return file === undefined ? { kind: 'none' } : readLastTurn(file);
}

/** Waits until the last turn of a session has failed. */
function failure(world: World, sid: string): Promise<FailedTurn> {
  return world.until(
    async () => {
      const last = await lastTurn(world, sid);
      return last.kind === 'failed' && last;
    },
    { what: 'a failed turn', timeout: 30_000 },
  );
}

/** An interactive session whose first turn fails. */
async function failing(world: World, refusal: Refusal): Promise<{ pane: Pane; sid: string; last: FailedTurn }> {
  await serviceRefuses(world, refusal);
  const pane = await world.startInteractive({ prompt: 'hi' });
  const sid = sidOf(await world.row(pane));
  return { pane, sid, last: await failure(world, sid) };
}

inEachWorld(
  'the last turn',
  (world) => {
    afterEach(() => serviceAnswers(world()));

    it.each<[Refusal['mode'], FailedTurn['cause']]>([
      ['auth', 'auth'],
      ['revoked', 'auth'],
      ['credit', 'credit'],
      ['overloaded', 'transient'],
      ['broken', 'transient'],
      ['throttled', 'transient'],
    ])('that the service ended by %s failed on %s', async (mode, cause) => {
      const began = Date.now();
      const { pane, last } = await failing(world(), { mode });
      expect(last).toEqual({ kind: 'failed', cause, at: expect.any(String), words: expect.stringMatching(/\w/) });
      expect(Date.parse(last.at ?? '')).toBeGreaterThanOrEqual(began - 1000);
      expect(Date.parse(last.at ?? '')).toBeLessThanOrEqual(Date.now() + 1000);
      // The session lives on, and its status tells nothing.
      await world().row(pane, { status: 'idle' });
      const verdict = decideHold({ lastTurn: last, now: Date.now(), policy });
      expect(verdict.kind).toBe(cause === 'transient' ? 'free' : 'hold');
    });

    it('that met a usage limit says when it resets, and holds until then', async () => {
      const resetsAt = Math.floor(Date.now() / 1000) + 7200;
      const { pane, last } = await failing(world(), { mode: 'limit', resetsAt });
      expect(last).toMatchObject({ cause: 'limit', resetsAt: resetsAt * 1000 });
      expect(last.words).toMatch(/^You've hit your 5-hour limit · resets \d.*[ap]m \(/);
      await world().shows(pane, 'continuing automatically at');
      await world().row(pane, { status: 'idle' });
      const until = resetsAt * 1000 + 120_000;
      expect(decideHold({ lastTurn: last, now: Date.now(), policy })).toMatchObject({ kind: 'hold', until });
      expect(decideHold({ lastTurn: last, now: until, policy })).toEqual({ kind: 'free' });
    });

    it('that met one far from its reset leaves an interactive session at a question', async () => {
      const resetsAt = Math.floor(Date.now() / 1000) + 3 * 86_400;
      const { pane, last } = await failing(world(), { mode: 'limit', claim: 'seven_day', resetsAt });
      expect(last).toMatchObject({ cause: 'limit', resetsAt: resetsAt * 1000 });
      expect(last.words).toMatch(/^You've hit your weekly limit · resets [A-Z][a-z]{2} \d+, \d.*[ap]m \(/);
      await world().row(pane, { status: 'waiting', waitingFor: 'dialog open' });
      await world().shows(pane, '1. Stop and wait for limit to reset');
      await world().keys(pane, 'Escape');
      await world().row(pane, { status: 'idle' });
      expect(await lastTurn(world(), sidOf(await world().row(pane)))).toEqual(last);
    });

    it('of a background session is told the same way, and its job is blocked', async () => {
      const resetsAt = Math.floor(Date.now() / 1000) + 3 * 86_400;
      await serviceRefuses(world(), { mode: 'limit', claim: 'seven_day', resetsAt });
      const { id } = await world().startBackground({ prompt: 'hi', name: 'limited' });
      const mine = (row: RosterRow) => row.id === id;
      const row = await world().row(mine, { status: 'idle', state: 'blocked' });
      expect(await failure(world(), sidOf(row))).toMatchObject({ cause: 'limit', resetsAt: resetsAt * 1000 });
    });

    it('is no failure any more when an answer came, and still is one until then', async () => {
      const { pane, sid, last } = await failing(world(), { mode: 'auth' });
      await world().row(pane, { status: 'idle' });
      await serviceAnswers(world());
      await world().submit(pane, 'SLOW6');
      await world().row(pane, { status: 'busy' });
      const asked = async () => JSON.stringify(await world().transcript(sid)).includes('SLOW6');
      await world().until(asked, { what: 'the message in the transcript' });
      expect(await lastTurn(world(), sid)).toEqual(last);
      await world().answered(pane);
      expect(await lastTurn(world(), sid)).toEqual({ kind: 'answered' });
    });

    it('tells of a failed one after it, too', async () => {
      const pane = await world().startInteractive({ prompt: 'hi' });
      const sid = sidOf(await world().answered(pane));
      expect(await lastTurn(world(), sid)).toEqual({ kind: 'answered' });
      await serviceRefuses(world(), { mode: 'credit' });
      await world().submit(pane, 'go on');
      expect(await failure(world(), sid)).toMatchObject({ cause: 'credit' });
    });

    it('that only talks of limits and keys is an answer', async () => {
      const talk = "You've hit your limit · resets 3pm (UTC). Invalid API key · Please run /login";
      const pane = await world().startInteractive({ prompt: talk });
      const sid = sidOf(await world().answered(pane));
      expect(await lastTurn(world(), sid)).toEqual({ kind: 'answered' });
    });
  },
  SUBSCRIBED,
);
