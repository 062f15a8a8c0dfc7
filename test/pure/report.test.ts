import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { reportPage } from '../../src/lib/report/html.ts';
import { countBins, fold, runsOf, sparkline } from '../../src/lib/report/series.ts';
import { summarize } from '../../src/lib/report/summary.ts';
import { niceTop } from '../../src/lib/report/svg.ts';
import type { Sample } from '../../src/lib/store/samples.ts';

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

it('axes end at a round number at or above the value', () => {
  fc.assert(
    fc.property(fc.double({ min: 0.001, max: 1e13, noNaN: true }), (value) => {
      expect(niceTop(value)).toBeGreaterThanOrEqual(value * 0.99999);
      expect(niceTop(value)).toBeLessThanOrEqual(value * 2.6);
    }),
  );
});

describe('a report', () => {
  it('adds up what samples say, and leaves out what could not be read', () => {
    const summary = summarize(
      [sample(0), sample(1000, { live: null, sessions: [], availableBytes: null })],
      [
        { at: 500, kind: 'refusal', words: '' },
        { at: 5000, kind: 'exit', words: '' },
      ],
      2,
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
    const page = reportPage(summarize(samples, [], 0, 0, 10_000 * 300_000));
    expect(page).not.toMatch(/<script|https?:|\x1b|src=/);
    expect(page.length).toBeLessThan(200_000);
    expect(page.match(/<svg/g)).toHaveLength(4);
  });
});

it('shows wakes, revivals, and tasks that await a person with what they hold', () => {
  const now = 1e12;
  const sid = 'abcdef12-0000-4000-8000-000000000001';
  const summary = summarize(
    [
      sample(now, {
        sessions: [{ id: sid.slice(0, 8), kind: 'background', status: 'idle', rssBytes: 5e8, idleMs: 1 }],
      }),
    ],
    [
      { at: now - 5, kind: 'wake', words: '' },
      { at: now - 4, kind: 'wake', words: '' },
      { at: now - 3, kind: 'revival', words: '' },
    ],
    0,
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
