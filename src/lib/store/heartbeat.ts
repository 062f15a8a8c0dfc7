import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeAtomic } from './atomic-write.ts';
import type { TaskFolder } from './task-folder.ts';

/** What a task's watcher wrote at its last tick (watcher.json; ADR 0035 decision 4). */
export interface Heartbeat {
  /** ms since 1970. */
  tickAt: number;
  sid: string | undefined;
  workflowId: string | undefined;
  runId: string | undefined;
  rosterOk: boolean | undefined;
  found: boolean | undefined;
}

const MAX_BYTES = 64 << 10;

export function heartbeatFile({ dir }: TaskFolder): string {
  return join(dir, 'watcher.json');
}

/** The heartbeat; undefined when there is none or it can't be understood: then nobody is known to watch. */
export function readHeartbeat(folder: TaskFolder): Heartbeat | undefined {
  try {
    const text = readFileSync(heartbeatFile(folder), 'utf8');
    if (text.length > MAX_BYTES) return undefined;
    const { tickAt, sid, workflowId, runId, rosterOk, found } = JSON.parse(text) as Record<string, unknown>;
    const at = typeof tickAt === 'string' ? Date.parse(tickAt) : Number.NaN;
    if (Number.isNaN(at)) return undefined;
    const word = (value: unknown) => (typeof value === 'string' ? value.slice(0, 300) : undefined);
    const flag = (value: unknown) => (typeof value === 'boolean' ? value : undefined);
    return {
      tickAt: at,
      sid: word(sid),
      workflowId: word(workflowId),
      runId: word(runId),
      rosterOk: flag(rosterOk),
      found: flag(found),
    };
  } catch {
    return undefined;
  }
}

/** Writes the heartbeat of a tick. Fields that an older heartbeat has and this one does not know are kept. */
export function writeHeartbeat(
  folder: TaskFolder,
  beat: { workflowId: string; runId: string; sid: string | undefined; rosterOk: boolean; found: boolean },
  now: number,
): void {
  const file = heartbeatFile(folder);
  let before: Record<string, unknown> = {};
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) before = value as Record<string, unknown>;
  } catch {
    // None yet, or one that nobody can read.
  }
  const { sid, ...rest } = beat;
  const document = { ...before, ...rest, sid: sid ?? null, tickAt: new Date(now).toISOString() };
  // A heartbeat that a power cut undid is stale, which is true then.
  writeAtomic(file, `${JSON.stringify(document)}\n`, 'none');
}
