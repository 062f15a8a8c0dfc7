import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { EXIT, errnoOf, FleetError, messageOf } from '../errors.ts';
import { isSessionId } from '../words/session-id.ts';
import { writeAtomic } from './atomic-write.ts';
import { withLock } from './lock.ts';
import type { Places } from './places.ts';
import type { ProcessIdentity } from './process-identity.ts';
import { removeFile } from './remove-file.ts';
import { readSmallFile } from './small-file.ts';

/** A lane: a session, no task's Driver, that is sent a check-in. Its file arms it; there is no process for it. */
export interface Lane {
  name: string;
  sid: string;
  /** ms between check-ins. */
  everyMs: number;
  text: string;
  armedAt: string;
  /** The process its session was seen as: its id changes with /clear. */
  seen?: ProcessIdentity | undefined;
  /** The last check-in: written down before it is sent. */
  last?: { at: string; messageId: string; pending: boolean; verdict?: string } | undefined;
}

export interface BadLane {
  file: string;
  field: string;
  problem: string;
}

const NAME = /^[A-Za-z0-9][A-Za-z0-9._@-]{0,99}$/;
const MAX_BYTES = 256 << 10;

/** Whether a word may be a lane's name: it becomes a file's. */
export const isLaneName = (word: string): boolean => NAME.test(word);

export const lanesDir = ({ ownDir }: Places): string => join(ownDir, 'lanes');

const fileOf = (places: Places, name: string): string => join(lanesDir(places), `${name}.json`);

/** Every lane, and the files that are none, by name and field. */
export function readLanes(places: Places): { lanes: Lane[]; bad: BadLane[] } {
  const lanes: Lane[] = [];
  const bad: BadLane[] = [];
  let names: string[];
  try {
    names = readdirSync(lanesDir(places)).filter((name) => name.endsWith('.json'));
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return { lanes, bad };
    throw error;
  }
  for (const name of names.sort()) {
    const read = readLane(places, name.slice(0, -5));
    if (read === undefined) continue;
    if ('problem' in read) bad.push(read);
    else lanes.push(read);
  }
  return { lanes, bad };
}

/** One lane, or what is wrong with its file; undefined when there is none. */
export function readLane(places: Places, name: string): Lane | BadLane | undefined {
  const file = fileOf(places, name);
  try {
    const text = readSmallFile(file, MAX_BYTES);
    if (text === undefined) return undefined;
    return laneIn(JSON.parse(text) as Record<string, unknown>, name, file);
  } catch (error) {
    return { file, field: '(file)', problem: messageOf(error) };
  }
}

function laneIn(document: Record<string, unknown>, name: string, file: string): Lane | BadLane {
  const bad = (field: string, problem: string): BadLane => ({ file, field, problem });
  if (!isLaneName(name)) return bad('(name)', 'no name of a lane');
  const { sid, everyMs, text, armedAt, seen, last } = document;
  if (typeof sid !== 'string' || !isSessionId(sid)) return bad('sid', 'no session id');
  if (typeof everyMs !== 'number' || !Number.isFinite(everyMs) || everyMs < 1000)
    return bad('everyMs', 'no duration in ms');
  if (typeof text !== 'string' || text.trim() === '') return bad('text', 'no text');
  if (typeof armedAt !== 'string' || Number.isNaN(Date.parse(armedAt))) return bad('armedAt', 'no time');
  const lane: Lane = { ...document, name, sid, everyMs, text, armedAt };
  if (!isIdentity(seen)) delete lane.seen;
  if (!isLast(last)) delete lane.last;
  return lane;
}

function isIdentity(value: unknown): value is ProcessIdentity {
  const { pid, procStart } = (value ?? {}) as Record<string, unknown>;
  return typeof pid === 'number' && typeof procStart === 'string';
}

function isLast(value: unknown): value is NonNullable<Lane['last']> {
  const { at, messageId, pending } = (value ?? {}) as Record<string, unknown>;
  return typeof at === 'string' && typeof messageId === 'string' && typeof pending === 'boolean';
}

/** Arms a lane: one of that name is replaced (`replaced`). */
export function armLane(places: Places, lane: Lane): Promise<{ replaced: boolean }> {
  return withLock(fileOf(places, lane.name), () => {
    const replaced = readLane(places, lane.name) !== undefined;
    writeAtomic(fileOf(places, lane.name), `${JSON.stringify(lane, null, 2)}\n`);
    return { replaced };
  });
}

/** Changes a lane under its lock. Throws FleetError 66 when it is not armed any more. */
export function changeLane(places: Places, name: string, change: (lane: Lane) => Lane): Promise<Lane> {
  const file = fileOf(places, name);
  return withLock(file, () => {
    const lane = readLane(places, name);
    if (lane === undefined || 'problem' in lane) throw new FleetError(EXIT.noSuch, `no such lane: ${name}`, { file });
    const next = change(lane);
    writeAtomic(file, `${JSON.stringify(next, null, 2)}\n`);
    return next;
  });
}

/** Stops lanes: that one, or all of a session. Returns their names. */
export async function stopLanes(places: Places, which: { name: string } | { sid: string }): Promise<string[]> {
  const names =
    'name' in which
      ? [which.name].filter((name) => readLane(places, name) !== undefined)
      : readLanes(places).lanes.flatMap(({ name, sid }) => (sid === which.sid ? [name] : []));
  for (const name of names) await withLock(fileOf(places, name), () => removeFile(fileOf(places, name)));
  return names;
}
