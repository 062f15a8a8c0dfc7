import { type Row, textOf } from './cells.ts';

/** The prompt box of Claude Code: the rows between its two rules. It is the box only if the terminal's cursor is in it. */
export interface Box {
  top: number;
  bottom: number;
  rows: Row[];
  /** Rules that say "↑ 3 more" / "↓ 3 more": the draft is longer than what is shown. */
  scrolled: boolean;
}

// Claude writes a no-break space after the prompt sign in this one place. Echoed messages, menus, dialogs and the box of the
// agents view have a plain space there.
const promptMark = '❯\u00a0';

/**
 * A horizontal rule over the whole width of the pane. The upper one can carry a label (the session's name), whose width in
 * columns is not always known (emoji), so a labelled rule may miss the width by a little.
 */
export function isRule(row: Row | undefined, width: number): boolean {
  if (!row) return false;
  if (isPlainRule(row)) return row.text.length === width;
  return /^─+ .* ─+$/u.test(row.text) && Math.abs(columnsOf(row) - width) <= 8;
}

function columnsOf(row: Row): number {
  let end = row.cells.length;
  while (end > 0 && row.cells[end - 1]?.ch === ' ') end--;
  return end;
}

function isPlainRule(row: Row | undefined): boolean {
  return row !== undefined && /^─+$/u.test(row.text);
}

/** Rows after the first one of a box are indented by two columns. */
function isContinuation(row: Row | undefined): boolean {
  return row?.cells.slice(0, 2).every((cell) => cell.ch === ' ') ?? false;
}

export function startsPrompt(row: Row | undefined): boolean {
  return row?.text.startsWith(promptMark) ?? false;
}

/** The box around the cursor, found by walking up and down from it; null if what is there is not exactly a prompt box. */
export function findBox(rows: readonly Row[], cursorY: number, width: number): Box | null {
  let first = cursorY;
  while (isContinuation(rows[first])) first--;
  // A long draft scrolls in its box: its first row is then not shown, and the upper rule says so.
  const top = startsPrompt(rows[first]) ? first - 1 : first;
  let bottom = cursorY + 1;
  while (isContinuation(rows[bottom])) bottom++;
  const upper = rows[top];
  const lower = rows[bottom];
  if (top >= cursorY || !isRule(upper, width) || !isRule(lower, width)) return null;
  const moreAbove = /─ ↑ \d+ more ─/u.test(upper?.text ?? '');
  const moreBelow = /─ ↓ \d+ more ─/u.test(lower?.text ?? '');
  if (!(startsPrompt(rows[top + 1]) || moreAbove) || !(isPlainRule(lower) || moreBelow)) return null;
  return { top, bottom, rows: rows.slice(top + 1, bottom), scrolled: moreAbove || moreBelow };
}

/** What the box holds, one line a row; spaces before the cursor count though tmux trims them. */
export function boxText(box: Box, cursorX: number, cursorY: number): string {
  const lines = box.rows.map((row, i) => {
    const cells = row.cells.slice(2);
    const wanted = box.top + 1 + i === cursorY ? cursorX - 2 : 0;
    return textOf(cells) + ' '.repeat(Math.max(0, wanted - usedColumns(row)));
  });
  return lines.join('\n');
}

function usedColumns(row: Row): number {
  return Math.max(0, columnsOf(row) - 2);
}

/** The cursor stands right behind the last character of the box. */
export function caretAtEnd(box: Box, cursorX: number, cursorY: number): boolean {
  const last = box.rows.at(-1);
  return cursorY === box.bottom - 1 && last !== undefined && cursorX - 2 >= usedColumns(last);
}

/**
 * A suggestion drawn in the empty box: the cursor at its start and everything dim, but for the character under the cursor,
 * which is drawn inverse instead. Without colours nothing is dim, and the answer is no: it may be somebody's draft.
 */
export function isGhost(box: Box, cursorX: number, cursorY: number): boolean {
  if (cursorX !== 2 || cursorY !== box.top + 1 || box.rows.some((row) => columnsOf(row) <= 2)) return false;
  const drawn = box.rows.flatMap((row, y) => row.cells.slice(2).map((cell, x) => ({ ...cell, at: `${x},${y}` })));
  const inked = drawn.filter((cell) => cell.ch.trim() !== '');
  const rest = inked.filter((cell) => !(cell.at === '0,0' && cell.inverse));
  return rest.length > 0 && rest.every((cell) => cell.dim);
}

/** A drawn cursor block stands in the box at another place than the terminal's cursor: the two were not read together. */
export function cursorDisagrees(box: Box, cursorX: number, cursorY: number): boolean {
  return box.rows.some((row, i) => {
    const y = box.top + 1 + i;
    return row.cells.some((cell, x) => cell.inverse && cell.ch !== '' && !(y === cursorY && x === cursorX));
  });
}
