import { fold, sparkline } from '../lib/report/series.ts';
import type { SampleTotals } from '../lib/store/samples.ts';
import { formatBytes } from '../lib/words/bytes.ts';

/** What the history line looks back on, ms. */
export const HISTORY_MS = 24 * 3_600_000;

const LABEL = '24 h      ';
const NARROWEST = 12;
const WIDEST = 48;

/**
 * The sessions' memory over the last day as one line within `columns`, from the samples: bars against the machine's memory,
 * the most they had, and the least that was available. None where there are not yet two samples, or no room.
 *
 * @param now ms since 1970
 */
export function historyLine(samples: readonly SampleTotals[], now: number, columns: number): string | undefined {
  const points = samples.map((one) => ({ at: Date.parse(one.at), value: one.sessionsRssBytes }));
  const from = now - HISTORY_MS;
  if (points.filter(({ at, value }) => value !== null && at >= from && at <= now).length < 2) return undefined;
  const most = Math.max(...fold(points, from, now, 1).map(({ max }) => max));
  const available = samples.flatMap(({ availableBytes }) => (availableBytes === null ? [] : [availableBytes]));
  const least = available.length === 0 ? '' : `; least available ${formatBytes(Math.min(...available))}`;
  const words = `  sessions’ RSS, most ${formatBytes(most)}${least}`;
  const width = Math.min(WIDEST, columns - LABEL.length - words.length);
  if (width < NARROWEST) return undefined;
  const total = Math.max(1, ...samples.map(({ totalBytes }) => totalBytes ?? 0));
  return `${LABEL}${sparkline(points, from, now, width, total)}${words}`;
}
