import { type DecisionState, stateOf } from '../lib/decide/decision-state.ts';
import type { Decision } from '../lib/store/decision-schema.ts';
import { standingLine } from '../lib/words/decision-words.ts';
import { formatDuration } from '../lib/words/duration.ts';
import { safeText } from '../lib/words/safe-text.ts';
import { cutTo, table, wrapTo } from '../lib/words/table.ts';

const ORDER: readonly DecisionState[] = ['open', 'answered', 'executing', 'executed', 'closed'];

/** As they are listed: what waits for a person first, each state oldest first. */
export function listed(decisions: readonly Decision[]): Decision[] {
  return ORDER.flatMap((state) => decisions.filter((one) => stateOf(one) === state));
}

/** The list for people: a line a decision, and below it what it can be answered with or what became of it. */
export function listText(decisions: readonly Decision[], now: number, columns: number): string {
  if (decisions.length === 0) return '';
  const head = ['ID', 'STATE', 'AGE', 'TASK', 'TITLE'];
  const rows = decisions.map((one) => [
    one.id,
    stateOf(one),
    formatDuration(now - Date.parse(one.raisedAt)),
    safeText(one.task ?? '-', 24),
    safeText(one.title, 300),
  ]);
  const [first = '', ...lines] = table([head, ...rows]);
  const indent = ' '.repeat(11);
  return [
    first,
    ...decisions.flatMap((one, at) => [
      cutTo(lines[at] ?? '', columns),
      ...wrapTo(`${indent}${safeText(standingLine(one, now), 600)}`, columns, indent.length + 2),
    ]),
  ].join('\n');
}
