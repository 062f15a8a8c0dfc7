import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { credentialsChangedAt } from '../../src/lib/observe/credentials.ts';
import { readLastTurn } from '../../src/lib/observe/last-turn.ts';

let folder = '';
let file = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sf-turn-'));
  file = join(folder, 'one.jsonl');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const lineOf = (record: object) => `${JSON.stringify(record)}\n`;
const failure = lineOf({
  type: 'assistant',
  isApiErrorMessage: true,
  error: 'authentication_failed',
  timestamp: '2026-10-08T10:00:00.000Z',
  message: { model: '<synthetic>', content: [{ type: 'text', text: 'Not logged in' }] },
});
const answer = lineOf({ type: 'assistant', message: { model: 'm', content: [] } });
/** A line of state of so many bytes. */
const state = (bytes: number) => lineOf({ type: 'attachment', padding: 'ü'.repeat(bytes / 2) });

describe('a transcript', () => {
  it('that is not there, or empty: no turn has ended', () => {
    expect(readLastTurn(file)).toEqual({ kind: 'none' });
    writeFileSync(file, '');
    expect(readLastTurn(file)).toEqual({ kind: 'none' });
  });

  it('a failure behind as much state as one answer is followed by, and behind megabytes', () => {
    for (const bytes of [1000, 70_000, 600_000, 4_000_000]) {
      writeFileSync(file, answer + failure + state(bytes));
      expect(readLastTurn(file), `${bytes}`).toMatchObject({ kind: 'failed', cause: 'auth' });
      appendFileSync(file, answer + state(bytes));
      expect(readLastTurn(file), `${bytes}`).toEqual({ kind: 'answered' });
    }
  });

  it('whose end is further away than is read is unknown, and quickly so', () => {
    writeFileSync(file, failure + state(5_000_000) + lineOf({ type: 'user' }));
    truncateSync(file, 3_000_000_000);
    const began = performance.now();
    expect(readLastTurn(file)).toMatchObject({ kind: 'unknown', why: expect.stringContaining('4 MiB') });
    expect(performance.now() - began).toBeLessThan(2000);
  });

  it('a torn last line spoils itself alone', () => {
    for (const cut of [1, 20, answer.length - 2]) {
      writeFileSync(file, failure + answer.slice(0, cut));
      expect(readLastTurn(file)).toMatchObject({ kind: 'failed' });
    }
    writeFileSync(file, failure + answer.slice(0, -1));
    expect(readLastTurn(file)).toEqual({ kind: 'answered' });
  });

  it('a message that quotes a failure is none, wherever a piece of the file begins', () => {
    const quote = lineOf({ type: 'user', message: { content: `${'x'.repeat(70_000)}\n${failure}` } });
    for (let pad = 0; pad < 40; pad += 1) {
      writeFileSync(file, answer + quote + state(64_000 + pad * 50));
      expect(readLastTurn(file)).toEqual({ kind: 'answered' });
    }
  });

  it('of any bytes has an answer', () => {
    const pieces = fc
      .constantFrom(failure, answer, '\n', '{"type":"assistant"', state(200))
      .map((text) => Buffer.from(text));
    const bytes = fc.uint8Array({ maxLength: 200 }).map((some) => Buffer.from(some));
    fc.assert(
      fc.property(fc.array(fc.oneof(pieces, bytes), { maxLength: 12 }), (parts) => {
        writeFileSync(file, Buffer.concat(parts));
        expect(['answered', 'failed', 'none']).toContain(readLastTurn(file).kind);
      }),
    );
  });

  it('that is a folder, a pipe or a loop of links is unknown, without waiting', () => {
    execFileSync('mkfifo', [file]);
    symlinkSync(join(folder, 'loop'), join(folder, 'loop'));
    for (const odd of [folder, file, join(folder, 'loop')]) {
      expect(readLastTurn(odd)).toMatchObject({ kind: 'unknown', why: expect.any(String) });
    }
  });
});

describe('credentials', () => {
  it('changed when their file was last written; unknown where there is none', () => {
    expect(credentialsChangedAt(folder)).toBeUndefined();
    writeFileSync(join(folder, '.credentials.json'), '{}');
    utimesSync(join(folder, '.credentials.json'), new Date(), new Date('2026-10-08T10:00:00Z'));
    expect(credentialsChangedAt(folder)).toBe(Date.parse('2026-10-08T10:00:00Z'));
    rmSync(join(folder, '.credentials.json'));
    mkdirSync(join(folder, '.credentials.json'));
    expect(credentialsChangedAt(folder)).toBeUndefined();
    expect(credentialsChangedAt(join(folder, 'no\0where'))).toBeUndefined();
  });
});
