const named = {
  '\r': 'Enter',
  '\n': 'Newline',
  '\x7f': 'Backspace',
  '\b': 'Backspace',
  '\x03': 'C-c',
  '\x04': 'C-d',
  '\x15': 'C-u',
  '\x1a': 'C-z',
  '\t': 'Tab',
  '\x1b': 'Escape',
  '\x1b[A': 'Up',
  '\x1b[B': 'Down',
  '\x1b[C': 'Right',
  '\x1b[D': 'Left',
  '\x1bOA': 'Up',
  '\x1bOB': 'Down',
};

// A paste in brackets, an escape sequence, one control character, or a run of text.
const token = /\x1b\[200~([\s\S]*?)\x1b\[201~|\x1b\[[\d;?<]*[A-Za-z~]|\x1bO[A-Z]|[\x00-\x1f\x7f]|[^\x00-\x1f\x7f]+/g;

/** What was pressed in a chunk of terminal input: {key}, {text} or {paste}. */
export function* presses(chunk) {
  for (const [raw, paste] of chunk.matchAll(token)) {
    if (paste !== undefined) yield { paste };
    else if (named[raw]) yield { key: named[raw] };
    else if (!/^[\x00-\x1f]/.test(raw)) yield { text: raw };
  }
}
