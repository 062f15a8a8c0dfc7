/** A point in time, ms since 1970, with a value or none (it could not be read). */
export interface Point {
  at: number;
  value: number | null;
}

export interface Bin {
  at: number;
  mean: number;
  max: number;
}

/**
 * Points folded into at most `count` equal bins of [from, to]; bins without a value are absent, so that a gap stays a
 * gap. Ten thousand samples become a line that a page can show.
 */
export function fold(points: readonly Point[], from: number, to: number, count: number): Bin[] {
  const width = Math.max(1, (to - from) / count);
  const bins = new Map<number, { sum: number; max: number; size: number }>();
  for (const { at, value } of points) {
    if (value === null || at < from || at > to) continue;
    const index = Math.min(count - 1, Math.floor((at - from) / width));
    const bin = bins.get(index) ?? { sum: 0, max: Number.NEGATIVE_INFINITY, size: 0 };
    bins.set(index, { sum: bin.sum + value, max: Math.max(bin.max, value), size: bin.size + 1 });
  }
  return [...bins]
    .sort(([left], [right]) => left - right)
    .map(([index, { sum, max, size }]) => ({ at: from + (index + 0.5) * width, mean: sum / size, max }));
}

/** Events counted by bin: `count` numbers over [from, to]. */
export function countBins(times: readonly number[], from: number, to: number, count: number): number[] {
  const bins = new Array<number>(count).fill(0);
  const width = Math.max(1, (to - from) / count);
  for (const at of times) {
    if (at < from || at > to) continue;
    const index = Math.min(count - 1, Math.floor((at - from) / width));
    bins[index] = (bins[index] ?? 0) + 1;
  }
  return bins;
}

/** Runs of bins without a gap wider than `gapMs` between neighbours. */
export function runsOf(bins: readonly Bin[], gapMs: number): Bin[][] {
  const runs: Bin[][] = [];
  for (const bin of bins) {
    const run = runs.at(-1);
    const last = run?.at(-1);
    if (run === undefined || last === undefined || bin.at - last.at > gapMs) runs.push([bin]);
    else run.push(bin);
  }
  return runs;
}

const BARS = '▁▂▃▄▅▆▇█';

/** A line of bars, one a bin of `width`; a space where there was no sample. */
export function sparkline(points: readonly Point[], from: number, to: number, width: number, top: number): string {
  const bins = fold(points, from, to, width);
  const cells = new Array<string>(width).fill(' ');
  for (const { at, max } of bins) {
    const index = Math.min(width - 1, Math.floor(((at - from) / Math.max(1, to - from)) * width));
    cells[index] = BARS[Math.min(7, Math.max(0, Math.floor((max / Math.max(top, 1e-9)) * 8)))] ?? ' ';
  }
  return cells.join('');
}
