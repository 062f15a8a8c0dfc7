import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { reportPage } from '../../src/lib/report/html.ts';
import { countBins, fold, runsOf, sparkline } from '../../src/lib/report/series.ts';
import { summarize } from '../../src/lib/report/summary.ts';
import { byteTop, countTop, timeTicks } from '../../src/lib/report/svg.ts';
import { type Sample, type Sampled, totalsOf } from '../../src/lib/store/samples.ts';

const sample = (at: number, fields: Partial<Sample> = {}): Sample => ({
  at: new Date(at).toISOString(),
  live: 3,
  unlisted: 1,
  reserved: 1,
  ceiling: 35,
  totalBytes: 64e9,
  availableBytes: 20e9,
  helpersRssBytes: 1e8,
  sessions: [{ id: 's', kind: 'background', status: 'idle', rssBytes: 4e8, idleMs: 7_200_000 }],
  ...fields,
});

const sampled = (samples: Sample[], skipped = 0): Sampled => ({
  samples: samples.map(totalsOf),
  last: samples.at(-1),
  skipped,
});

describe('series', () => {
  it('fold into bins without inventing values for gaps', () => {
    const bins = fold(
      [
        { at: 0, value: 1 },
        { at: 1, value: 3 },
        { at: 50, value: null },
        { at: 99, value: 8 },
      ],
      0,
      100,
      10,
    );
    expect(bins.map(({ mean, max }) => [mean, max])).toEqual([
      [2, 3],
      [8, 8],
    ]);
    expect(runsOf(bins, 20)).toHaveLength(2);
  });

  it('keep the highest value and never more bins than asked', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ at: fc.nat(1000), value: fc.nat(100) }), { minLength: 1, maxLength: 300 }),
        fc.integer({ min: 1, max: 40 }),
        (points, count) => {
          const bins = fold(points, 0, 1000, count);
          expect(bins.length).toBeLessThanOrEqual(count);
          expect(Math.max(...bins.map(({ max }) => max))).toBe(Math.max(...points.map(({ value }) => value)));
          expect(
            countBins(
              points.map(({ at }) => at),
              0,
              1000,
              count,
            ).reduce((sum, one) => sum + one, 0),
          ).toBe(points.length);
        },
      ),
    );
  });

  it('draw a bar a bin', () =>
    expect(
      sparkline(
        [
          { at: 0, value: 1 },
          { at: 100, value: 8 },
        ],
        0,
        100,
        5,
        8,
      ),
    ).toBe('▂   █'));
});

describe('the top of an axis', () => {
  it('of counts is at or above the highest, not far above it, and its quarters are whole', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e9 }), (value) => {
        const top = countTop(value);
        expect(top).toBeGreaterThanOrEqual(value);
        expect(top).toBeLessThanOrEqual(Math.max(4, value * 2));
        expect(Number.isInteger(top / 4)).toBe(true);
      }),
    );
    expect([1, 5, 24, 35, 100].map(countTop)).toEqual([4, 8, 24, 40, 120]);
  });

  it('of bytes is round in the unit they are shown in', () => {
    const gb = 2 ** 30;
    expect(byteTop(58 * gb) / gb).toBe(80);
    expect(byteTop(3.1 * 2 ** 20) / 2 ** 20).toBe(4);
    expect(byteTop(1)).toBe(4);
  });
});

describe('the times on an axis', () => {
  it('are round moments within the span, and few', () => {
    const hour = 3_600_000;
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2e12 }), fc.integer({ min: 1, max: 24 * 400 }), (from, hours) => {
        const ticks = timeTicks(from, from + hours * hour, 8);
        expect(ticks.length).toBeLessThanOrEqual(9);
        if (hours > 1) expect(ticks.length).toBeGreaterThan(0);
        for (const { at } of ticks) {
          expect(at).toBeGreaterThanOrEqual(from);
          expect(at).toBeLessThanOrEqual(from + hours * hour);
          expect(at % 300_000).toBe(0);
        }
      }),
    );
    const noon = Date.parse('2026-03-01T12:00:00Z');
    expect(timeTicks(noon, noon + 7 * 24 * hour, 8).map(({ label }) => label)).toEqual(
      ['02', '03', '04', '05', '06', '07', '08'].map((day) => `03-${day}`),
    );
    expect(timeTicks(noon, noon + 15 * hour, 6).map(({ label }) => label)).toEqual([
      '12:00',
      '15:00',
      '18:00',
      '21:00',
      '03-02',
      '03:00',
    ]);
  });
});

describe('a report', () => {
  it('adds up what samples say, and leaves out what could not be read', () => {
    const summary = summarize(
      sampled([sample(0), sample(1000, { live: null, sessions: [], availableBytes: null })], 2),
      [
        { at: 500, kind: 'refusal', words: '' },
        { at: 5000, kind: 'exit', words: '' },
      ],
      0,
      2000,
    );
    expect(summary).toMatchObject({ peakCounted: 5, lowestAvailable: 20e9, skippedLines: 2, samples: 2 });
    expect(summary.counted.map(({ value }) => value)).toEqual([5, null]);
    expect(summary.events).toHaveLength(1);
  });

  it('is one page without script or outside asset, at ten thousand samples too, whatever the names', () => {
    const evil = '<script>alert(1)</script>\x1b[2J';
    const samples = Array.from({ length: 10_000 }, (_, at) =>
      sample(at * 300_000, { sessions: [{ id: evil, kind: evil, status: evil, rssBytes: 5, idleMs: null }] }),
    );
    const page = reportPage(summarize(sampled(samples), [], 0, 10_000 * 300_000));
    expect(page).not.toMatch(/<script|https?:|\x1b|src=/);
    expect(page.length).toBeLessThan(200_000);
    // Four plots, each for two widths.
    expect(page.match(/<svg class="wide"/g)).toHaveLength(4);
    expect(page.match(/<svg class="narrow"/g)).toHaveLength(4);
  });
});

it('shows wakes, revivals, and tasks that await a person with what they hold', () => {
  const now = 1e12;
  const sid = 'abcdef12-0000-4000-8000-000000000001';
  const summary = summarize(
    sampled([
      sample(now, {
        sessions: [{ id: sid.slice(0, 8), kind: 'background', status: 'idle', rssBytes: 5e8, idleMs: 1 }],
      }),
    ]),
    [
      { at: now - 5, kind: 'wake', words: '' },
      { at: now - 4, kind: 'wake', words: '' },
      { at: now - 3, kind: 'revival', words: '' },
    ],
    now - 1000,
    now,
    [
      { task: 'no-session', title: undefined, since: undefined, driverSid: undefined },
      { task: 'waits', title: '<b>me</b>', since: now - 11 * 86_400_000, driverSid: sid },
    ],
  );
  expect(summary.awaiting.map(({ task, rssBytes }) => [task, rssBytes])).toEqual([
    ['waits', 5e8],
    ['no-session', null],
  ]);
  const page = reportPage(summary);
  expect(page).toContain('<dt>Drivers woken</dt><dd>2</dd>');
  expect(page).toContain('<dt>Drivers revived</dt><dd>1</dd>');
  expect(page).toContain('Tasks that await a person: 2, holding 477 MB');
  expect(page).toContain('&#60;b&#62;me&#60;/b&#62;');
  expect(page).toContain('11d');
});
