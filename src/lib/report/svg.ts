import { escapeHtml } from '../words/escape-html.ts';
import { type Bin, fold, type Point, runsOf } from './series.ts';

/** Where a plot's parts are, in the units of its view box: about a pixel each in a window of the kind it is for. */
interface Frame {
  /** CSS class: which windows show it. */
  name: string;
  width: number;
  height: number;
  /** Room for the values' labels. */
  left: number;
  right: number;
  top: number;
  bottom: number;
  /** How many times are named on the axis at most. */
  ticks: number;
  /** How many points a line has at most. */
  bins: number;
}

// Each plot is drawn for two widths: one that is scaled to a third has words that nobody can read.
const FRAMES: readonly Frame[] = [
  { name: 'wide', width: 920, height: 220, left: 70, right: 14, top: 12, bottom: 26, ticks: 8, bins: 600 },
  { name: 'narrow', width: 350, height: 190, left: 58, right: 6, top: 10, bottom: 24, ticks: 4, bins: 240 },
];

export interface Line {
  /** CSS class that colours it. */
  name: string;
  label: string;
  points: readonly Point[];
}

/** What is common to plots: the span of time, and how values are written. */
export interface Plot {
  title: string;
  /** ms since 1970 */
  from: number;
  to: number;
  /** The highest value of the axis for a highest value shown. */
  topOf: (value: number) => number;
  format: (value: number) => string;
}

/** A time plot of lines, with axes and a legend by class names. */
export function linePlot(plot: Plot, lines: readonly Line[]): string {
  const { from, to } = plot;
  return figure(plot.title, lines, (frame) => {
    const folded = lines.map((line) => ({ ...line, bins: fold(line.points, from, to, frame.bins) }));
    const top = plot.topOf(Math.max(1, ...folded.flatMap(({ bins }) => bins.map(({ max }) => max))));
    const { x, y } = scales(plot, frame, top);
    const gapMs = Math.max(((to - from) / frame.bins) * 4, typicalStep(lines[0]?.points ?? []) * 3.5);
    const paths = folded.flatMap(({ name, bins }) =>
      runsOf(bins, gapMs).map((run) => `<path class="line ${name}" d="${pathOf(run, x, y)}"/>`),
    );
    return `${axes(plot, frame, top)}${paths.join('')}`;
  });
}

export interface Bars {
  name: string;
  label: string;
  counts: readonly number[];
}

/** Stacked bars over equal spans of time. */
export function barPlot(plot: Plot, bars: readonly Bars[]): string {
  const count = bars[0]?.counts.length ?? 1;
  const totals = Array.from({ length: count }, (_, at) => bars.reduce((sum, { counts }) => sum + (counts[at] ?? 0), 0));
  const top = plot.topOf(Math.max(1, ...totals));
  return figure(plot.title, bars, (frame) => {
    const { y } = scales(plot, frame, top);
    const width = (frame.width - frame.left - frame.right) / count;
    const shapes: string[] = [];
    for (let at = 0; at < count; at++) {
      let below = 0;
      for (const { name, counts } of bars) {
        const value = counts[at] ?? 0;
        const height = y(below) - y(below + value);
        below += value;
        if (value > 0)
          shapes.push(
            `<rect class="bar ${name}" x="${(frame.left + at * width + 0.5).toFixed(1)}" width="${Math.max(0.8, width - 1).toFixed(1)}" y="${y(below).toFixed(1)}" height="${height.toFixed(1)}"/>`,
          );
      }
    }
    return `${axes(plot, frame, top)}${shapes.join('')}`;
  });
}

function figure(
  title: string,
  parts: readonly { name: string; label: string }[],
  drawn: (frame: Frame) => string,
): string {
  const legend = parts.map(({ name, label }) => `<span><i class="${name}"></i>${escapeHtml(label)}</span>`).join('');
  const svgs = FRAMES.map(
    (frame) =>
      `<svg class="${frame.name}" viewBox="0 0 ${frame.width} ${frame.height}" role="img" aria-label="${escapeHtml(title)}">${drawn(frame)}</svg>`,
  );
  return `<figure><figcaption>${escapeHtml(title)}<span class="legend">${legend}</span></figcaption>\n${svgs.join('\n')}</figure>`;
}

function scales({ from, to }: Plot, { width, height, left, right, top: above, bottom }: Frame, top: number) {
  return {
    x: (at: number) => left + ((at - from) / Math.max(1, to - from)) * (width - left - right),
    y: (value: number) => above + (1 - value / top) * (height - above - bottom),
  };
}

function pathOf(run: readonly Bin[], x: (at: number) => number, y: (value: number) => number): string {
  // A run of one bin is drawn as a dot-long line, or it would not be seen.
  const [only] = run;
  const points = run.length === 1 && only !== undefined ? [only, { ...only, at: only.at + 1 }] : run;
  return points
    .map(({ at, mean }, index) => `${index === 0 ? 'M' : 'L'}${x(at).toFixed(1)} ${y(mean).toFixed(1)}`)
    .join('');
}

function axes(plot: Plot, frame: Frame, top: number): string {
  const { x, y } = scales(plot, frame, top);
  const { left, right, width, height, ticks } = frame;
  const values = [0, 0.25, 0.5, 0.75, 1].map((part) => {
    const at = y(top * part).toFixed(1);
    return `<line class="grid" x1="${left}" x2="${width - right}" y1="${at}" y2="${at}"/><text class="axis" x="${left - 6}" y="${at}" text-anchor="end" dominant-baseline="middle">${escapeHtml(plot.format(top * part))}</text>`;
  });
  const times = timeTicks(plot.from, plot.to, ticks).map(
    ({ at, label }) =>
      `<text class="axis" x="${x(at).toFixed(1)}" y="${height - 7}" text-anchor="middle">${label}</text>`,
  );
  return values.join('') + times.join('');
}

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;
const STEPS = [5, 15, 30, 60, 120, 180, 360, 720].map((minutes) => minutes * MINUTE);
const DAY_STEPS = [1, 2, 7, 14, 30, 90, 365].map((days) => days * DAY);

/** Round moments (UTC) in [from, to], at most `most` and one, each with what is written at it. */
export function timeTicks(from: number, to: number, most: number): { at: number; label: string }[] {
  const steps = [...STEPS, ...DAY_STEPS];
  const step = steps.find((one) => to - from <= one * most) ?? (to - from) / most;
  const ticks: { at: number; label: string }[] = [];
  for (let at = Math.ceil(from / step) * step; at <= to; at += step) {
    const iso = new Date(at).toISOString();
    ticks.push({ at, label: step >= DAY || at % DAY === 0 ? iso.slice(5, 10) : iso.slice(11, 16) });
  }
  return ticks;
}

const LEADING = [1, 2, 3, 4, 5, 6, 8, 10];

/** The top of an axis of counts: at or above `value`, and four whole steps of it are round. */
export function countTop(value: number): number {
  const step = Math.max(1, value / 4);
  const power = 10 ** Math.floor(Math.log10(step));
  return 4 * power * (LEADING.find((one) => one * power >= step * 0.999999) ?? 10);
}

/** The same for bytes: four steps of whole KB, MB or GB (of 1024). */
export function byteTop(value: number): number {
  const unit = 1024 ** Math.max(0, Math.floor(Math.log2(Math.max(1, value)) / 10));
  return unit * countTop(value / unit);
}

function typicalStep(points: readonly Point[]): number {
  const steps = points
    .slice(1)
    .map(({ at }, index) => at - (points[index]?.at ?? at))
    .sort((left, right) => left - right);
  return steps[Math.floor(steps.length / 2)] ?? 0;
}
