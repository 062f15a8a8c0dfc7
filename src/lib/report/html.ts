import { formatBytes } from '../words/bytes.ts';
import { formatDuration } from '../words/duration.ts';
import { escapeHtml } from '../words/escape-html.ts';
import { safeText } from '../words/safe-text.ts';
import { countBins } from './series.ts';
import type { Summary } from './summary.ts';
import { barPlot, byteTop, countTop, linePlot, type Plot } from './svg.ts';

const STYLE = `
:root{color-scheme:light dark;--ink:#1c2430;--soft:#5b6675;--ground:#fff;--rule:#e2e6ec;--a:#2463b4;--b:#c2410c;--c:#15803d;--d:#7e57c2}
@media (prefers-color-scheme:dark){:root{--ink:#e6eaf0;--soft:#9aa5b4;--ground:#14181f;--rule:#2b323d;--a:#6ea8fe;--b:#fb923c;--c:#4ade80;--d:#b39ddb}}
*{box-sizing:border-box}body{margin:0 auto;max-width:980px;padding:24px 20px;background:var(--ground);color:var(--ink);font:15px/1.5 system-ui,sans-serif}
h1{font-size:22px;margin:0 0 2px}h2{font-size:16px;margin:28px 0 8px}p.when{color:var(--soft);margin:0 0 18px}
.facts{display:flex;flex-wrap:wrap;gap:10px 32px;margin:0 0 8px;padding:0}.facts div{min-width:120px}.facts dt{color:var(--soft);font-size:13px}.facts dd{margin:0;font-size:20px;font-variant-numeric:tabular-nums}
figure{margin:22px 0}figcaption{font-weight:600;margin-bottom:4px;display:flex;flex-wrap:wrap;gap:4px 16px}
.legend{font-weight:400;color:var(--soft);font-size:13px;display:flex;flex-wrap:wrap;gap:4px 14px;align-items:center}.legend i{display:inline-block;width:12px;height:3px;margin-right:5px;vertical-align:middle;background:var(--a)}
svg{width:100%;height:auto;display:block;overflow:visible}svg.narrow{display:none}@media (max-width:640px){svg.wide{display:none}svg.narrow{display:block}}.grid{stroke:var(--rule);stroke-width:1}.axis{fill:var(--soft);font-size:12px}
.line{fill:none;stroke:var(--a);stroke-width:1.8;stroke-linejoin:round;stroke-linecap:round}.line.b{stroke:var(--b);stroke-dasharray:5 4}.line.c{stroke:var(--c)}.line.d{stroke:var(--d)}
i.b,.bar.b{background:var(--b);fill:var(--b)}i.c,.bar.c{background:var(--c);fill:var(--c)}i.d,.bar.d{background:var(--d);fill:var(--d)}.bar{fill:var(--a)}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}td,th{text-align:left;padding:4px 10px 4px 0;border-bottom:1px solid var(--rule);overflow-wrap:anywhere}td.w,td.n,th{overflow-wrap:normal;white-space:nowrap}th{color:var(--soft);font-weight:500;font-size:13px}td.n,th.n{text-align:right}
td.share{width:45%}td.share b{display:block;height:12px;background:var(--a);border-radius:2px}
`;

