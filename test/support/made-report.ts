import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Sample } from '../../src/lib/store/samples.ts';

const GB = 2 ** 30;
const MINUTE = 60_000;
const DAY = 86_400_000;

/** A number between 0 and 1 that the index alone decides. */
const chance = (index: number) => {
  const mixed = Math.imul(index ^ 0x9e3779b9, 0x85ebca6b) >>> 0;
  return ((mixed ^ (mixed >>> 13)) >>> 0) / 2 ** 32;
};

/**
 * Samples of a machine (of 64 GB unless said) with a ceiling of 35, one each five minutes up to `now`: busy by day, quiet by night, with an hour
 * in which nothing could be read and one in which it was off.
 */
export function madeSamples(count: number, now: number, totalBytes = 64 * GB): Sample[] {
  const scale = totalBytes / (64 * GB);
  return Array.from({ length: count }, (_, index) => {
    const at = now - (count - 1 - index) * 5 * MINUTE;
    const hour = (at % DAY) / (60 * MINUTE);
    const size = Math.round(14 + 14 * Math.sin(((hour - 6) / 24) * 2 * Math.PI) + 5 * chance(Math.floor(index / 6)));
    const unread = count - index > 60 && count - index < 72;
    const sessions = Array.from({ length: unread ? 0 : size }, (__, id) => ({
      id: `${(id + 1).toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`,
      kind: id % 3 === 0 ? 'interactive' : 'background',
      status: id % 4 === 0 ? 'busy' : 'idle',
      rssBytes: Math.round((0.35 + 0.9 * chance(id + 7) + 0.25 * chance(index * 31 + id)) * GB * scale),
      idleMs: Math.round(chance(id + 99) ** 3 * 60 * 60 * MINUTE),
    }));
    const held = sessions.reduce((sum, { rssBytes }) => sum + rssBytes, 0);
    return {
      at: new Date(at).toISOString(),
      live: unread ? null : Math.max(0, size - 1),
      unlisted: unread ? null : Math.min(1, size),
      reserved: index % 5 === 0 ? 1 : 0,
      ceiling: 35,
      totalBytes,
      availableBytes: Math.max(2 * GB * scale, 58 * GB * scale - held),
      helpersRssBytes: 0.3 * GB,
      sessions,
    };
  }).filter((_, index) => count - index < 130 || count - index > 142);
}

/** Writes them, with refusals, exits, wakes and revivals of that time and a few tasks that wait, into the jobs folder of a fleet. */
export function makeReport(jobs: string, count: number, now: number, totalBytes?: number): void {
  const own = join(jobs, 'fleet');
  mkdirSync(join(own, 'samples'), { recursive: true });
  const days = new Map<string, Sample[]>();
  for (const sample of madeSamples(count, now, totalBytes)) {
    const day = sample.at.slice(0, 10);
    days.set(day, [...(days.get(day) ?? []), sample]);
  }
  for (const [day, samples] of days) writeFileSync(join(own, 'samples', `${day}.jsonl`), linesOf(samples));
  const times = (every: number, salt: number) =>
    Array.from({ length: Math.floor((count * 5) / every) }, (_, index) =>
      new Date(now - (index + chance(index + salt)) * every * MINUTE).toISOString(),
    ).reverse();
  const log = (name: string, records: object[]) => writeFileSync(join(own, name), linesOf(records));
  log(
    'refusals.jsonl',
    times(180, 1).map((at) => ({ at, words: '35 of 35 sessions (35 live, 0 reserved)' })),
  );
  log(
    'exits.jsonl',
    times(150, 2).map((at, index) => ({
      at,
      step: 'result',
      verdict: index % 9 === 0 ? 'still-running' : 'left',
      words: 'left by /exit in its pane',
    })),
  );
  log(
    'supervisor.jsonl',
    [
      ...times(40, 3).map((at) => ({ at, kind: 'wake', result: 'done', words: 'woken' })),
      ...times(600, 4).map((at) => ({ at, kind: 'revive', result: 'done', words: 'revived' })),
    ].sort((left, right) => (left.at < right.at ? -1 : 1)),
  );
  for (const [index, title] of [
    'Which bank first?',
    'The migration waits for a window',
    'Review the draft',
  ].entries()) {
    const dir = join(jobs, 'tasks', `task-${index}`);
    mkdirSync(dir, { recursive: true });
    const since = new Date(now - (index + 1) * 7 * 60 * MINUTE).toISOString();
    const driverSid = `${(index + 2).toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`;
    writeFileSync(
      join(dir, 'task.json'),
      JSON.stringify({ id: `task-${index}`, title, state: 'awaiting-human', stateChangedAt: since, driverSid }),
    );
  }
}

const linesOf = (records: readonly object[]) => records.map((one) => `${JSON.stringify(one)}\n`).join('');
