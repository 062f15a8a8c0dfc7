import { closeSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { errnoOf, messageOf } from '../errors.ts';
import { parseLines } from '../store/json-lines.ts';
import { transcriptCandidates } from './transcript-places.ts';

/**
 * A session's transcript, read by a stat and a piece of its two ends: never whole (355 MB ones exist).
 * `lastWriteMs` (since 1970) is the newest write of it and of every sub-agent's. `queued`: messages put in its queue and
 * not yet taken, by the end of the file; undefined when that was not read or does not tell.
 */
export type TranscriptReading =
  | { kind: 'found'; file: string; bytes: number; lastWriteMs: number; subagents: number; queued: number | undefined }
  | { kind: 'none' }
  | { kind: 'unknown'; why: string };

const PIECE_BYTES = 64 << 10;
/** One record of state may have 70 KB. */
const QUEUE_BYTES = 1 << 20;
const MAX_SUBAGENTS = 20_000;

/**
 * Finds the transcript of a session. `glance` only stats files, for a list; without it the file's own words are
 * checked (`sessionId` inside: a copied project holds copies) and its queue is read.
 */
export function readTranscript(
  claudeDir: string,
  sessionId: string,
  cwd?: string,
  { glance = false } = {},
): TranscriptReading {
  try {
    const candidates = transcriptCandidates(claudeDir, sessionId, cwd);
    if (candidates.length === 0) return { kind: 'none' };
    const sure = glance && candidates.length === 1;
    const own = sure ? candidates : candidates.filter(({ file, stats }) => belongsTo(file, stats.size, sessionId));
    const [first, second] = own;
    if (first === undefined) return { kind: 'unknown', why: `${candidates[0]?.file} does not name this session` };
    if (second !== undefined) return { kind: 'unknown', why: `two transcripts: ${first.file} and ${second.file}` };
    const agents = subagentWrites(first.file.replace(/\.jsonl$/, ''));
    return {
      kind: 'found',
      file: first.file,
      bytes: first.stats.size,
      lastWriteMs: Math.max(first.stats.mtimeMs, agents.lastWriteMs),
      subagents: agents.count,
      queued: glance ? undefined : queueAtEnd(first.file, first.stats.size),
    };
  } catch (error) {
    return { kind: 'unknown', why: messageOf(error) };
  }
}

/**
 * The file says whose it is: the `sessionId` of a record in its first or last piece. (A resumed or forked conversation
 * begins with records of the one it came from.) One that says nothing has nothing against it.
 */
function belongsTo(file: string, size: number, sessionId: string): boolean {
  const text = size <= PIECE_BYTES ? readPiece(file, 0, size) : `${readPiece(file, 0)}\n${readEnd(file, size)}`;
  const ids = parseLines(text.split('\n')).records.flatMap(({ sessionId: id }) => (typeof id === 'string' ? [id] : []));
  return ids.length === 0 || ids.includes(sessionId);
}

/** Messages put in the session's queue less those taken out, over the records of `text`. */
export function queuedIn(text: string): number | undefined {
  let queued = 0;
  let seen = false;
  for (const record of parseLines(text.split('\n')).records) {
    if (record.type !== 'queue-operation') continue;
    seen = true;
    if (record.operation === 'enqueue') queued += 1;
    else if (record.operation === 'dequeue' || record.operation === 'remove') queued = Math.max(0, queued - 1);
    else if (record.operation === 'popAll' || record.operation === 'clear') queued = 0;
    else return undefined;
  }
  return seen ? queued : 0;
}

function subagentWrites(folder: string): { count: number; lastWriteMs: number } {
  let count = 0;
  let lastWriteMs = 0;
  const root = join(folder, 'subagents');
  // Most sessions have none, and a thrown ENOENT costs more than this question.
  const open = statSync(root, { throwIfNoEntry: false }) === undefined ? [] : [root];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    for (const entry of entriesOf(at)) {
      const path = join(at, entry.name);
      if (entry.isDirectory()) open.push(path);
      else if (entry.isFile() && entry.name.endsWith('.jsonl')) {
        count += 1;
        if (count > MAX_SUBAGENTS) throw new Error(`${folder}: more than ${MAX_SUBAGENTS} sub-agent transcripts`);
        lastWriteMs = Math.max(lastWriteMs, statSync(path).mtimeMs);
      }
    }
  }
  return { count, lastWriteMs };
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return [];
    throw error;
  }
}

function readPiece(file: string, from: number, length = PIECE_BYTES): string {
  const fd = openSync(file, 'r');
  try {
    const bytes = Buffer.alloc(length);
    return bytes.toString('utf8', 0, readSync(fd, bytes, 0, bytes.length, from));
  } finally {
    closeSync(fd);
  }
}

function readEnd(file: string, size: number, length = PIECE_BYTES): string {
  return readPiece(file, Math.max(0, size - length), Math.min(size, length));
}

/** The queue by the end of a file. One record that fills all that is looked at leaves it untold. */
function queueAtEnd(file: string, size: number): number | undefined {
  const text = readEnd(file, size, QUEUE_BYTES);
  return size > QUEUE_BYTES && !text.slice(0, -1).includes('\n') ? undefined : queuedIn(text);
}
