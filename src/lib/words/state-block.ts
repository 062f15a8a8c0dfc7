const BEGIN = '<!-- session-fleet: managed block, written by supervisor-sweep -->';
const END = '<!-- /session-fleet -->';

export type BlockEdit = { ok: true; text: string } | { ok: false; why: string };

/**
 * STATE.md with its managed block holding one health line; everything outside the block stays byte for byte. Texts here are
 * latin1, one character a byte, so that what is no UTF-8 survives too. Refuses markers that do not pair: somebody edited
 * them, and between them may be somebody's words.
 */
export function withHealthLine(text: string, line: string): BlockEdit {
  const newline = text.includes('\r\n') ? '\r\n' : '\n';
  const inner = Buffer.from(`Health: ${line.replace(/-->/g, '->')}`).toString('latin1');
  const block = [BEGIN, inner, END].join(newline);
  const begin = text.indexOf(BEGIN);
  const end = text.indexOf(END);
  if (begin < 0 && end < 0) {
    const gap = text === '' || text.endsWith('\n') ? '' : newline;
    return { ok: true, text: `${text}${gap}${block}${newline}` };
  }
  const paired = begin >= 0 && end > begin;
  const once = text.indexOf(BEGIN, begin + 1) < 0 && text.indexOf(END, end + 1) < 0;
  if (!paired || !once) return { ok: false, why: 'its markers do not pair' };
  return { ok: true, text: `${text.slice(0, begin)}${block}${text.slice(end + END.length)}` };
}
