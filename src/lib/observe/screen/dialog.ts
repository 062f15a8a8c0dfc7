import { isRule, startsPrompt } from './box.ts';
import type { Row } from './cells.ts';
import { keyHint } from './surroundings.ts';

export type NoBox =
  | { kind: 'dialog'; title: string }
  | { kind: 'background-work' }
  | { kind: 'unknown'; why: string }
  | null;

const panelRule = /^▔{3}.*▔$/u;
const picked = /^\s*❯ \S/u;
const backgroundTitle = 'Background work is running';
const backgroundPick = /^\s*❯ \d\. (?:Exit and stop tasks|Move to background and exit|Stay)$/u;

/** The row of the rule that opens the panel in which the cursor stands; -1 if it is not on the screen. */
function panelStart(rows: readonly Row[], cursorY: number, width: number): number {
  for (let y = Math.min(cursorY, rows.length - 1); y >= 0; y--) {
    const row = rows[y];
    if (row && (isRule(row, width) || panelRule.test(row.text))) return y;
  }
  return -1;
}

function firstWords(rows: readonly Row[]): string {
  return rows.map((row) => row.text.trim()).find((text) => /[\p{L}\p{N}]/u.test(text)) ?? '';
}

function titleOf(rows: readonly Row[], cursorY: number, width: number): string {
  const start = panelStart(rows, cursorY, width);
  const title = start < 0 ? '' : firstWords(rows.slice(start + 1, start + 6));
  if (title !== '') return title;
  const question = rows.slice(0, cursorY + 1).findLast((row) => /\?$/.test(row.text));
  return question?.text.trim() ?? 'dialog, its title not on the screen';
}

function isBackgroundWork(rows: readonly Row[], cursorY: number, title: string): boolean {
  return title === backgroundTitle || backgroundPick.test(rows[cursorY]?.text ?? '');
}

/** A box that looks like the prompt, but the cursor is elsewhere: keys go to something else (a footer entry). */
function hasBoxWithoutCursor(rows: readonly Row[], width: number): boolean {
  const rules = rows.flatMap((row, y) => (isRule(row, width) ? [y] : []));
  const [upper, lower] = rules.slice(-2);
  return upper !== undefined && lower !== undefined && startsPrompt(rows[upper + 1]);
}

/** What a Claude screen shows whose cursor is not in a prompt box; null if nothing of Claude's is recognized. */
export function readWithoutBox(rows: readonly Row[], cursorY: number, width: number): NoBox {
  const inked = rows.filter((row) => row.text !== '');
  const low = inked.slice(-8).map((row) => row.text);
  const here = rows[cursorY]?.text ?? '';
  if (low.slice(-3).some((text) => text.includes('Showing detailed transcript'))) {
    return { kind: 'dialog', title: 'transcript view' };
  }
  const above = rows[cursorY - 1];
  const below = rows[cursorY + 1];
  if (isRule(above, width) && isRule(below, width)) {
    if (here.startsWith('!\u00a0'))
      return { kind: 'unknown', why: 'shell mode: what is typed would be run as a command' };
    if (here.startsWith('❯'))
      return { kind: 'unknown', why: "an input box that is not the session's prompt (agents view)" };
  }
  if (hasBoxWithoutCursor(rows, width)) return { kind: 'unknown', why: 'the prompt box does not have the cursor' };
  const title = titleOf(rows, cursorY, width);
  if (isBackgroundWork(rows, cursorY, title)) return { kind: 'background-work' };
  const isPanel = rows.some((row) => panelRule.test(row.text));
  if (isPanel || picked.test(here) || low.some((text) => keyHint.test(text))) return { kind: 'dialog', title };
  return null;
}
