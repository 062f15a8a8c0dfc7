import kleur from 'kleur';
import { formatBytes } from '../lib/words/bytes.ts';
import { formatDuration } from '../lib/words/duration.ts';
import { safeText } from '../lib/words/safe-text.ts';
import { cutTo, table, wrapTo } from '../lib/words/table.ts';
import type { StatusDocument } from './cap-status.ts';

type SessionRow = StatusDocument['sessions'][number];

/** How the status is shown: the width of the terminal, whether it is one, and the line of the last day. */
export interface StatusView {
  columns: number;
  tty: boolean;
  history: string | undefined;
}

/** The status as a person reads it, within `columns`; colours on a terminal only. */
export function statusText(document: StatusDocument, { columns, tty, history }: StatusView): string {
  kleur.enabled = tty && !process.env.NO_COLOR;
  const rows = [...document.sessions].sort((left, right) => right.rssBytes - left.rssBytes);
  return [
    // Colours take no columns, so they come last.
    ...headLines(document).flatMap((line) => wrapTo(line, columns, 10).map((part) => colouredHead(part, document))),
    ...(history === undefined ? [] : [history]),
    ...(rows.length > 0 ? ['', ...sessionLines(rows, columns)] : []),
    ...footLines(document).map((line) => cutTo(line, columns)),
  ].join('\n');
}

function headLines(document: StatusDocument): string[] {
  const { live, unlisted, reserved, ceiling, memory, counted } = document;
  const sign = document.admits ? 'admits' : 'refuses';
  const lines =
    live === null || counted === null
      ? [`sessions  unknown: ${safeText(document.words, 160)}`]
      : [
          `sessions  ${counted} of ${ceiling ?? '?'}  (${live} live, ${unlisted} starting or on a dialog, ${reserved} reserved)  ${sign}`,
        ];
  if (live !== null && !document.admits) lines.push(`          ${safeText(document.words, 160)}`);
  if (memory !== null) {
    const share = Math.round((100 * memory.availableBytes) / memory.totalBytes);
    lines.push(
      `memory    ${formatBytes(memory.availableBytes)} of ${formatBytes(memory.totalBytes)} available (${share}%), floor ${formatBytes(memory.floorBytes)}, sessions ${formatBytes(memory.sessionsRssBytes)} RSS`,
    );
  }
  const { helpers } = document;
  if (helpers.count > 0) {
    const roles = Object.entries(helpers.roles).flatMap(([role, count]) => (count > 0 ? [`${count} ${role}`] : []));
    const pss = helpers.pssBytes === null ? '' : `, ${formatBytes(helpers.pssBytes)} PSS`;
    lines.push(`helpers   ${roles.join(', ')}: ${formatBytes(helpers.rssBytes)} RSS${pss}, no sessions`);
  }
  return lines;
}

function colouredHead(line: string, { admits }: StatusDocument): string {
  return line
    .replace(/^(sessions {2})(unknown)(?=:)/, (_, head, word) => head + kleur.red(word))
    .replace(/^(sessions {2})(\d+ of \S+)/, (_, head, words) => head + kleur.bold(words))
    .replace(/ {2}(admits|refuses)$/, (_, sign) => `  ${admits ? kleur.green(sign) : kleur.red(sign)}`);
}

function sessionLines(rows: readonly SessionRow[], columns: number): string[] {
  const head = ['SESSION', 'KIND', 'STATUS', 'SILENT', 'RSS', 'WHERE', 'NAME'];
  const cells = rows.map((row) => [
    row.shortId ?? row.sessionId?.slice(0, 8) ?? `pid ${row.pid}`,
    kindWord(row),
    safeText(row.listed ? (row.status ?? '?') : 'unlisted', 10),
    row.idleMs === null ? '-' : formatDuration(row.idleMs),
    formatBytes(row.rssBytes),
    row.pane === null ? '-' : cutTo(safeText(`${row.pane.session}:${row.pane.window}`, 40), 24),
    safeText(row.name ?? '', 80),
  ]);
  const lines = table([head, ...cells], [3, 4]).map((line) => cutTo(line, columns));
  return lines.map((line, at) => (at === 0 ? kleur.dim(line) : colourOf(rows[at - 1], line)));
}

function colourOf(row: SessionRow | undefined, line: string): string {
  if (row === undefined) return line;
  if (!row.listed || row.status === 'waiting') return kleur.yellow(line);
  return row.status === 'busy' ? kleur.green(line) : line;
}

function footLines(document: StatusDocument): string[] {
  const lines = document.reservations.map(
    ({ token, for: whom, at }) => `reserved  ${safeText(whom, 40) || '-'}  since ${at}  ${token}`,
  );
  return lines.length > 0 ? ['', ...lines] : [];
}

function kindWord(row: SessionRow): string {
  if (row.kind === 'background') return 'bg';
  return row.pane === null ? 'tty' : 'tmux';
}
