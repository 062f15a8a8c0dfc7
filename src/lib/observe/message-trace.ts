import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { type MessageTrace, NO_TRACE, type Sought, traceAfter } from '../decide/message-trace.ts';
import type { Sourced } from '../reading.ts';
import { parseLines } from '../store/json-lines.ts';
import { markStart } from '../words/message-text.ts';
import { readTranscript } from './transcript.ts';

const CHUNK_BYTES = 1 << 20;
/** A line of a transcript can hold pictures; one beyond this is not ours. */
const MAX_LINE_BYTES = 64 << 20;

/** Follows what a session's transcript says of one message, from some byte on; each `read` takes in only what is new. */
export class TraceReader {
  readonly #file: string;
  readonly #sought: Sought;
  readonly #needles: readonly Buffer[];
  #at: number;
  #line: Buffer[] = [];
  #lineBytes = 0;
  trace: MessageTrace = NO_TRACE;

  constructor(file: string, sought: Sought, fromByte = 0) {
    this.#file = file;
    this.#sought = sought;
    this.#at = fromByte;
    // Only lines with one of these are parsed: transcripts of hundreds of MB exist.
    this.#needles = [markStart(sought.id), '"queue-operation"', 'Held peer message'].map((word) => Buffer.from(word));
  }

  /** Takes in what was appended since the last call. Throws the system error when the file can't be read. */
  read(): MessageTrace {
    const fd = openSync(this.#file, 'r');
    try {
      // Shorter than where we stand: it was written anew.
      if (fstatSync(fd).size < this.#at) this.#restart();
      const chunk = Buffer.alloc(CHUNK_BYTES);
      for (let got = readSync(fd, chunk, 0, CHUNK_BYTES, this.#at); got > 0; ) {
        this.#at += got;
        this.#take(chunk.subarray(0, got));
        got = readSync(fd, chunk, 0, CHUNK_BYTES, this.#at);
      }
    } finally {
      closeSync(fd);
    }
    return this.trace;
  }

  #restart(): void {
    this.#at = 0;
    this.#line = [];
    this.#lineBytes = 0;
    this.trace = NO_TRACE;
  }

  #take(bytes: Buffer): void {
    let from = 0;
    for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, from)) {
      this.#keep(bytes.subarray(from, end));
      this.#parse();
      from = end + 1;
    }
    this.#keep(bytes.subarray(from));
  }

  #keep(part: Buffer): void {
    this.#lineBytes += part.length;
    if (this.#lineBytes > MAX_LINE_BYTES) this.#line = [];
    // The chunk is used again for the next read.
    else this.#line.push(Buffer.from(part));
  }

  #parse(): void {
    const line = Buffer.concat(this.#line);
    this.#line = [];
    this.#lineBytes = 0;
    if (!this.#needles.some((needle) => line.includes(needle))) return;
    for (const record of parseLines([line.toString('utf8')]).records) {
      this.trace = traceAfter(this.trace, record, this.#sought);
    }
  }
}

export interface FollowOptions {
  claudeDir: string;
  sessionId: string;
  cwd: string | undefined;
  sought: Sought;
  fromByte?: number;
}

/**
 * Reads what a session's transcript says of a message, now and at each further call. A session without a transcript yet has no
 * trace; one whose transcript can't be told or read is a failed reading.
 */
export function followTrace({
  claudeDir,
  sessionId,
  cwd,
  sought,
  fromByte,
}: FollowOptions): () => Sourced<MessageTrace> {
  let reader: TraceReader | undefined;
  return () => {
    try {
      if (reader === undefined) {
        const found = readTranscript(claudeDir, sessionId, cwd, { glance: true });
        if (found.kind === 'none') return { ok: true, value: NO_TRACE };
        if (found.kind === 'unknown') return { ok: false, why: found.why };
        reader = new TraceReader(found.file, sought, fromByte);
      }
      return { ok: true, value: reader.read() };
    } catch (error) {
      return { ok: false, why: String((error as Error).message) };
    }
  };
}
