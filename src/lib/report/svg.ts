import { escapeHtml } from '../words/escape-html.ts';
import { type Bin, fold, type Point, runsOf } from './series.ts';

const WIDTH = 920;
const HEIGHT = 220;
const LEFT = 70;
const RIGHT = 14;
const TOP = 12;
const BOTTOM = 26;

export interface Line {
  /** CSS class that colours it. */
  name: string;
  label: string;
  points: readonly Point[];
}

/** A time plot of lines over [from, to], with axes and a legend by class names. `format` writes values. */
export function linePlot(
  title: string,
  lines: readonly Line[],
  from: number,
  to: number,
  format: (value: number) => string,
): string {
  const folded = lines.map((line) => ({ ...line, bins: fold(line.points, from, to, 600) }));
  const top = niceTop(Math.max(1, ...folded.flatMap(({ bins }) => bins.map(({ max }) => max))));
  const x = (at: number) => LEFT + ((at - from) / Math.max(1, to - from)) * (WIDTH - LEFT - RIGHT);
  const y = (value: number) => TOP + (1 - value / top) * (HEIGHT - TOP - BOTTOM);
  const gapMs = Math.max(((to - from) / 600) * 4, typicalStep(lines[0]?.points ?? []) * 3.5);
  const paths = folded.flatMap(({ name, bins }) =>
    runsOf(bins, gapMs).map((run) => `<path class="line ${name}" d="${pathOf(run, x, y)}"/>`),
  );
  const legend = lines.map(({ name, label }) => `<span><i class="${name}"></i>${escapeHtml(label)}</span>`).join('');
  return `<figure><figcaption>${escapeHtml(title)}<span class="legend">${legend}</span></figcaption>
<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escapeHtml(title)}">${grid(top, y, format)}${timeAxis(from, to, x)}${paths.join('')}</svg></figure>`;
}

export interface Bars {
  name: string;
  label: string;
  counts: readonly number[];
}

/** Stacked bars over equal spans of [from, to]. */
export function barPlot(title: string, bars: readonly Bars[], from: number, to: number): string {
  const count = bars[0]?.counts.length ?? 1;
  const totals = Array.from({ length: count }, (_, at) => bars.reduce((sum, { counts }) => sum + (counts[at] ?? 0), 0));
  const top = niceTop(Math.max(1, ...totals));
  const width = (WIDTH - LEFT - RIGHT) / count;
  const x = (at: number) => LEFT + ((at - from) / Math.max(1, to - from)) * (WIDTH - LEFT - RIGHT);
  const y = (value: number) => TOP + (1 - value / top) * (HEIGHT - TOP - BOTTOM);
  const shapes: string[] = [];
  for (let at = 0; at < count; at++) {
    let below = 0;
    for (const { name, counts } of bars) {
      const value = counts[at] ?? 0;
      if (value > 0) {
        shapes.push(
          `<rect class="bar ${name}" x="${(LEFT + at * width + 0.5).toFixed(1)}" width="${Math.max(0.8, width - 1).toFixed(1)}" y="${y(below + value).toFixed(1)}" height="${(y(below) - y(below + value)).toFixed(1)}"/>`,
        );
      }
      below += value;
    }
  }
  const legend = bars.map(({ name, label }) => `<span><i class="${name}"></i>${escapeHtml(label)}</span>`).join('');
  return `<figure><figcaption>${escapeHtml(title)}<span class="legend">${legend}</span></figcaption>
<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escapeHtml(title)}">${grid(top, y, (value) => String(Math.round(value * 10) / 10))}${timeAxis(from, to, x)}${shapes.join('')}</svg></figure>`;
}

function pathOf(run: readonly Bin[], x: (at: number) => number, y: (value: number) => number): string {
  // A run of one bin is drawn as a dot-long line, or it would not be seen.
  const [only] = run;
  const points = run.length === 1 && only !== undefined ? [only, { ...only, at: only.at + 1 }] : run;
  return points
    .map(({ at, mean }, index) => `${index === 0 ? 'M' : 'L'}${x(at).toFixed(1)} ${y(mean).toFixed(1)}`)
    .join('');
}

function grid(top: number, y: (value: number) => number, format: (value: number) => string): string {
  return [0, 0.25, 0.5, 0.75, 1]
    .map((part) => {
      const at = y(top * part).toFixed(1);
      return `<line class="grid" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${at}" y2="${at}"/><text class="axis" x="${LEFT - 8}" y="${at}" text-anchor="end" dominant-baseline="middle">${escapeHtml(format(top * part))}</text>`;
    })
    .join('');
}

function timeAxis(from: number, to: number, x: (at: number) => number): string {
  const long = to - from > 2 * 86_400_000;
  return Array.from({ length: 6 }, (_, index) => {
    const at = from + ((to - from) * index) / 5;
    const iso = new Date(at).toISOString();
    const label = long ? iso.slice(5, 10) : iso.slice(11, 16);
    const anchor = index === 0 ? 'start' : index === 5 ? 'end' : 'middle';
    return `<text class="axis" x="${x(at).toFixed(1)}" y="${HEIGHT - 8}" text-anchor="${anchor}">${label}</text>`;
  }).join('');
}

/** 1, 2, 2.5, 4, 5, 8 or 10 times a power of ten (divisible by four on the grid), at or above `value`. */
export function niceTop(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const step = [1, 2, 2.5, 4, 5, 8, 10].find((one) => one * power >= value * 0.999999) ?? 10;
  return step * power;
}

function typicalStep(points: readonly Point[]): number {
  const steps = points
    .slice(1)
    .map(({ at }, index) => at - (points[index]?.at ?? at))
    .sort((left, right) => left - right);
  return steps[Math.floor(steps.length / 2)] ?? 0;
}
