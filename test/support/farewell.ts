import { rm } from 'node:fs/promises';
import { endAllOf, pidsWithHome } from './processes.ts';
import { until } from './until.ts';
import type { World } from './world.ts';

/**
 * Empties a world: background sessions by `claude stop`, idle interactive ones by `/exit`, then its tmux servers and its
 * daemon, and at last, by signals, whatever still carries the world's HOME. Returns the pids that would not go.
 */
export async function leave(world: World): Promise<number[]> {
  // A roster that was told to fail would hide who is still here.
  await rm(`${world.configDir}/sim`, { recursive: true, force: true });
  if (pidsWithHome(world.home).length > 0) {
    await politely(world).catch(() => {});
    await world.claude(['daemon', 'stop', '--any'], { timeout: 10_000 }).catch(() => {});
    for (const server of ['viewers', 'default']) await world.tmux.command(['kill-server'], server).catch(() => {});
  }
  return endAllOf(world.home);
}

async function politely(world: World): Promise<void> {
  const rows = await world.roster();
  const stops = rows.filter((row) => row.id && row.pid).map((row) => world.claude(['stop', row.id ?? '']));
  const idle = world.panes.filter((pane) => rows.some((row) => row.pid === pane.pid && row.status === 'idle'));
  const exits = idle.map(async (pane) => {
    await world.keys(pane, 'C-u');
    await world.submit(pane, '/exit');
  });
  await Promise.allSettled([...stops, ...exits]);
  await until(async () => (await world.roster()).every((row) => !idle.some((pane) => pane.pid === row.pid)), {
    timeout: 2000,
    what: 'the idle sessions to leave',
  });
}
