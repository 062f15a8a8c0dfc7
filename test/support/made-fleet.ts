import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeTranscript, rosterOf, sleepers } from './stand-in.ts';
import type { World } from './world.ts';

export const HOUR = 3_600_000;

/** One session of a made fleet: idle, in the background and silent for 60 h, but for what is given. */
export interface MadeSession {
  /** Laid over its roster row. */
  row?: Record<string, unknown>;
  pid?: number;
  ageMs?: number;
  subagents?: readonly number[];
  /** Its transcript's text; null: it has none. */
  transcript?: ((sid: string) => string) | null;
}

/** A session of a made fleet as it stands in the roster. */
export interface Made {
  pid: number;
  sid: string;
  id: string;
}

/**
 * A fleet as it is found on a machine: a roster of rows whose processes only sleep, with transcripts as old as said. Keys
 * are the sessions' names.
 */
export function makeFleet<Name extends string>(world: World, fleet: Record<Name, MadeSession>): Record<Name, Made> {
  const names = Object.keys(fleet) as Name[];
  const pids = sleepers(world, names.length);
  const made = {} as Record<Name, Made>;
  const rows = names.map((name, at) => {
    const { row = {}, pid = pids[at] ?? 0, ageMs = 60 * HOUR, subagents = [], transcript } = fleet[name];
    const id = (0xa0000000 + at).toString(16);
    const sid = typeof row.sessionId === 'string' ? row.sessionId : `${id}-0000-4000-8000-000000000000`;
    const cwd = `/made/${name}`;
    if (transcript !== null) {
      makeTranscript(world, { sid, cwd, ageMs, subagents, ...(transcript && { text: transcript(sid) }) });
    }
    made[name] = { pid, sid, id };
    return { pid, id, cwd, kind: 'background', startedAt: 1, sessionId: sid, name, status: 'idle', ...row };
  });
  rosterOf(world, rows);
  return made;
}

/** Writes a task.json, or that text in its place. */
export function makeTask(world: World, name: string, task: object | string): string {
  const folder = join(world.configDir, 'jobs', 'tasks', name);
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'task.json');
  writeFileSync(file, typeof task === 'string' ? task : JSON.stringify(task));
  return file;
}

/** A process that the process list shows as `claude WORDS`. The first word is a file that keeps Node waiting. */
export function claudeProcess(world: World, words: readonly [string, ...string[]]): number {
  const cwd = join(world.root, 'u');
  writeFileSync(join(cwd, words[0]), 'setInterval(() => {}, 1000);');
  const child = spawn(process.execPath, [...words], { argv0: 'claude', cwd, env: world.env, stdio: 'ignore' });
  child.unref();
  if (child.pid === undefined) throw new Error('node could not be started');
  return child.pid;
}
