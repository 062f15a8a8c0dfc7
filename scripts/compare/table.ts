/** What one way did in one situation. */
export interface Cell {
  /** Nothing was lost, and nothing done that nobody asked for. */
  ok: boolean;
  words: string;
}

/** One way, and what it did in each situation. */
export interface Row {
  name: string;
  cells: Record<string, Cell>;
}

/** Rows as a Markdown table; what went well has a tick. */
export function markdown(head: string, rows: readonly Row[]): string {
  const situations = Object.keys(rows[0]?.cells ?? {});
  const lines = rows.map(
    ({ name, cells }) =>
      `| ${name} | ${situations.map((one) => `${cells[one]?.ok ? '✓ ' : ''}${cells[one]?.words ?? ''}`).join(' | ')} |`,
  );
  return [
    `| ${head} | ${situations.join(' | ')} |`,
    `| --- |${situations.map(() => ' --- |').join('')}`,
    ...lines,
  ].join('\n');
}
