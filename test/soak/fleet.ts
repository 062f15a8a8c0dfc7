import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { documentOf, type FleetCommand, fleet } from '../support/fleet-commands.ts';
import { makeTask } from '../support/made-fleet.ts';
import { isAlive } from '../support/processes.ts';
import { setPolicy, startDriver } from '../support/supervised.ts';
import type { RosterRow, World } from '../support/world.ts';
import type { Random } from './random.ts';

/** A minute of the defaults is about a second here, or less: two minutes are two hours of a fleet. */
const QUICK = {
  exit: { settle: '2s', quiet: '2s', askWait: '2s', requestGap: '2s', wait: '20s' },
  expire: { idle: '15s' },
  wake: { quiet: '12s', steps: ['12s', '24s', '48s'] },
  revive: { daemonGrace: '3s', watcherGrace: '5s', watcherFresh: '10s', wait: '30s', max: 3, perSweep: 3 },
  breaker: { sweepGap: '5m', minDeaths: 6 },
  watcher: { wedged: '30s' },
  roster: { timeout: '6s' },
};

/** How many more sessions than Drivers may live: new starts and revivals compete for these. */
const ROOM = 6;

export interface Fleet {
  world: World;
  /** The ceiling on live sessions. */
  ceiling: number;
}

/**
 * `drivers` sessions that drive a task each, half of each kind, started by start-driver a few at a time, among `tasks` tasks:
 * of the others most are over, some are parked, and a few wait for a Driver that is gone with its transcript.
 */
export async function populate(world: World, drivers: number, tasks: number): Promise<Fleet> {
  const ceiling = drivers + ROOM;
  setPolicy(world, { ...QUICK, cap: { max: ceiling, memoryFloor: '1%', reservationTtl: '20s' } });
  for (let at = drivers; at < tasks; at++) makeTask(world, `old${at}`, oldTask(world, at));
  const open = Array.from({ length: drivers }, (_, at) => `task${at}`);
  const worker = async () => {
    for (let name = open.shift(); name !== undefined; name = open.shift()) {
      const kind = Number(name.slice(4)) % 2 === 0 ? 'interactive' : 'background';
      await startDriver(world, name, kind, ['--permission-mode', 'default']);
    }
  };
  await Promise.all([worker(), worker(), worker()]);
  return { world, ceiling };
}

function oldTask(world: World, at: number): object {
  const at0 = '2026-01-01T00:00:00.000Z';
  const base = {
    id: `old${at}`,
    createdAt: at0,
    stateChangedAt: at0,
    cwd: `${world.root}/w`,
    driverSid: `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`,
    driverName: `old${at}-0000`,
    launch: { kind: at % 2 === 0 ? 'interactive' : 'background', args: ['--permission-mode', 'default'] },
  };
  const over = { releasedAt: at0, exitedAt: at0 };
  if (at % 30 === 0) return { ...base, state: 'working' };
  if (at % 30 === 1) return { ...base, state: 'awaiting-human' };
  if (at % 10 === 2) return { ...base, ...over, state: 'parked' };
  return { ...base, ...over, state: at % 10 === 3 ? 'abandoned' : 'done' };
}

/** A file with a brief for new Drivers. */
export function briefOf(world: World): string {
  const file = `${world.root}/brief.md`;
  if (!existsSync(file)) writeFileSync(file, 'a brief\n');
  return file;
}

export const run = (world: World, command: FleetCommand, ...args: string[]) => fleet(world, command, args);

/** The live rows of the roster. */
export async function living(world: World): Promise<RosterRow[]> {
  const rows = await world.roster();
  return rows.filter(({ pid }) => pid !== undefined && isAlive(pid));
}

export function tasksIn(world: World): string[] {
  const folder = `${world.configDir}/jobs/tasks`;
  return existsSync(folder) ? readdirSync(folder).filter((name) => existsSync(`${folder}/${name}/task.json`)) : [];
}

/** Every pane: its id and the process it was started with. */
export async function panesOf(world: World): Promise<Map<number, string>> {
  const { stdout } = await world.run('tmux', ['list-panes', '-a', '-F', '#{pane_pid} #{pane_id}']);
  const lines = stdout.split('\n').filter((line) => line !== '');
  return new Map(lines.map((line) => line.split(' ')).map(([pid, pane = '']) => [Number(pid), pane]));
}

/** A live session by chance, and its pane where it has one. */
export async function somebody(world: World, random: Random, kind?: 'interactive' | 'background') {
  const rows = (await living(world)).filter((row) => kind === undefined || row.kind === kind);
  const row = random.pick(rows);
  if (row?.pid === undefined) return undefined;
  return { ...row, pid: row.pid, pane: (await panesOf(world)).get(row.pid) };
}

export async function openDecisions(world: World) {
  const listed = documentOf(await run(world, 'decision-ledger', 'list', '--json'));
  return listed.decisions as { id: string; task: string | null; state: string; options: { id: string }[] }[];
}
