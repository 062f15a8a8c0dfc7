import type { Box } from './box.ts';
import type { Row } from './cells.ts';

// Keys offered to the reader: only dialogs, panels and selected footer entries say this. "esc to interrupt", which a narrow
// pane cuts off ("esc to i…"), is the busy footer.
export const keyHint = /(?<![\w+])(?:Enter|Space|Tab|Esc)(?:\/\w+)* to (?!interrupt|i[nterup]*…)[a-z]+/iu;
const spinner = /^[·✢✳✶✻✽*∗] \S.*…/u;
// With reduced motion the spinner is the same bullet that begins an answer of the model: only a lone line ending in … counts.
const stillSpinner = /^● \S[^.]*…(?: \([^)]*\))?$/u;

// Esc here only calls off that the session goes on by itself; all other keys go to the box. "Continuing shortly" is another
// matter: there a turn is about to begin.
const limitWait =
  /^⚠ Usage limit reached(?: · limit resets [\w ,:]+)? Continuing automatically (?:at [\w ,:]+|when it resets) · Esc to cancel$/u;

const limitNotice = /^ {2}⚠ (?:Usage limit reached|Your usage limit has reset)/u;

/** How many rows the notice of a session takes that waits for its usage limit to reset; undefined for any other such notice. */
function limitWaitRows(footer: readonly Row[]): number | undefined {
  // A narrow pane breaks its two lines anywhere.
  for (let rows = 1; rows <= 8; rows++) {
    const said = footer.slice(0, rows).map(({ text }) => text.trim());
    if (limitWait.test(said.join(' '))) return rows;
  }
  return undefined;
}

/** Why the rows under the box make it unsafe to call it a plain prompt; null if they are an ordinary footer. */
export function footerProblem(under: readonly Row[], draft: string): string | null {
  const noticed = limitNotice.test(under[0]?.text ?? '') ? limitWaitRows(under) : 0;
  if (noticed === undefined) return 'a notice of a usage limit that is not understood';
  const footer = under.slice(noticed);
  const menu = /^[/@]/.test(draft);
  for (const { text } of footer) {
    if (/^─/u.test(text) || /^[▔╭╰]/u.test(text.trim())) return 'a second panel under the prompt box';
    if (/^\s*! for\b/.test(text)) return 'the shortcuts help is open';
    if (/-- (?:VISUAL|NORMAL|REPLACE)/.test(text)) return 'vim mode other than insert';
    if (/\bPress .{1,20} again to\b/.test(text)) return 'somebody just pressed a key that asks for confirmation';
    if (menu && /^ {2}(?:❯ | {2}|[*+] )\S/u.test(text)) continue;
    if (/❯/u.test(text) || /^\s*\d+\. /.test(text) || keyHint.test(text))
      return 'something like a dialog under the prompt box';
  }
  return footer.filter((row) => row.text !== '').length > 8 && !menu ? 'too many rows under the prompt box' : null;
}

/** Why the rows right above the box make it unsafe; null if nothing there takes keys. */
export function aboveProblem(rows: readonly Row[], box: Box): string | null {
  const near = rows.slice(Math.max(0, box.top - 6), box.top).map((row) => row.text);
  if (near.some((text) => /\b1: Bad\b.*\b0: Dismiss\b/.test(text))) return 'a feedback question is open';
  if (/^ {20,}draft stashed$/.test(near.at(-1) ?? '')) return 'a draft is stashed';
  return null;
}

/** A turn is running: the footer offers to interrupt it, or the last line that starts in column 0 above the box is a spinner. */
export function isTurnRunning(rows: readonly Row[], box: Box, footer: readonly Row[]): boolean {
  if (footer.some((row) => /\besc to (?:interrupt\b|i[nterup]*…)/iu.test(row.text))) return true;
  for (let y = box.top - 1; y >= 0; y--) {
    const text = rows[y]?.text ?? '';
    if (text === '' || text.startsWith(' ')) continue;
    return (spinner.test(text) && !/ · done \d/.test(text)) || stillSpinner.test(text);
  }
  return false;
}

/** The selected entry of the slash menu, which Enter would run, whatever the box says; null if no menu is seen. */
export function menuPick(rows: readonly Row[], box: Box, footer: readonly Row[]): string | null {
  const below = footer.find((row) => row.text.startsWith('  ❯ '));
  if (below) return entryOf(below);
  for (let y = box.top - 1; y >= 0 && y >= box.top - 14; y--) {
    const row = rows[y];
    if (row?.text.startsWith('  ❯ ')) return entryOf(row);
    if (row && row.text !== '' && !row.text.startsWith(' ')) return null;
  }
  return null;
}

function entryOf(row: Row): string {
  return /^ {2}❯ (\S+)/u.exec(row.text)?.[1] ?? '';
}
