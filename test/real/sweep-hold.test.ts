import { expect, it } from 'vitest';
import { documentOf, fleet } from '../support/fleet-commands.ts';
import { isAlive } from '../support/processes.ts';
import { serviceAnswers, serviceRefuses } from '../support/service.ts';
import { eachTestAWorld } from '../support/stand-in.ts';
import {
  killHard,
  liveRows,
  setPolicy,
  startDriver,
  sweep,
  sweepOf,
  sweepUntil,
  taskOf,
} from '../support/supervised.ts';

const world = eachTestAWorld();

/** A Driver whose last turn failed on its usage limit. */
async function limited(task: string) {
  setPolicy(world());
  await sweep(world());
  const driver = await startDriver(world(), task, 'background');
  await sweepOf(world(), task);
  await serviceRefuses(world(), { mode: 'limit', resetsAt: Math.round(Date.now() / 1000) + 3 * 86_400 });
  await fleet(world(), 'session-msg', ['send', driver.sessionId, 'go on']);
  await world().until(
    async () => JSON.stringify(await world().transcript(driver.sessionId)).includes('isApiErrorMessage":true'),
    {
      what: 'a failed turn',
    },
  );
  return driver;
}

async function decisionOf(task: string): Promise<{ id: string; kind: string } | undefined> {
  const listed = documentOf(await fleet(world(), 'decision-ledger', ['list', '--json']));
  return (listed.decisions as { id: string; kind: string; task: string }[]).find((one) => one.task === task);
}

it('an idle Driver at its usage limit is not woken until a person says so; one alarm', async () => {
  const { sessionId } = await limited('idle');
  await world().row((row) => row.sessionId === sessionId, { status: 'idle' });
  const held = await sweepUntil(world(), 'idle', 'alarm driver-hold done');
  expect(held.verdicts.wake).toMatchObject({ kind: 'hold', fires: false });
  expect((await sweepOf(world(), 'idle')).outcomes).toEqual([]);
  const asked = await decisionOf('idle');
  expect(asked).toMatchObject({ kind: 'driver-hold' });
  await serviceAnswers(world());
  await fleet(world(), 'decision-ledger', ['answer', asked?.id ?? '', 'wake-now']);
  const woken = await sweepOf(world(), 'idle');
  expect(woken.outcomes).toEqual(expect.arrayContaining(['answer lift-hold done', 'wake wake done']));
});

it('a dead Driver at its usage limit is not revived until a person says so; one alarm, no storm', async () => {
  const { sessionId } = await limited('dead');
  // Stopped, so that its daemon does not bring it back.
  expect(await fleet(world(), 'session-exit', [sessionId])).toMatchObject({ code: 0 });
  const held = await sweepUntil(world(), 'dead', 'alarm driver-hold done');
  expect(held.verdicts.revival).toMatchObject({ kind: 'hold', fires: false });
  for (let at = 0; at < 3; at++) expect((await sweepOf(world(), 'dead')).outcomes).toEqual([]);
  expect(taskOf(world(), 'dead')).not.toHaveProperty('driverRespawnTimes');
  expect(await liveRows(world(), sessionId)).toEqual([]);
  await serviceAnswers(world());
  const asked = await decisionOf('dead');
  await fleet(world(), 'decision-ledger', ['answer', asked?.id ?? '', 'revive-now']);
  await sweepUntil(world(), 'dead', 'revival revive done');
  expect(await liveRows(world(), sessionId)).toHaveLength(1);
});

it('a Driver that died in the middle of a good turn is revived at once', async () => {
  setPolicy(world());
  await sweep(world());
  const { sessionId, pid } = await startDriver(world(), 'good', 'interactive');
  await sweepOf(world(), 'good');
  await killHard(world(), pid);
  await world().until(() => !isAlive(pid), { what: 'the process to be gone' });
  expect((await sweepOf(world(), 'good')).outcomes).toContain('revival revive done');
  expect(await liveRows(world(), sessionId)).toHaveLength(1);
});
