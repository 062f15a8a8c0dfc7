import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { documentOf, fleet } from './fleet-commands.ts';
import { taskDir } from './made-drivers.ts';
import { setPolicy } from './supervised.ts';
import type { TemporalServer } from './temporal-server.ts';
import type { World } from './world.ts';

const BIN = join(import.meta.dirname, '..', '..', 'bin', 'task-watcher.cjs');

/** The quick clocks, and a watcher that ticks each second on that server; `watcher` and `over` are laid over them. */
export function setTemporal(
  world: World,
  server: TemporalServer,
  watcher: Record<string, unknown> = {},
  over: Record<string, object> = {},
): void {
  setPolicy(world, { watcher: { interval: '1s', temporal: { address: server.address }, ...watcher }, ...over });
}

/** A `task-watcher worker` of a world. */
export interface RunningWorker {
  pid: number;
  /** What it said so far. */
  said(): string;
  /** Ends it so, and returns its exit code, or the signal that ended it. */
  end(signal: NodeJS.Signals): Promise<number | string>;
}

/** Starts this host's worker in a world; the world ends it with itself. */
export function startWorker(world: World, env: Record<string, string> = {}): RunningWorker {
  const child = spawn(process.execPath, [BIN, 'worker'], {
    env: { ...world.env, ...env },
    cwd: world.root,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  if (child.pid === undefined) throw new Error('the worker could not be started');
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const ended = new Promise<number | string>((done) =>
    child.once('exit', (code, signal) => done(signal ?? code ?? -1)),
  );
  return {
    pid: child.pid,
    said: () => said,
    end: (signal) => {
      child.kill(signal);
      return ended;
    },
  };
}

/** Waits until a worker serves its queue. */
export async function serving(world: World, worker: RunningWorker, times = 1): Promise<void> {
  await world.until(() => worker.said().split('serves task queue').length > times, {
    what: 'a worker that serves',
    timeout: 40_000,
    evidence: worker.said,
  });
}

/** `task-watcher start|stop TASK`, and what it answered. */
export async function watcher(world: World, action: 'start' | 'stop', task: string) {
  const done = await fleet(world, 'task-watcher', [action, task, '--json', '--engine', 'temporal']);
  if (done.code !== 0) throw new Error(`task-watcher ${action} ${task}: ${done.code} ${done.stderr}`);
  return documentOf(done) as { workflowId: string; changed: boolean; words: string };
}

export interface Beat {
  workflowId: string;
  runId: string;
  tickAt: string;
  sid: string | null;
  rosterOk: boolean;
  found: boolean;
}

/** The heartbeat of a task, when there is one. */
export function beatOf(world: World, task: string): Beat | undefined {
  const file = join(taskDir(world, task), 'watcher.json');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

/** Waits for a heartbeat that began after `since` (ms) and fits. */
export function beatAfter(
  world: World,
  task: string,
  since: number,
  fits: (beat: Beat) => boolean = () => true,
): Promise<Beat> {
  return world.until(
    () => {
      const beat = beatOf(world, task);
      return beat !== undefined && Date.parse(beat.tickAt) > since && fits(beat) && beat;
    },
    { what: `a heartbeat of ${task}`, timeout: 60_000, evidence: () => JSON.stringify(beatOf(world, task)) },
  );
}

/** The ends of a task's watchers, by its events. */
export function endsOf(world: World, task: string): { status: string; reason: string }[] {
  const file = join(taskDir(world, task), 'events.jsonl');
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line)).filter(({ kind }) => kind === 'closed');
}

/** Waits until a task's watcher has written its end. */
export function endOf(world: World, task: string): Promise<{ status: string; reason: string }> {
  return world.until(() => endsOf(world, task).at(-1), { what: `the end of ${task}’s watcher`, timeout: 60_000 });
}
