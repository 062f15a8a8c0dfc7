import { columnsOf } from '../words/columns.ts';

const PIECE = 60;
const MAX_CHARS = 1500;

/** A text as it can be typed into the prompt box: a tab there is a key of its own. */
export function typedForm(text: string): string {
  return text.replaceAll('\t', '    ');
}

/**
 * Why a text must not be typed into a prompt box of a pane of that size; undefined when it may. Its first character chooses a
 * mode of the box (command, shell, memory, file, help), and a word that begins with `@` opens a menu of files. What
 * does not fit the box whole scrolls, and then nobody can tell what Enter would send.
 */
export function typedProblem(text: string, pane: { width: number; height: number }): string | undefined {
  const first = text.trimStart()[0] ?? '';
  if (first === '') return 'it is empty';
  if ('/!#@?&'.includes(first)) return `typed, a text that begins with ${first} would run or open something`;
  if (/\s@/.test(text)) return 'typed, a word that begins with @ would open the file menu';
  const inside = Math.max(1, pane.width - 4);
  // Words are not split at the end of a row, so rows are counted a little shorter than they are.
  const rows = text
    .split('\n')
    .reduce((sum, line) => sum + Math.max(1, Math.ceil(columnsOf(line) / (inside * 0.8))), 0);
  // The box shows about a third of the pane before it scrolls.
  const room = Math.floor(pane.height / 3) - 1;
  if (rows > room || text.length > MAX_CHARS)
    return `its about ${rows} rows can’t be seen whole in the prompt box, which shows ${Math.max(0, room)}`;
  return undefined;
}

/**
 * A text in pieces of at most 60 characters or so, cut behind a space where there is one, and never inside a character:
 * a longer burst is taken for a paste, or loses letters.
 */
export function typedPieces(text: string): string[] {
  const pieces: string[] = [];
  let piece = '';
  for (const { segment } of new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text)) {
    piece += segment;
    const cut = piece.length < PIECE ? 0 : piece.lastIndexOf(' ') + 1 || piece.length;
    if (cut === 0) continue;
    pieces.push(piece.slice(0, cut));
    piece = piece.slice(cut);
  }
  if (piece !== '') pieces.push(piece);
  return pieces;
}

/** A text without white space: the box breaks long lines and indents them, so only the rest can be compared. */
export function squeezed(text: string): string {
  return text.replace(/\s+/gu, '');
}
