import { join } from 'node:path';
import { HOUR, type Made, makeFleet, makeTask } from './made-fleet.ts';
import { rosterOf } from './stand-in.ts';
import { setPolicy, sweep } from './supervised.ts';
import type { World } from './world.ts';

export const isoAgo = (ms: number): string => new Date(Date.now() - ms).toISOString();

/**
 * Tasks with a Driver each, as sessions of a made fleet (processes that only sleep), awaiting a person so that nothing is due;
 * `over` changes a task. With one sweep behind them, so that the next one has something to compare with.
 */
export async function makeDrivers<Name extends string>(
  world: World,
  tasks: Record<Name, Record<string, unknown>>,
  policy: Record<string, object> = {},
): Promise<Record<Name, Made>> {
  setPolicy(world, policy);
  const names = Object.keys(tasks) as Name[];
  const made = makeFleet(
    world,
    Object.fromEntries(names.map((name) => [name, { ageMs: HOUR }])) as Record<Name, object>,
  );
  for (const name of names) {
    makeTask(world, name, {
      state: 'awaiting-human',
      cwd: `/made/${name}`,
      driverSid: made[name].sid,
      launch: { kind: 'interactive' },
      ...tasks[name],
    });
  }
  await sweep(world);
  return made;
}

/** The roster lists only these of a made fleet from now on; the processes of the others are ended. */
export function onlyThese(world: World, made: Record<string, Made>, living: readonly string[]): void {
  const entries = Object.entries(made);
  for (const [name, { pid }] of entries) if (!living.includes(name)) process.kill(pid, 'SIGKILL');
  const rows = entries
    .filter(([name]) => living.includes(name))
    .map(([name, { pid, sid, id }]) => ({
      pid,
      id,
      cwd: `/made/${name}`,
      kind: 'background',
      startedAt: 1,
      sessionId: sid,
      name,
      status: 'idle',
    }));
  rosterOf(world, rows);
}

export const taskDir = (world: World, task: string): string => join(world.configDir, 'jobs', 'tasks', task);
