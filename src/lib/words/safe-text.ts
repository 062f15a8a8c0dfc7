/**
 * Text from outside, made fit for one line of a terminal or log: escapes and control characters (C0, C1, DEL, bidi
 * overrides, line separators) become `·`, and it is cut to `max` characters with `…`.
 * Session names, task titles and screens can hold anything (terminal escape injection).
 */
export function safeText(text: string, max = 200): string {
  const head = text.length > max * 4 ? text.slice(0, max * 4) : text;
  const plain = head.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]+/g, '·');
  return plain.length > max || head.length < text.length ? `${plain.slice(0, max - 1)}…` : plain;
}
