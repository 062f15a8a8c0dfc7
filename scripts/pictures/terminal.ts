import { columnsOf } from '../../src/lib/words/columns.ts';
import { escapeHtml } from '../../src/lib/words/escape-html.ts';

const CELL = 8.4;
const LINE = 20;
const PADDING = 18;
const INK = '#d7dde6';
const COLOURS: Record<string, string> = { '31': '#ff7b72', '32': '#7ee787', '33': '#f2cc60' };

/** What a terminal shows, with its colours (SGR), as an SVG picture. */
export function terminalPicture(title: string, screen: string, columns: number): string {
  const lines = screen.trimEnd().split('\n');
  const width = Math.round(columns * CELL + 2 * PADDING);
  const height = lines.length * LINE + 2 * PADDING;
  // A colour lasts until it is changed, over the ends of lines too.
  const look = { now: plain() };
  const text = lines.map((line, at) => lineOf(line, PADDING + (at + 0.75) * LINE, look)).join('\n');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" font-family="ui-monospace,SFMono-Regular,Menlo,DejaVu Sans Mono,monospace" font-size="14">
<title>${escapeHtml(title)}</title>
<rect width="${width}" height="${height}" rx="8" fill="#14181f"/>
${text}
</svg>
`;
}

function lineOf(line: string, y: number, look: { now: Look }): string {
  let column = 0;
  const runs: string[] = [];
  for (const part of line.split(/(\x1b\[[\d;]*m)/)) {
    if (part.startsWith('\x1b')) {
      for (const code of part.slice(2, -1).split(';')) look.now = changed(look.now, code);
      continue;
    }
    const columns = columnsOf(part);
    if (part.trim() !== '') {
      const x = (PADDING + column * CELL).toFixed(1);
      // The font is the reader's: each run is as wide as its columns in any.
      runs.push(
        `<tspan x="${x}" textLength="${(columns * CELL).toFixed(1)}" lengthAdjust="spacingAndGlyphs" fill="${look.now.fill}"${look.now.weight}${look.now.opacity}>${escapeHtml(part)}</tspan>`,
      );
    }
    column += columns;
  }
  return `<text y="${y}" xml:space="preserve">${runs.join('')}</text>`;
}

interface Look {
  fill: string;
  /** Attributes, each with a space before it, or nothing. */
  weight: string;
  opacity: string;
}

const plain = (): Look => ({ fill: INK, weight: '', opacity: '' });

function changed(look: Look, code: string): Look {
  if (code === '' || code === '0') return plain();
  if (code === '1') return { ...look, weight: ' font-weight="bold"' };
  if (code === '2') return { ...look, opacity: ' opacity="0.6"' };
  if (code === '22') return { ...look, weight: '', opacity: '' };
  return { ...look, fill: COLOURS[code] ?? INK };
}
