import { linkSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { errnoOf } from '../errors.ts';
import { monotonicMs } from '../monotonic.ts';
import type { Sourced } from '../reading.ts';
import { writeAtomic } from '../store/atomic-write.ts';
import { makeFolder } from '../store/make-folder.ts';
import type { Environment, Places } from '../store/places.ts';
import { isRunning, ownIdentity, type ProcessIdentity, procStartOf } from '../store/process-identity.ts';
import { removeFile } from '../store/remove-file.ts';
import { uniqueWord } from '../words/unique-word.ts';
import { callRoster } from './roster.ts';
import { type RosterRow, rosterOf } from './roster-rows.ts';

/** A roster answer with the moment before which nothing in it was read. */
export interface RosterSnapshot {
  /** Wall clock of the call's start, ms. */
  startedAt: number;
  /** The admission book's generation before the call started; see decide/admission. */
  generation: number;
  rows: Sourced<RosterRow[]>;
}

export interface SharedRosterOptions {
  env: Environment;
  places: Places;
  timeoutMs: number;
  /** A snapshot whose call started this long before we asked still serves, ms. 0 = only a call that starts from now on. */
  maxAgeMs: number;
  /** Reads the admission book's generation, before a call. */
  generation: () => number;
}

interface Flight extends ProcessIdentity {
  startedAt: number;
  /** The reader itself, so that one that can't be ended is seen and not multiplied. */
  reader?: ProcessIdentity;
}

/**
 * The roster, single flight across every command of the machine: fifty callers at once cost a call or two (124 MB each),
 * not fifty. A caller waits for the call in flight and takes its answer only if that call began late enough for it.
 * A reader that hung and could not be ended keeps the flight: no second one is started beside it.
 */
export async function sharedRoster(options: SharedRosterOptions): Promise<RosterSnapshot> {
  const { places, timeoutMs, maxAgeMs } = options;
  const asked = Date.now();
  const flightFile = join(places.ownDir, 'roster.flight');
  const deadline = monotonicMs() + timeoutMs + 1000;
  const usable = () => {
    const saved = readSnapshot(places);
    return saved !== undefined && saved.startedAt >= asked - maxAgeMs && saved.startedAt <= Date.now()
      ? saved
      : undefined;
  };
  for (;;) {
    const saved = usable();
    if (saved !== undefined) return saved;
    const flight = flightInAir(flightFile);
    const left = deadline - monotonicMs();
    if (flight === undefined && left > Math.min(1000, timeoutMs)) {
      const own = takeOff(flightFile, () => usable() === undefined);
      if (own !== undefined) return await fly({ ...options, timeoutMs: Math.min(timeoutMs, left) }, flightFile, own);
      continue;
    }
    if (left <= 0 || flight === undefined) {
      const why = flight === undefined ? 'other roster calls took all the time there was' : underWay(flight);
      return { startedAt: asked, generation: options.generation(), rows: { ok: false, why } };
    }
    await new Promise((done) => setTimeout(done, 5 + Math.random() * 15));
  }
}

/** A call of one's own, shared with nobody: it leaves no file. */
export async function ownRoster({ env, timeoutMs, generation }: SharedRosterOptions): Promise<RosterSnapshot> {
  const before = { startedAt: Date.now(), generation: generation() };
  return { ...before, rows: await callRoster({ env, timeoutMs }) };
}

/**
 * Takes the flight, or undefined when another caller has it or its answer is there by now. Of many that wait for one
 * flight to end, link(2) lets one take the next, or each would make a call of its own. (A flight left by a killed caller is
 * cleared away first; two that do so at once cost a second call, nothing else.)
 */
function takeOff(flightFile: string, needed: () => boolean): Flight | undefined {
  const own: Flight = { ...ownIdentity(), startedAt: Date.now() };
  const temp = `${flightFile}.${uniqueWord()}`;
  try {
    makeFolder(dirname(flightFile));
    try {
      writeFileSync(temp, JSON.stringify(own), { mode: 0o600, flag: 'wx' });
      linkSync(temp, flightFile);
    } finally {
      // On a full disk too, where an empty one is made and nothing fits into it.
      removeFile(temp);
    }
  } catch (error) {
    // A folder that can't be written must not blind the reader: then each makes its own call.
    if (errnoOf(error) !== 'EEXIST') return own;
    if (flightInAir(flightFile) === undefined) removeFile(flightFile);
    return undefined;
  }
  if (needed()) return own;
  removeFile(flightFile);
  return undefined;
}

function note(flightFile: string, flight: Flight): void {
  try {
    writeFileSync(flightFile, JSON.stringify(flight), { mode: 0o600 });
  } catch {
    // The flight file only saves work; a full disk must not blind the reader.
  }
}

async function fly(options: SharedRosterOptions, flightFile: string, flight: Flight): Promise<RosterSnapshot> {
  const { env, places, timeoutMs } = options;
  const generation = options.generation();
  let reader: number | undefined;
  const rows = await callRoster({
    env,
    timeoutMs,
    onPid: (pid) => {
      reader = pid;
    },
  });
  const snapshot: RosterSnapshot = { startedAt: flight.startedAt, generation, rows };
  saveSnapshot(places, snapshot);
  // A reader that could not be ended keeps the flight, so that it is seen and not multiplied.
  const procStart = rows.ok || reader === undefined ? undefined : procStartOf(reader);
  if (reader !== undefined && procStart !== undefined)
    note(flightFile, { ...flight, reader: { pid: reader, procStart } });
  else removeFile(flightFile);
  return snapshot;
}

/** Which process everybody waits for: the reader itself, where its caller has given up on it. */
function underWay({ startedAt, pid, reader }: Flight): string {
  const since = new Date(startedAt).toISOString();
  return reader === undefined
    ? `another roster call has been under way since ${since} (process ${pid})`
    : `the roster call of ${since} gave no answer and has not ended: process ${reader.pid}; no other is started beside it`;
}

function flightInAir(file: string): Flight | undefined {
  try {
    const flight = JSON.parse(readFileSync(file, 'utf8')) as Flight;
    if (stillRunning(flight) || (flight.reader !== undefined && stillRunning(flight.reader))) return flight;
  } catch {
    // None, torn, or not ours to read: no flight that we could wait for.
  }
  return undefined;
}

function stillRunning(who: ProcessIdentity): boolean {
  try {
    return Number.isInteger(who.pid) && isRunning(who);
  } catch {
    return false;
  }
}

function saveSnapshot(places: Places, snapshot: RosterSnapshot): void {
  try {
    const { startedAt, generation, rows } = snapshot;
    const answer = rows.ok ? { rows: rows.value } : { failed: rows.why };
    const file = join(places.ownDir, 'roster.json');
    // Not renamed over the old one: ext4 then writes a file that was not synced to disk at once, at 5 to 10 ms a call.
    removeFile(file);
    writeAtomic(file, JSON.stringify({ startedAt, generation, ...answer }), 'none');
  } catch {
    // As above: others then make their own call.
  }
}

function readSnapshot(places: Places): RosterSnapshot | undefined {
  try {
    const { startedAt, generation, rows, failed } = JSON.parse(
      readFileSync(join(places.ownDir, 'roster.json'), 'utf8'),
    );
    if (typeof startedAt !== 'number' || typeof generation !== 'number') return undefined;
    return { startedAt, generation, rows: typeof failed === 'string' ? { ok: false, why: failed } : rosterOf(rows) };
  } catch {
    return undefined;
  }
}
