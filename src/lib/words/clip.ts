/** A text of at most `max` characters; one that was longer ends in `…`. */
export function clip(text: string, max: number): string {
  if (text.length <= max) return text;
  // Not through the middle of a character of two units.
  return `${text.slice(0, max - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}
