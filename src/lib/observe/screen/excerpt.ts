import { parseScreen } from './cells.ts';

// Controls, and characters that hide or reorder text in a log: direction overrides, zero-width, line separators, tags.
const unsafe = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\u2028\u2029]/gu;

/** One line of printable text of at most `max` characters, whatever the screen held. */
export function oneLine(text: string, max = 200): string {
  const clean = text
    .slice(0, 4 * max)
    .replace(/\s+/gu, ' ')
    .replace(unsafe, '\ufffd')
    .trim();
  const chars = [...clean];
  return chars.length <= max ? clean : `${chars.slice(0, max - 1).join('')}…`;
}

/** The last lines of a screen for a log: no escapes, no control characters, no empty lines, bounded. */
export function screenExcerpt(ansi: string, maxLines = 12): string {
  // A screen has few lines: of anything longer only the end can matter, and a log line must not cost a second.
  const rows = parseScreen(ansi.slice(-200_000).split('\n').slice(-500).join('\n'));
  const lines = rows.map((row) => oneLine(row.text, 160)).filter((line) => line !== '');
  return maxLines > 0 ? lines.slice(-maxLines).join('\n') : '';
}
