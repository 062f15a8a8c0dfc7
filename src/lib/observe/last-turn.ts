import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { errnoOf, messageOf } from '../errors.ts';
import { parseLines } from '../store/json-lines.ts';
import { type FailedTurn, failureIn } from './failed-turn.ts';

/** How the last turn of a session ended. `none`: no turn has ended yet; `unknown`: that can't be told. */
export type LastTurn = { kind: 'answered' | 'none' } | FailedTurn | { kind: 'unknown'; why: string };

/** How much of the end is looked at, bytes, until it holds the end of a turn: one answer is often followed by 70 KB of state. */
const WINDOWS = [64 << 10, 512 << 10, 4 << 20] as const;

/**
 * How the last turn in a transcript ended: by its last assistant record, which is an answer or an error of the API. What
 * comes later (messages, queue, state) ends no failure; only an answer does, even one that calls a tool. While claude
 * tries again (10 times, about 3 min) it has not failed yet. At most 4 MiB of the file's end are read.
 */
export function readLastTurn(file: string): LastTurn {
  let fd: number;
  try {
    fd = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    return errnoOf(error) === 'ENOENT' ? { kind: 'none' } : { kind: 'unknown', why: messageOf(error) };
  }
  try {
    const stats = fstatSync(fd);
    if (!stats.isFile()) return { kind: 'unknown', why: `${file} is no plain file` };
    for (const window of WINDOWS) {
      const from = Math.max(0, stats.size - window);
      const lines = textFrom(fd, from, stats.size - from).split('\n');
      // The first line of a piece began before it.
      if (from > 0) lines.shift();
      const last = lastTurnIn(lines);
      if (last.kind !== 'none' || from === 0) return last;
    }
    return { kind: 'unknown', why: `the last ${WINDOWS[2] >> 20} MiB of ${file} hold no end of a turn` };
  } catch (error) {
    return { kind: 'unknown', why: messageOf(error) };
  } finally {
    closeSync(fd);
  }
}

/** The same, of lines in the order of the file. Lines that are no record (torn, edited) count for nothing. */
export function lastTurnIn(lines: readonly string[]): LastTurn {
  for (let at = lines.length - 1; at >= 0; at -= 1) {
    const line = lines[at] ?? '';
    // Most lines are state; parsing is what costs.
    if (!line.includes('assistant')) continue;
    const [record] = parseLines([line]).records;
    // A sub-agent's record stands on a side chain of its own: its failure is not the session's.
    if (record?.type !== 'assistant' || record.isSidechain === true) continue;
    const failure = failureIn(record);
    if (failure === undefined) return { kind: 'answered' };
    if (failure !== null) return failure;
  }
  return { kind: 'none' };
}

function textFrom(fd: number, from: number, length: number): string {
  const bytes = Buffer.alloc(length);
  let got = 0;
  while (got < length) {
    const count = readSync(fd, bytes, got, length - got, from + got);
    if (count === 0) break;
    got += count;
  }
  return bytes.toString('utf8', 0, got);
}
