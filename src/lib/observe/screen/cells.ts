import { isWide, isZeroWidth } from '../../words/columns.ts';

/** One character cell of a screen. The right half of a wide character is a cell with an empty `ch`. */
export interface Cell {
  ch: string;
  dim: boolean;
  inverse: boolean;
}

export interface Row {
  cells: Cell[];
  /** The characters of the row without trailing spaces. */
  text: string;
  /** The row ends in inverse video: tmux trims trailing spaces, so a cursor block at the end is seen only in this. */
  inverseTail: boolean;
}

interface Pen {
  dim: boolean;
  inverse: boolean;
}

// Sticky and without nested repetition: a broken escape in a large capture must cost linear time.
const csi = /\x1b\[([0-?]*)[ -/]*([@-~])/y;
const osc = /\x1b[\]PX^_][^\x07\x1b\n]*(?:\x07|\x1b\\)/y;
const other = /\x1b[ -/]*[0-~]/y;

function applySgr(pen: Pen, parameters: string): void {
  const codes = parameters.split(/[;:]/).map((code) => (code === '' ? 0 : Number(code)));
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i];
    // A colour carries its own numbers: 38;5;2 is green, not dim.
    if (code === 38 || code === 48 || code === 58) i += codes[i + 1] === 2 ? 4 : 2;
    else if (code === 0) Object.assign(pen, { dim: false, inverse: false });
    else if (code === 2) pen.dim = true;
    else if (code === 22) pen.dim = false;
    else if (code === 7) pen.inverse = true;
    else if (code === 27) pen.inverse = false;
  }
}

/** Length of the escape sequence at `at`, applying it to the pen; 1 for an escape that is no sequence. */
function eatEscape(line: string, at: number, pen: Pen): number {
  for (const pattern of [csi, osc, other]) {
    pattern.lastIndex = at;
    const hit = pattern.exec(line);
    if (!hit) continue;
    if (pattern === csi && hit[2] === 'm') applySgr(pen, hit[1] ?? '');
    return hit[0].length;
  }
  return 1;
}

function parseLine(line: string, pen: Pen): Row {
  const cells: Cell[] = [];
  for (let i = 0; i < line.length; ) {
    const code = line.codePointAt(i) ?? 0;
    const ch = String.fromCodePoint(code);
    if (code === 0x1b) {
      i += eatEscape(line, i, pen);
      continue;
    }
    i += ch.length;
    const last = cells.at(-1);
    if (code < 0x20 || (code >= 0x7f && code < 0xa0)) continue;
    if (isZeroWidth(ch)) {
      if (last) last.ch += ch;
      continue;
    }
    cells.push({ ch, dim: pen.dim, inverse: pen.inverse });
    if (isWide(code)) cells.push({ ch: '', dim: pen.dim, inverse: pen.inverse });
  }
  return { cells, text: textOf(cells), inverseTail: pen.inverse };
}

/** The characters of some cells, without trailing spaces (a no-break space is a character). */
export function textOf(cells: readonly Cell[]): string {
  return cells
    .map((cell) => cell.ch)
    .join('')
    .replace(/ +$/, '');
}

/** Rows of a `tmux capture-pane -p -e` text. Colours and attributes carry over from line to line, as tmux prints them. */
export function parseScreen(ansi: string): Row[] {
  const pen: Pen = { dim: false, inverse: false };
  const lines = ansi.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines.map((line) => parseLine(line, pen));
}
