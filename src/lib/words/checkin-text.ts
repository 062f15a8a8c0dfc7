import type { BoardReading } from '../store/board.ts';
import { safeText } from './safe-text.ts';

/** What a check-in is about. */
export interface CheckinFacts {
  task: string;
  title: string | undefined;
  /** The folder of the task's files. */
  folder: string;
  board: BoardReading;
  /** Why it comes now. */
  because: string;
}

const MAX_ITEMS = 30;

/**
 * The canonical check-in of a Driver: the one source of the text that wakes it, that a revival begins with, and that
 * `watcher-doctor --checkin-text` prints (ADR 0035 decision 1; it carries ADR 0033's rule that "nothing moved" is not an answer).
 */
export function checkinText({ task, title, folder, board, because }: CheckinFacts): string {
  const name = title === undefined ? task : `${task} (${safeText(title, 120)})`;
  return [
    `Check-in: you are the Driver of task ${name}, and it is open. ${because}`,
    '',
    ...boardLines(task, folder, board),
    '',
    'Now:',
    `1. Read ${folder}/BRIEF.md, ${folder}/STATE.md and ${folder}/acceptance.json, where they are there.`,
    '2. Take the next open item and move it: do the work, or hand it to a sub-agent.',
    '3. Write down what moved: the board (state and evidence of an item), STATE.md, a line in events.jsonl.',
    `4. If only a person can go on: task-file set ${task} state=awaiting-human, and say in STATE.md what you need from whom.`,
    '',
    '“Nothing moved” is not an answer. If nothing moved since the last check-in, say what is in the way, and change it: try',
    'another way, cut the item smaller, or hand it over as in 4.',
  ].join('\n');
}

function boardLines(task: string, folder: string, board: BoardReading): string[] {
  const file = `${folder}/acceptance.json`;
  if (board.kind === 'none') return [`It has no board. Write what must be true when it is done into ${file}.`];
  if (board.kind === 'bad') {
    const where = `line ${board.line}, column ${board.column}: ${safeText(board.problem, 200)}`;
    return [`Its board can’t be read (${file}, ${where}). Mend it first.`];
  }
  const { items: all } = board;
  // It is complete as little as one that is not there (see decideFinish).
  if (all === 0) return [`Its board has no items. Write what must be true when it is done into ${file}.`];
  if (board.open.length === 0) {
    return [
      `Its board is complete: ${all} of ${all} items are met or dropped. If that is so, finish it: task-file finish ${task}`,
      'If it is not, add what is missing to the board and go on.',
    ];
  }
  const items = board.open
    .slice(0, MAX_ITEMS)
    .map(({ group, text }) => `- ${safeText(group, 60)}: ${safeText(text, 200)}`);
  const more = board.open.length > MAX_ITEMS ? [`- and ${board.open.length - MAX_ITEMS} more`] : [];
  return [`Its board: ${board.open.length} of ${all} items open.`, ...items, ...more];
}
