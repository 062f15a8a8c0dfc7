import { linkSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { EXIT, errnoOf, FleetError, naming } from '../errors.ts';
import { monotonicMs } from '../monotonic.ts';
import { uniqueWord } from '../words/unique-word.ts';
import { makeFolder } from './make-folder.ts';
import { isRunning, ownIdentity, type ProcessIdentity } from './process-identity.ts';
import { removeFile } from './remove-file.ts';

/** A held lock. `release` is safe to call twice. */
export interface Lock {
  release(): void;
}

interface Entry extends ProcessIdentity {
  name: string;
  host: string;
}

export interface LockOptions {
  /** How long to wait for a holder, in ms. */
  waitMs?: number;
  /** What the lock guards, for the message of whoever waits in vain. */
  what?: string;
}

/**
 * One machine-wide lock beside `file`, held by at most one live process.
 *
 * Each contender puts an entry of its own (`<file>.lock.<order>-<unique word>`, made whole by link(2)) and holds the
 * lock only if a listing made *after* that shows no other live entry. Of two contenders the later one must see the
 * earlier, so two can't both hold; the lowest name stays and waits, the others withdraw, so one always gets on.
 * An entry counts while its process (pid and start time) runs: a holder that dies, by kill -9 too, frees the lock at
 * once, and one that is stopped or suspended keeps it, however long: no age makes a lock stale, so no holder can wake
 * up beside another. Entry names are never used again, so anyone may remove a dead one.
 * (proper-lockfile judges by age and lets two holders in when a lock is stale.)
 *
 * Throws FleetError 75 when a live holder does not let go in `waitMs`, the system error when the folder can't be used.
 */
export async function acquireLock(file: string, options: LockOptions = {}): Promise<Lock> {
  const { waitMs = 10_000, what = basename(file) } = options;
  const folder = dirname(file);
  const prefix = `${basename(file)}.lock.`;
  makeFolder(folder);
  const me = ownIdentity();
  const started = monotonicMs();
  let own: string | undefined;
  const withdraw = () => {
    if (own !== undefined) removeFile(join(folder, own));
    own = undefined;
  };
  try {
    for (let round = 0; ; round++) {
      let others = liveEntries(folder, prefix, own);
      if (own === undefined && others.length === 0) {
        own = putEntry(folder, prefix, me);
        others = liveEntries(folder, prefix, own);
      }
      if (own !== undefined && others.length === 0) break;
      if (own !== undefined && others.some((entry) => own !== undefined && entry.name < own)) withdraw();
      if (monotonicMs() - started >= waitMs) throw heldBy(what, others);
      await new Promise((done) => setTimeout(done, 2 + Math.random() * Math.min(30, 4 + round)));
    }
  } catch (error) {
    withdraw();
    throw error;
  }
  return { release: withdraw };
}

/** Runs `work` under the lock of `file`. Keep it short, and start no child process in it. */
export async function withLock<T>(file: string, work: () => T | Promise<T>, options?: LockOptions): Promise<T> {
  const lock = await acquireLock(file, options);
  try {
    return await work();
  } finally {
    lock.release();
  }
}

/** The error of who would find the lock of `file` held at this moment; undefined when nobody holds it. Touches nothing. */
export function heldNow(file: string, what = basename(file)): FleetError | undefined {
  const others = liveEntries(dirname(file), `${basename(file)}.lock.`, undefined, 'leave');
  return others.length === 0 ? undefined : heldBy(what, others);
}

function putEntry(folder: string, prefix: string, me: ProcessIdentity): string {
  const order = process.hrtime.bigint().toString().padStart(20, '0');
  const tail = uniqueWord();
  const temp = join(folder, `.${prefix}${tail}`);
  const name = `${prefix}${order}-${tail}`;
  try {
    writeFileSync(temp, JSON.stringify({ ...me, host: hostname() }), { mode: 0o600, flag: 'wx' });
    linkSync(temp, join(folder, name));
  } catch (error) {
    throw naming(join(folder, name), error);
  } finally {
    removeFile(temp);
  }
  return name;
}

function liveEntries(
  folder: string,
  prefix: string,
  own: string | undefined,
  dead: 'remove' | 'leave' = 'remove',
): Entry[] {
  const live: Entry[] = [];
  for (const name of namesIn(folder)) {
    if (!name.startsWith(prefix) || name === own) continue;
    const entry = readEntry(folder, name);
    if (entry === 'gone') continue;
    if (entry !== undefined && entry.host === hostname() && !isRunning(entry)) {
      if (dead === 'remove') removeFile(join(folder, name));
    }
    // One that can't be read is somebody's: wait for it and say its name rather than walk over it.
    else live.push(entry ?? { name, pid: 0, procStart: '', host: '' });
  }
  return live;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return [];
    throw error;
  }
}

function readEntry(folder: string, name: string): Entry | 'gone' | undefined {
  try {
    const { pid, procStart, host } = JSON.parse(readFileSync(join(folder, name), 'utf8'));
    if (!Number.isInteger(pid) || typeof procStart !== 'string' || typeof host !== 'string') return undefined;
    return { name, pid, procStart, host };
  } catch (error) {
    return errnoOf(error) === 'ENOENT' ? 'gone' : undefined;
  }
}

function heldBy(what: string, others: readonly Entry[]): FleetError {
  const [first] = others;
  const who =
    first === undefined ? 'other callers' : first.pid === 0 ? `the file ${first.name}` : `process ${first.pid}`;
  return new FleetError(EXIT.later, `${what} is locked by ${who}; try again later`);
}
