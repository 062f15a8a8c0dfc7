import type { Sampled, SampledSession, SampleTotals } from '../store/samples.ts';
import type { Point } from './series.ts';

/** Silence of a session, by bucket: upper bounds in ms, the last without one. */
export const SILENCE_BUCKETS: readonly { label: string; belowMs: number }[] = [
  { label: 'under 15m', belowMs: 15 * 60_000 },
  { label: '15m–1h', belowMs: 3_600_000 },
  { label: '1–4h', belowMs: 4 * 3_600_000 },
  { label: '4–12h', belowMs: 12 * 3_600_000 },
  { label: '12–24h', belowMs: 24 * 3_600_000 },
  { label: '24–48h', belowMs: 48 * 3_600_000 },
  { label: 'over 48h', belowMs: Number.POSITIVE_INFINITY },
];

export interface LoggedEvent {
  at: number;
  kind: 'refusal' | 'exit' | 'exit-failed' | 'wake' | 'revival';
  words: string;
}

/** A task that waits for a person, and what its Driver holds meanwhile. */
export interface AwaitingTask {
  task: string;
  title: string | undefined;
  /** Since when, ms since 1970; undefined when the task does not say. */
  since: number | undefined;
  driverSid: string | undefined;
}

/** All that a report shows, in numbers. */
export interface Summary {
  from: number;
  to: number;
  samples: number;
  skippedLines: number;
  counted: Point[];
  ceiling: Point[];
  sessionsRss: Point[];
  helpersRss: Point[];
  available: Point[];
  totalBytes: number | null;
  peakCounted: number | null;
  lowestAvailable: number | null;
  silence: { label: string; count: number }[];
  silenceUnknown: number;
  heaviest: SampledSession[];
  /** Tasks that await a person, those whose session holds most first. `rssBytes`: null when it runs no session that was sampled. */
  awaiting: (AwaitingTask & { rssBytes: number | null })[];
  events: LoggedEvent[];
}

/** Adds up samples and logged events between two moments (ms since 1970). */
export function summarize(
  { samples, last, skipped }: Sampled,
  events: readonly LoggedEvent[],
  from: number,
  to: number,
  awaiting: readonly AwaitingTask[] = [],
): Summary {
  const points = (value: (sample: SampleTotals) => number | null): Point[] =>
    samples.map((sample) => ({ at: Date.parse(sample.at), value: value(sample) }));
  const counted = points(({ live, unlisted, reserved }) => (live === null ? null : live + (unlisted ?? 0) + reserved));
  const available = points(({ availableBytes }) => availableBytes);
  const sessions = last?.sessions ?? [];
  return {
    from,
    to,
    samples: samples.length,
    skippedLines: skipped,
    counted,
    ceiling: points(({ ceiling }) => ceiling),
    sessionsRss: points(({ sessionsRssBytes }) => sessionsRssBytes),
    helpersRss: points(({ helpersRssBytes }) => helpersRssBytes),
    available,
    totalBytes: last?.totalBytes ?? null,
    peakCounted: extreme(counted, Math.max),
    lowestAvailable: extreme(available, Math.min),
    silence: SILENCE_BUCKETS.map(({ label }, at) => ({
      label,
      count: sessions.filter(({ idleMs }) => bucketOf(idleMs) === at).length,
    })),
    silenceUnknown: sessions.filter(({ idleMs }) => idleMs === null).length,
    heaviest: [...sessions].sort((left, right) => right.rssBytes - left.rssBytes).slice(0, 10),
    awaiting: awaiting
      .map((task) => ({ ...task, rssBytes: heldBy(task, sessions) }))
      .sort((left, right) => (right.rssBytes ?? -1) - (left.rssBytes ?? -1)),
    events: events.filter(({ at }) => at >= from && at <= to),
  };
}

/** Sampled sessions are named by their full or their short id. */
function heldBy({ driverSid }: AwaitingTask, sessions: readonly SampledSession[]): number | null {
  if (driverSid === undefined) return null;
  return sessions.find(({ id }) => id.length >= 8 && driverSid.startsWith(id))?.rssBytes ?? null;
}

function bucketOf(idleMs: number | null): number {
  return idleMs === null ? -1 : SILENCE_BUCKETS.findIndex(({ belowMs }) => idleMs < belowMs);
}

function extreme(points: readonly Point[], pick: (a: number, b: number) => number): number | null {
  return points.reduce<number | null>(
    (best, { value }) => (value === null ? best : best === null ? value : pick(best, value)),
    null,
  );
}
