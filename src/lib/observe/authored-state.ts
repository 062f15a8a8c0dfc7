import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { FACT_FIELDS } from '../decide/task-change.ts';
import { errnoOf } from '../errors.ts';
import { readTail } from '../store/json-lines.ts';
import { stampOf } from '../store/settled-tasks.ts';
import type { TaskFolder } from '../store/task-folder.ts';

/** Fields of task.json that this toolkit writes: they are nobody's work (else each wake would reset its own backoff). */
const TOOLKIT_FIELDS: ReadonlySet<string> = new Set([...FACT_FIELDS, 'driverSid', 'workerSid', 'driverName', 'launch']);

/** Who signs events of this toolkit's own. */
const TOOLKIT: ReadonlySet<string> = new Set([
  'supervisor-sweep',
  'task-watcher',
  'start-driver',
  'driver-kickoff',
  'session-cap',
  'session-exit',
  'session-msg',
  'decision-ledger',
  'lane-nudge',
  'watcher-doctor',
]);

const TAIL_BYTES = 1 << 20;
const MAX_BYTES = 4 << 20;
/** Of a long log the last ones tell enough; so its beginning may leave the piece that is read without a change here. */
const LAST_EVENTS = 200;

/**
 * A fingerprint of what people and the Driver wrote (ADR 0035 decision 1, design §3): task.json without the toolkit's
 * fields, the board, and the events that are not the toolkit's. `task-file` signs for whoever ran it, so its events count.
 * Undefined when a part can't be read.
 */
export function authoredState(taskFile: string, folder: TaskFolder): string | undefined {
  try {
    const document = JSON.parse(readFileSync(taskFile, 'utf8')) as Record<string, unknown>;
    const own = Object.entries(document).filter(([field]) => !TOOLKIT_FIELDS.has(field));
    own.sort(([left], [right]) => (left < right ? -1 : 1));
    const { records } = readTail(folder.events, TAIL_BYTES);
    const events = records.filter(({ by }) => typeof by !== 'string' || !TOOLKIT.has(by)).slice(-LAST_EVENTS);
    const hash = createHash('sha256');
    hash.update(JSON.stringify(own)).update('\n').update(boardBytes(folder.board)).update('\n');
    return hash.update(JSON.stringify(events)).digest('hex').slice(0, 32);
  } catch {
    return undefined;
  }
}

/** What the file system says of the files that authoredState reads; while it stays, so does the fingerprint. */
export function authoredStamp(taskFile: string, folder: TaskFolder): string {
  return [taskFile, folder.board, folder.events].map(stampOf).join(' ');
}

function boardBytes(file: string): Buffer {
  try {
    return readFileSync(file).subarray(0, MAX_BYTES);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return Buffer.alloc(0);
    throw error;
  }
}
