import { columnsOf } from './columns.ts';

/** Columns of text, each as wide as its widest cell, two spaces apart; `right` aligns by the right edge. No boxes. */
export function table(rows: readonly (readonly string[])[], right: readonly number[] = []): string[] {
  const widths: number[] = [];
  for (const row of rows)
    for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, columnsOf(cell));
  const padded = (cell: string, at: number) => {
    const space = ' '.repeat(Math.max(0, (widths[at] ?? 0) - columnsOf(cell)));
    return right.includes(at) ? space + cell : cell + space;
  };
  return rows.map((row) => row.map(padded).join('  ').trimEnd());
}

/** `text` cut to `width` columns with an ellipsis. */
export function cutTo(text: string, width: number): string {
  if (columnsOf(text) <= width) return text;
  let head = '';
  let left = width - 1;
  for (const ch of text) {
    left -= columnsOf(ch);
    if (left < 0) break;
    head += ch;
  }
  return `${head}…`;
}

/** `text` in lines of at most `width` columns, broken behind commas where it can be; those after the first are indented. */
export function wrapTo(text: string, width: number, indent: number): string[] {
  const lines: string[] = [];
  for (let rest = text; ; ) {
    const comma = rest.lastIndexOf(', ', width - 1);
    if (columnsOf(rest) <= width || comma < indent) return [...lines, cutTo(rest, width)];
    lines.push(rest.slice(0, comma + 1));
    rest = ' '.repeat(indent) + rest.slice(comma + 2);
  }
}
