import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** How an entry last ended, by what its runner wrote. */
export interface EntryState {
  lastAt: string | undefined;
  lastCode: number | undefined;
  failedAt: string | undefined;
  failedCode: number | undefined;
  /** What it said when it failed. */
  said: string;
}

export function entryState(stateDir: string, name: string): EntryState {
  const [last = ''] = linesOf(join(stateDir, `${name}.last`));
  const [failed = '', ...said] = linesOf(join(stateDir, `${name}.failed`));
  const [lastAt, lastCode] = stamp(last);
  const [failedAt, failedCode] = stamp(failed);
  return { lastAt, lastCode, failedAt, failedCode, said: said.join('\n').trim() };
}

function stamp(line: string): [string | undefined, number | undefined] {
  const [, at, code] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ) (\d{1,3})$/.exec(line) ?? [];
  return [at, code === undefined ? undefined : Number(code)];
}

function linesOf(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').slice(0, 16_384).split('\n');
  } catch {
    return [];
  }
}
