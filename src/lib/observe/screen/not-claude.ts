import type { Row } from './cells.ts';

/**
 * Positive evidence that the pane is not showing Claude: a shell prompt at a visible cursor, a pager, an editor, a dead pane.
 * The absence of Claude's marks proves nothing (a start in progress, the screen reader mode), so it is not asked for.
 */
export function otherProgram(rows: readonly Row[], cursorX: number, cursorY: number, visible: boolean): string | null {
  const lastY = rows.findLastIndex((row) => row.text !== '');
  const last = rows[lastY]?.text ?? '';
  if (/^Pane is dead \(/.test(rows[cursorY]?.text ?? '')) return 'the pane is dead';
  if (!visible) return null;
  if (cursorY === lastY) {
    if (cursorX === last.length + 1 && /[$#%]$/.test(last)) return 'a shell prompt at the cursor';
    if (/^[^❯]{0,80}[$#%] \S/u.test(last) && cursorX >= last.length) return 'a shell prompt with something typed';
    const isBar = rows[lastY]?.cells.every((cell) => cell.inverse) ?? false;
    if (cursorX === last.length && (isBar || /^(?::|\(END\)|--More--.*)$/.test(last))) return 'a pager';
  }
  return rows.filter((row) => row.text === '~').length >= 3 ? 'an editor' : null;
}
