import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { errnoOf } from '../errors.ts';
import { recordIn } from '../record.ts';
import { eachLine } from './each-line.ts';
import { appendLine } from './json-lines.ts';
import type { Places } from './places.ts';
import { removeFile } from './remove-file.ts';

/** One look at the fleet's size. Kept small: about 60 bytes a session. */
export interface Sample {
  at: string;
  /** Counted against the ceiling; null when it could not be. */
  live: number | null;
  unlisted: number | null;
  reserved: number;
  ceiling: number | null;
  totalBytes: number | null;
  availableBytes: number | null;
  helpersRssBytes: number | null;
  sessions: SampledSession[];
  /** Why something is null. */
  why?: string;
}

export interface SampledSession {
  id: string;
  kind: string;
  status: string | null;
  rssBytes: number;
  /** Silence, ms; null when it could not be told. */
  idleMs: number | null;
}

const DAY_FILE = /^(\d{4}-\d{2}-\d{2})\.jsonl$/;
const DAY_MS = 86_400_000;

function samplesDir(places: Places): string {
  return join(places.ownDir, 'samples');
}

/** Appends a sample to the file of its day (UTC). */
export function appendSample(places: Places, sample: Sample): void {
  appendLine(join(samplesDir(places), `${sample.at.slice(0, 10)}.jsonl`), sample);
}

/** A sample without its sessions one by one. */
export interface SampleTotals extends Omit<Sample, 'sessions'> {
  /** Null when the sessions could not be counted. */
  sessionsRssBytes: number | null;
}

/** What was sampled in some time. */
export interface Sampled {
  /** Oldest first. */
  samples: SampleTotals[];
  /** The last one, whole. */
  last: Sample | undefined;
  /** Lines that are no samples: torn by a crash, or somebody's edit. */
  skipped: number;
}

/** Samples from `from` (ms since 1970) on. Months of a large fleet are hundreds of megabytes: only totals are kept of each. */
export function readSamples(places: Places, from: number): Sampled {
  const samples: SampleTotals[] = [];
  let last: Sample | undefined;
  let skipped = 0;
  for (const day of dayFiles(places).sort()) {
    if (Date.parse(day) + DAY_MS <= from) continue;
    for (const line of eachLine(join(samplesDir(places), `${day}.jsonl`))) {
      if (line?.trim() === '' || isOlder(line, from)) continue;
      const sample = line === undefined ? undefined : sampleIn(line);
      if (sample === undefined) skipped += 1;
      else if (Date.parse(sample.at) >= from) {
        last = sample;
        samples.push(totalsOf(sample));
      }
    }
  }
  return { samples, last, skipped };
}

/** A sample's totals. */
export function totalsOf({ sessions, ...totals }: Sample): SampleTotals {
  const held = sessions.reduce((sum, { rssBytes }) => sum + rssBytes, 0);
  return { ...totals, sessionsRssBytes: totals.live === null ? null : held };
}

/** Whether a line says in its first words, as ours do, that it is of before: then the rest of it is not looked at. */
function isOlder(line: string | undefined, from: number): boolean {
  const at = /^\{"at":"([^"]{1,40})"/.exec(line ?? '')?.[1];
  return at !== undefined && Date.parse(at) < from;
}

function sampleIn(line: string): Sample | undefined {
  const record = recordIn(line);
  return record !== undefined && isSample(record) ? record : undefined;
}

/** Removes the files of days that ended before `before` (ms since 1970). */
export function removeSamplesBefore(places: Places, before: number): void {
  for (const day of dayFiles(places)) {
    if (Date.parse(day) + DAY_MS <= before) removeFile(join(samplesDir(places), `${day}.jsonl`));
  }
}

function dayFiles(places: Places): string[] {
  try {
    return readdirSync(samplesDir(places)).flatMap((name) => DAY_FILE.exec(name)?.[1] ?? []);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return [];
    throw error;
  }
}

const isNumberOrNull = (value: unknown) => value === null || (typeof value === 'number' && Number.isFinite(value));

function isSample(record: Record<string, unknown>): record is Record<string, unknown> & Sample {
  return (
    typeof record.at === 'string' &&
    !Number.isNaN(Date.parse(record.at)) &&
    ['live', 'unlisted', 'reserved', 'ceiling', 'totalBytes', 'availableBytes', 'helpersRssBytes'].every((name) =>
      isNumberOrNull(record[name]),
    ) &&
    Array.isArray(record.sessions) &&
    record.sessions.every(
      (one: unknown) =>
        typeof one === 'object' &&
        one !== null &&
        typeof (one as SampledSession).rssBytes === 'number' &&
        isNumberOrNull((one as SampledSession).idleMs),
    )
  );
}
