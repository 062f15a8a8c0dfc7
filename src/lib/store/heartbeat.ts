import { closeSync, constants, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { recordIn } from '../record.ts';
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
  /** The file itself: all its fields, and its length. */
  raw: { document: Record<string, unknown>; bytes: number };
}

const MAX_BYTES = 64 << 10;

export function heartbeatFile({ dir }: TaskFolder): string {
  return join(dir, 'watcher.json');
}

/** The heartbeat; undefined when there is none or it can't be understood: then nobody is known to watch. */
export function readHeartbeat(folder: TaskFolder): Heartbeat | undefined {
  const raw = readDocument(heartbeatFile(folder));
  const { tickAt, sid, workflowId, runId, rosterOk, found } = raw.document;
  const at = typeof tickAt === 'string' ? Date.parse(tickAt) : Number.NaN;
  if (raw.bytes > MAX_BYTES || Number.isNaN(at)) return undefined;
  const word = (value: unknown) => (typeof value === 'string' ? value.slice(0, 300) : undefined);
  const flag = (value: unknown) => (typeof value === 'boolean' ? value : undefined);
  return {
    tickAt: at,
    sid: word(sid),
    workflowId: word(workflowId),
    runId: word(runId),
    rosterOk: flag(rosterOk),
    found: flag(found),
    raw,
  };
}

/** Heartbeats are this long, padded, or a multiple of it. */
const LENGTH = 512;

/**
 * Writes the heartbeat of a tick. Fields that an older heartbeat has and this one does not know are kept. It is the one file
 * that is written in place: a beat a minute for each of hundreds of tasks, and a file system may take a millisecond to replace
 * one. `last`: the one before, read just now. Beats are of one length, so that one read while it is being written is a whole one with the old time or the new.
 */
export function writeHeartbeat(
  folder: TaskFolder,
  beat: { workflowId: string; runId: string; sid: string | undefined; rosterOk: boolean; found: boolean },
  now: number,
  last?: Heartbeat,
): void {
  const file = heartbeatFile(folder);
  const before = last?.raw ?? readDocument(file);
  const { sid, ...rest } = beat;
  const text = JSON.stringify({ ...before.document, ...rest, sid: sid ?? null, tickAt: new Date(now).toISOString() });
  const bytes = Buffer.from(text);
  const length = Math.ceil((bytes.length + 1) / LENGTH) * LENGTH;
  const padded = Buffer.concat([bytes, Buffer.alloc(length - bytes.length - 1, 0x20), Buffer.from('\n')]);
  if (before.bytes === length && writeOver(file, padded)) return;
  // A heartbeat that a power cut undid is stale, which is true then.
  writeAtomic(file, padded.toString(), 'none');
}

function readDocument(file: string): { document: Record<string, unknown>; bytes: number } {
  try {
    const text = readFileSync(file);
    const document = recordIn(text.toString());
    if (document !== undefined) return { document, bytes: text.length };
  } catch {
    // None yet, or one that nobody can read.
  }
  return { document: {}, bytes: 0 };
}

/** Writes over the bytes of a plain file, all at once; false when that can't be done. */
function writeOver(file: string, bytes: Buffer): boolean {
  let fd: number;
  try {
    fd = openSync(file, constants.O_WRONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    return false;
  }
  try {
    return writeSync(fd, bytes, 0, bytes.length, 0) === bytes.length;
  } finally {
    closeSync(fd);
  }
}
