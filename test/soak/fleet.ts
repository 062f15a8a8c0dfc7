import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { documentOf, type FleetCommand, fleet } from '../support/fleet-commands.ts';
import { isAlive } from '../support/processes.ts';
import { setPolicy, startDriver, taskOf } from '../support/supervised.ts';
import type { RosterRow, World } from '../support/world.ts';

const QUICK = {
  cap: { max: 500 },
  exit: { settle: '2s', quiet: '2s', askWait: '2s', requestGap: '2s', wait: '20s' },
  expire: { idle: '1h' },
  wake: { quiet: '3s', steps: ['3s', '6s', '12s'] },
  revive: { daemonGrace: '3s', watcherGrace: '5s', watcherFresh: '10s', wait: '30s', max: 3, perSweep: 3 },
  breaker: { sweepGap: '5m', minDeaths: 6 },
  watcher: { wedged: '30s' },
  roster: { timeout: '10s' },
};

/** What a soak remembers of what it did, to tell it from what the toolkit did. */
export interface Deeds {
  /** Processes that were ended by us, without a word. */
  killed: Set<number>;
  /** Files that a pending command would make, were it ever approved. */
  forbidden: string[];
  /** Drafts by pane. */
  drafts: Map<string, { pid: number; text: string }>;
  /** Latches of tasks as they were seen last. */
  latches: Map<string, Record<string, unknown>>;
  /** Tasks that were un-parked or asked again since: their latches may go. */
  reset: Set<string>;
  /** Commands that were ended in the middle. */
  ended: number;
}

export const newDeeds = (): Deeds => ({
  killed: new Set(),
  forbidden: [],
  drafts: new Map(),
  latches: new Map(),
  reset: new Set(),
  ended: 0,
});

/** Starts Drivers, half of each kind, a few at a time. */
export async function populate(world: World, count: number): Promise<string[]> {
  setPolicy(world, QUICK);
  const names = Array.from({ length: count }, (_, at) => `task${at}`);
  const open = [...names];
  const worker = async () => {
    for (let name = open.shift(); name !== undefined; name = open.shift()) {
      const kind = Number(name.slice(4)) % 2 === 0 ? 'interactive' : 'background';
      await startDriver(world, name, kind, ['--permission-mode', 'default']);
    }
  };
  await Promise.all([worker(), worker(), worker()]);
  return names;
}

export const run = (world: World, command: FleetCommand, ...args: string[]) => fleet(world, command, args);

/** The live rows, read past whatever fault the toolkit is given. */
export async function living(world: World): Promise<RosterRow[]> {
  const rows = await world.roster();
  return rows.filter(({ pid }) => pid !== undefined && isAlive(pid));
}

export function tasksIn(world: World): string[] {
  const folder = `${world.configDir}/jobs/tasks`;
  return existsSync(folder) ? readdirSync(folder).filter((name) => existsSync(`${folder}/${name}/task.json`)) : [];
}

/** Panes by the process they hold. */
export async function paneOf(world: World, pid: number): Promise<string | undefined> {
  const { stdout } = await world.run('tmux', ['list-panes', '-a', '-F', '#{pane_id} #{pane_pid}']);
  return stdout
    .split('\n')
    .find((line) => line.endsWith(` ${pid}`))
    ?.split(' ')[0];
}

export async function openDecisions(world: World) {
  const listed = documentOf(await run(world, 'decision-ledger', 'list', '--json'));
  return listed.decisions as { id: string; task: string | null; state: string; options: { id: string }[] }[];
}

const LATCHES = ['releasedAt', 'exitAskedAt', 'exitRequestedAt', 'exitedAt', 'exitGaveUpAt'];

/** What must be so at every moment; each is said with enough to find it. */
export async function check(world: World, deeds: Deeds): Promise<string[]> {
  const wrong: string[] = [];
  const rows = await living(world);
  const byId = new Map<string, number>();
  for (const { sessionId = '' } of rows) byId.set(sessionId, (byId.get(sessionId) ?? 0) + 1);
  for (const [sid, count] of byId) if (count > 1) wrong.push(`${count} processes are session ${sid}`);
  for (const name of tasksIn(world)) {
    const task = taskOf(world, name);
    const drivers = rows.filter((row) => row.sessionId === task.driverSid || row.name?.startsWith(`${name}-`));
    if (drivers.length > 1)
      wrong.push(`${name} has ${drivers.length} Drivers: ${drivers.map(({ pid }) => pid).join(' ')}`);
    const before = deeds.latches.get(name) ?? {};
    const now = Object.fromEntries(LATCHES.map((latch) => [latch, task[latch]]));
    for (const latch of LATCHES) {
      if (before[latch] !== undefined && now[latch] === undefined && !deeds.reset.has(name))
        wrong.push(`${name} lost ${latch}`);
    }
    deeds.latches.set(name, now);
    deeds.reset.delete(name);
  }
  for (const file of deeds.forbidden) if (existsSync(file)) wrong.push(`a pending command was approved: ${file}`);
  for (const [pane, { pid, text }] of deeds.drafts) {
    if (!isAlive(pid)) {
      if (!deeds.killed.has(pid)) wrong.push(`process ${pid} left though a draft stood in its pane ${pane}`);
      deeds.drafts.delete(pane);
      continue;
    }
    const { stdout } = await world.run('tmux', ['capture-pane', '-p', '-t', pane]);
    // A question hides the box; what stands in it comes back with it.
    if (!stdout.includes(text) && !stdout.includes('Do you want to proceed?'))
      wrong.push(`the draft in pane ${pane} is gone: ${stdout}`);
  }
  return wrong;
}

/** Whether a file of JSON lines has only whole lines but the last. */
export function tornLines(file: string): number {
  if (!existsSync(file)) return 0;
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return lines.filter((line) => {
    try {
      JSON.parse(line);
      return false;
    } catch {
      return true;
    }
  }).length;
}
