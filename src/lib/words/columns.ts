/** Plain ASCII, which nearly every cell is: as many columns as characters. */
const plain = /^[ -~]*$/;
const zeroWidth = /^[\p{Mn}\p{Me}\p{Cf}]$/u;

/** Whether a code point takes two columns of a terminal. Coarse: the blocks people really type. */
export function isWide(code: number): boolean {
  return (
    (code >= 0x1100 && code <= 0x115f) ||
    (code >= 0x2e80 && code <= 0xa4cf) ||
    (code >= 0xac00 && code <= 0xd7a3) ||
    (code >= 0xf900 && code <= 0xfaff) ||
    (code >= 0xfe30 && code <= 0xfe6f) ||
    (code >= 0xff00 && code <= 0xff60) ||
    (code >= 0xffe0 && code <= 0xffe6) ||
    (code >= 0x1f300 && code <= 0x1faff) ||
    (code >= 0x20000 && code <= 0x3fffd)
  );
}

/** Whether a character takes no column: it combines with the one before it. */
export function isZeroWidth(ch: string): boolean {
  return zeroWidth.test(ch);
}

/** The columns that a text without escapes takes on a terminal. */
export function columnsOf(text: string): number {
  if (plain.test(text)) return text.length;
  let columns = 0;
  for (const ch of text) columns += isZeroWidth(ch) ? 0 : isWide(ch.codePointAt(0) ?? 0) ? 2 : 1;
  return columns;
}