/** A self-contained page (no script, no external asset) that draws a summary. */
export function reportPage(summary: Summary): string {
  const { from, to, peakCounted, lowestAvailable, events, samples, totalBytes } = summary;
  const refusals = events.filter(({ kind }) => kind === 'refusal');
  const exits = events.filter(({ kind }) => kind === 'exit');
  const wakes = events.filter(({ kind }) => kind === 'wake');
  const revivals = events.filter(({ kind }) => kind === 'revival');
  const spans = 60;
  const bins = (times: readonly { at: number }[]) =>
    countBins(
      times.map(({ at }) => at),
      from,
      to,
      spans,
    );
  const counts = (title: string): Plot => ({ title, from, to, topOf: countTop, format: String });
  const facts: [string, string][] = [
    ['most sessions', String(peakCounted ?? '–')],
    ['least available memory', lowestAvailable === null ? '–' : formatBytes(lowestAvailable)],
    ['memory of the machine', totalBytes === null ? '–' : formatBytes(totalBytes)],
    ['refused starts', String(refusals.length)],
    ['sessions that left', String(exits.length)],
    ['Drivers woken', String(wakes.length)],
    ['Drivers revived', String(revivals.length)],
    ['samples', String(samples)],
  ];
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>session-fleet report</title><style>${STYLE}</style></head><body>
<h1>Claude Code sessions on this machine</h1>
<p class="when">${iso(from)} to ${iso(to)} UTC</p>
<dl class="facts">${facts.map(([name, value]) => `<div><dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd></div>`).join('')}</dl>
${linePlot(counts('Sessions'), [
  { name: 'a', label: 'live, starting and reserved', points: summary.counted },
  { name: 'b', label: 'ceiling', points: summary.ceiling },
])}
${linePlot({ title: 'Memory', from, to, topOf: byteTop, format: formatBytes }, [
  { name: 'a', label: 'sessions (RSS of their process trees)', points: summary.sessionsRss },
  { name: 'd', label: 'helpers (RSS)', points: summary.helpersRss },
  { name: 'c', label: 'available', points: summary.available },
])}
${barPlot(counts('Starts refused and sessions that left'), [
  { name: 'b', label: 'refused', counts: bins(refusals) },
  { name: 'c', label: 'left', counts: bins(exits) },
])}
${barPlot(counts('Drivers woken and revived'), [
  { name: 'a', label: 'woken', counts: bins(wakes) },
  { name: 'd', label: 'revived', counts: bins(revivals) },
])}
${awaitingTable(summary)}
${silenceTable(summary)}
${heaviestTable(summary)}
</body></html>
`;
}

function awaitingTable({ awaiting, to }: Summary): string {
  if (awaiting.length === 0) return '';
  const held = awaiting.reduce((sum, { rssBytes }) => sum + (rssBytes ?? 0), 0);
  const rows = awaiting.map(
    ({ task, title, since, rssBytes }) =>
      `<tr><td>${escapeHtml(safeText(task, 60))}</td><td>${escapeHtml(safeText(title ?? '', 120))}</td><td class="n">${since === undefined ? '–' : formatDuration(to - since)}</td><td class="n">${rssBytes === null ? '–' : formatBytes(rssBytes)}</td></tr>`,
  );
  return `<h2>Tasks that await a person: ${awaiting.length}, holding ${formatBytes(held)}</h2><table><tr><th>task</th><th>title</th><th class="n">for</th><th class="n">RSS</th></tr>${rows.join('')}</table>`;
}

function silenceTable({ silence, silenceUnknown }: Summary): string {
  const top = Math.max(1, ...silence.map(({ count }) => count));
  const rows = silence.map(
    ({ label, count }) =>
      `<tr><td>${escapeHtml(label)}</td><td class="n">${count}</td><td class="share"><b style="width:${((100 * count) / top).toFixed(1)}%"></b></td></tr>`,
  );
  const rest = silenceUnknown > 0 ? `<tr><td>not known</td><td class="n">${silenceUnknown}</td><td></td></tr>` : '';
  return `<h2>Silence, at the last sample</h2><table><tr><th>silent for</th><th class="n">sessions</th><th></th></tr>${rows.join('')}${rest}</table>`;
}

function heaviestTable({ heaviest }: Summary): string {
  if (heaviest.length === 0) return '';
  const rows = heaviest.map(
    ({ id, kind, status, rssBytes, idleMs }) =>
      `<tr><td title="${escapeHtml(safeText(String(id), 60))}">${escapeHtml(shortened(safeText(String(id), 60)))}</td><td class="w">${escapeHtml(safeText(String(kind), 20))}</td><td class="w">${escapeHtml(safeText(String(status ?? '–'), 20))}</td><td class="n">${idleMs === null ? '–' : formatDuration(idleMs)}</td><td class="n">${formatBytes(rssBytes)}</td></tr>`,
  );
  return `<h2>Heaviest sessions, at the last sample</h2><table><tr><th>session</th><th>kind</th><th>status</th><th class="n">silent</th><th class="n">RSS</th></tr>${rows.join('')}</table>`;
}

/** A session's id as status shows it: the first eight characters; the whole is in the cell's title. */
const shortened = (id: string) => (/^[0-9a-f]{8}-/.test(id) ? id.slice(0, 8) : id);

function iso(at: number): string {
  return new Date(at).toISOString().slice(0, 16).replace('T', ' ');
}
