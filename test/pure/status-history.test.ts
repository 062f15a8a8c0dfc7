import { describe, expect, it } from 'vitest';
import { historyLine } from '../../src/actions/cap-status-history.ts';
import type { SampleTotals } from '../../src/lib/store/samples.ts';
import { columnsOf } from '../../src/lib/words/columns.ts';

const NOW = Date.parse('2026-03-02T12:00:00.000Z');
const GIB = 2 ** 30;
const HOUR = 3_600_000;

const sample = (hoursAgo: number, sessionGib: number | null): SampleTotals => ({
  at: new Date(NOW - hoursAgo * HOUR).toISOString(),
  live: sessionGib === null ? null : 2,
  unlisted: 0,
  reserved: 0,
  ceiling: 9,
  totalBytes: 64 * GIB,
  availableBytes: (64 - (sessionGib ?? 0)) * GIB,
  helpersRssBytes: 0,
  sessionsRssBytes: sessionGib === null ? null : sessionGib * GIB,
});

const bars = (line: string | undefined) => /^24 h {6}(.*) {2}sessions’ RSS/.exec(line ?? '')?.[1];

describe('the history line', () => {
  it('has a bar for each part of the day, against the machine’s memory, with the most and the least', () => {
    const line = historyLine([sample(23.9, 1), sample(12, 32), sample(0, 63)], NOW, 100);
    expect(line).toMatch(/ {2}sessions’ RSS, most 63(\.0)? GB; least available 1(\.0+)? GB$/);
    expect(bars(line)?.replaceAll(/ +/g, ' ')).toBe('▁ ▅ █');
    expect(bars(line)?.length).toBeGreaterThan(30);
  });

  it('leaves a gap where nothing was read', () => {
    const line = historyLine([sample(23.9, 60), sample(12, null), sample(0, 60)], NOW, 100);
    expect(bars(line)).toMatch(/^█ +█$/);
  });

  it.each([0, 1])('is not there with %i samples', (count) => {
    expect(historyLine([sample(0, 9), sample(1, 9)].slice(0, count), NOW, 100)).toBeUndefined();
  });

  it('is not there when no sample is of the last day, or none could be read', () => {
    expect(historyLine([sample(30, 9), sample(40, 9)], NOW, 100)).toBeUndefined();
    expect(historyLine([sample(1, null), sample(2, null)], NOW, 100)).toBeUndefined();
  });

  it.each([40, 60, 72, 80, 100, 200])('stays within %i columns, or is left out', (columns) => {
    const line = historyLine([sample(2, 9), sample(1, 9)], NOW, columns);
    if (columns >= 80) expect(line).toBeDefined();
    if (line !== undefined) expect(columnsOf(line)).toBeLessThanOrEqual(columns);
  });
});
