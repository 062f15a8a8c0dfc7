import { squeezed } from '../decide/typed-text.ts';
import { type Box, boxText, caretAtEnd, cursorDisagrees, findBox, isGhost } from './screen/box.ts';
import { parseScreen, type Row } from './screen/cells.ts';
import { readWithoutBox } from './screen/dialog.ts';
import { oneLine } from './screen/excerpt.ts';
import { otherProgram } from './screen/not-claude.ts';
import { aboveProblem, footerProblem, isTurnRunning, menuPick } from './screen/surroundings.ts';

export { screenExcerpt } from './screen/excerpt.ts';

/**
 * What tmux says of a pane: `capture-pane -p -e` (the visible part, not the history) and the cursor. Read both in one tmux
 * command sequence, or the cursor may be that of another moment.
 */
export interface ScreenCapture {
  ansi: string;
  cursorX: number;
  cursorY: number;
  cursorVisible: boolean;
  width: number;
  height: number;
}

type Seen =
  | { kind: 'empty-prompt' }
  | { kind: 'draft'; text: string; caretAtEnd: boolean; menuPick: string | null; turnRunning: boolean }
  | { kind: 'dialog'; title: string }
  | { kind: 'background-work' }
  | { kind: 'busy' }
  | { kind: 'not-claude' }
  | { kind: 'unknown'; why: string };

export type ScreenReading = Seen & { source: 'screen'; evidence: string };

export interface ScreenHints {
  /** The session's settings say `editorMode: vim`. Vim's normal mode shows nothing: only the missing `-- INSERT --` tells. */
  vim?: boolean;
}

const maxChars = 2_000_000;

/**
 * Reads a pane of Claude Code. `empty-prompt` and `draft` are said only of a prompt box that holds the terminal's cursor
 * between two rules of the pane's full width: text in a conversation can draw all of that but cannot hold the cursor.
 */
export function readScreen(capture: ScreenCapture, hints: ScreenHints = {}): ScreenReading {
  const { ansi, cursorX, cursorY, width, height } = capture;
  const say = (seen: Seen, evidence: string): ScreenReading => ({
    ...seen,
    source: 'screen',
    evidence: oneLine(evidence),
  });
  const unknown = (why: string): ScreenReading => say({ kind: 'unknown', why: oneLine(why) }, why);
  const inside = cursorX >= 0 && cursorX < width && cursorY >= 0 && cursorY < height;
  if (![cursorX, cursorY, width, height].every(Number.isInteger) || !inside)
    return unknown('the cursor is outside the pane');
  if (ansi.length > maxChars) return unknown('the capture is too large for a screen');
  const lines = ansi.split('\n', height + 2);
  if (lines.length > height + Number(lines.at(-1) === '')) return unknown('the capture is taller than the pane');
  const rows = parseScreen(ansi);
  if (rows.every((row) => row.text === '')) return unknown('the screen is blank');

  const box = findBox(rows, cursorY, width);
  if (box) return readBox(capture, rows, box, hints, say);
  const other = otherProgram(rows, cursorX, cursorY, capture.cursorVisible);
  if (other) return say({ kind: 'not-claude' }, other);
  const seen = readWithoutBox(rows, cursorY, width);
  if (!seen) return unknown('no prompt box, no dialog and no other program recognized');
  if (seen.kind === 'dialog') return say({ ...seen, title: oneLine(seen.title, 120) }, `dialog: ${seen.title}`);
  return seen.kind === 'unknown' ? unknown(seen.why) : say(seen, 'dialog: Background work is running');
}

type Say = (seen: Seen, evidence: string) => ScreenReading;

function readBox(capture: ScreenCapture, rows: Row[], box: Box, hints: ScreenHints, say: Say): ScreenReading {
  const { cursorX, cursorY } = capture;
  const footer = rows.slice(box.bottom + 1);
  const foot = footer.map((row) => row.text.trim()).find((text) => text !== '') ?? 'none';
  const ghost = isGhost(box, cursorX, cursorY);
  const text = ghost ? '' : boxText(box, cursorX, cursorY);
  const turnRunning = isTurnRunning(rows, box, footer);
  const unsure =
    cursorX < 2 ? 'the cursor is left of the prompt' : (footerProblem(footer, text) ?? aboveProblem(rows, box));
  const disagrees = cursorDisagrees(box, cursorX, cursorY) ? 'cursor and screen are of different moments' : null;
  const vim = hints.vim && !footer.some((row) => row.text.includes('-- INSERT --')) ? 'vim normal mode' : null;
  const why = unsure ?? disagrees ?? vim;
  if (why) return say({ kind: 'unknown', why }, `${why}; footer: ${foot}`);
  if (text !== '' || box.scrolled) {
    const atEnd = caretAtEnd(box, cursorX, cursorY) && !box.scrolled;
    const pick = menuPick(rows, box, footer);
    return say(
      { kind: 'draft', text, caretAtEnd: atEnd, menuPick: pick, turnRunning },
      `the prompt box holds: ${text}`,
    );
  }
  if (turnRunning) return say({ kind: 'busy' }, `a turn is running; footer: ${foot}`);
  return say(
    { kind: 'empty-prompt' },
    `${ghost ? 'only a dim suggestion in' : 'nothing in'} the prompt box; footer: ${foot}`,
  );
}

/**
 * The box holds this one line and nothing else, the cursor right behind it, no turn is running, and an open slash menu would
 * run the same words: pressing Enter now does what the line says.
 */
export function boxShowsExactly(reading: ScreenReading, text: string): boolean {
  if (reading.kind !== 'draft' || reading.text !== text || !reading.caretAtEnd || reading.turnRunning) return false;
  return reading.menuPick === null || !text.startsWith('/') || reading.menuPick === text;
}

/**
 * The same for a text of several words or lines, compared without its white space: the box breaks long lines and indents
 * them. No menu may be open.
 */
export function boxShowsText(reading: ScreenReading, text: string): boolean {
  if (reading.kind !== 'draft' || !reading.caretAtEnd || reading.turnRunning || reading.menuPick !== null) return false;
  return squeezed(reading.text) === squeezed(text);
}
