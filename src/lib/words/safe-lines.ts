import { safeText } from './safe-text.ts';

/** A text of several lines from outside as lines that are each safe to show (see safeText), at most `most` of them. */
export function safeLines(text: string, most = 60, width = 400): string[] {
  const lines = text.trimEnd().split(/\r\n|\n|\r/);
  const shown = lines.slice(0, most).map((line) => safeText(line.replaceAll('\t', '    '), width));
  return lines.length > most ? [...shown, `… ${lines.length - most} more lines`] : shown;
}
