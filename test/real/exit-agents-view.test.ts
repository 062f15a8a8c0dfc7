import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { documentOf, fleet } from '../support/fleet-commands.ts';
import { isAlive } from '../support/processes.ts';
import { eachTestAWorld } from '../support/stand-in.ts';
import type { Pane } from '../support/world.ts';

const world = eachTestAWorld();

/** A pane that the process list shows as `claude agents`, with that on its screen. */
async function agentsView(screen: string): Promise<Pane> {
  const cwd = await world().folder();
  const show = `process.stdout.write(${JSON.stringify(screen.replaceAll('\n', '\r\n'))}); setInterval(() => {}, 1000);`;
  writeFileSync(join(cwd, 'agents'), show);
  const command = `exec -a claude '${process.execPath}' agents`;
  const pane = await world().tmux.start(['bash', '-c', command], { name: 'agents-view', cwd });
  await world().shows(pane, screen.trim().split('\n').at(-1) ?? '');
  return pane;
}

async function background(): Promise<{ id: string; pid: number }> {
  const { id } = await world().startBackground({ prompt: 'hi' });
  const { pid = 0 } = await world().answered((row) => row.id === id);
  return { id, pid };
}

const LIST = '\n  Working\n  ✻ hi\n\n❯ describe a task for a new session';

it('a session that may be open in an agents view that somebody watches is not stopped', async () => {
  const { id, pid } = await background();
  const view = await agentsView('● ok\n\n❯\u00a0 half a thought');
  const client = await world().attachClient(view);
  const done = await fleet(world(), 'session-exit', [id, '--json']);
  expect(done, done.stdout + done.stderr).toMatchObject({ code: 69 });
  expect(documentOf(done)).toMatchObject({
    words: expect.stringMatching(/unattached: the agents view of process \d+ may show it/),
  });
  expect(isAlive(pid)).toBe(true);

  await client.detach();
  expect((await fleet(world(), 'session-exit', [id])).code).toBe(0);
  expect(isAlive(pid)).toBe(false);
});

it('an agents view that shows its list shows no session', async () => {
  const { id, pid } = await background();
  await world().attachClient(await agentsView(LIST));
  const done = await fleet(world(), 'session-exit', [id, '--json']);
  expect(done, done.stdout + done.stderr).toMatchObject({ code: 0 });
  expect(isAlive(pid)).toBe(false);
});
