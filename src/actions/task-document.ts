import { type BoardReading, readBoard } from '../lib/store/board.ts';
import type { Places } from '../lib/store/places.ts';
import type { TaskRecord } from '../lib/store/task-files.ts';
import { taskFolder } from '../lib/store/task-folder.ts';
import { TERMINAL_STATES } from '../lib/store/task-schema.ts';
import { safeText } from '../lib/words/safe-text.ts';

export type ShowDocument = ReturnType<typeof showDocument>;

/** A change that was not made: with which board the task would have been. */
export interface DryRun {
  dryRun: boolean;
  board?: BoardReading | undefined;
}

/** The document of `task-file show` and of every change. */
export function showDocument(places: Places, { name, file, task }: TaskRecord, { dryRun, board: given }: DryRun) {
  const folder = taskFolder(places, name);
  const board = given ?? readBoard(folder.board);
  return {
    schema: 'session-fleet.task-file.show.v1',
    dryRun,
    task: name,
    file,
    title: task.title ?? null,
    state: task.state,
    terminal: TERMINAL_STATES.has(task.state),
    cwd: task.cwd ?? null,
    driverSid: task.driverSid ?? null,
    driverName: task.driverName ?? null,
    createdAt: task.createdAt ?? null,
    stateChangedAt: task.stateChangedAt ?? null,
    board:
      board.kind === 'read'
        ? {
            status: 'read',
            file: folder.board,
            groups: board.board.groups.map(({ title, items }) => ({
              title,
              items: items.map(({ text, state, evidence }) => ({ text, state, evidence: evidence ?? null })),
            })),
            open: board.open.length,
          }
        : board.kind === 'bad'
          ? { status: 'bad', file: folder.board, problem: board.problem, line: board.line, column: board.column }
          : { status: 'none', file: folder.board },
  };
}

/** A task for people. */
export function showText(document: ShowDocument): string {
  const { task, state, title, driverSid, driverName, cwd, board } = document;
  const lines = [`${task}: ${state}${title === null ? '' : `, ${safeText(title, 100)}`}`];
  if (cwd !== null) lines.push(`  in      ${safeText(cwd, 160)}`);
  if (driverSid !== null)
    lines.push(`  driver  ${driverSid}${driverName === null ? '' : ` (${safeText(driverName, 60)})`}`);
  if (board.status === 'none') lines.push('  board   none');
  if (board.status === 'bad') lines.push(`  board   ${board.file}:${board.line}:${board.column}: ${board.problem}`);
  if (board.status === 'read') {
    for (const { title: group, items } of board.groups ?? []) {
      lines.push(`  ${safeText(group, 100)}`);
      for (const { text, state: mark, evidence } of items) {
        lines.push(
          `    [${mark === 'open' ? ' ' : mark === 'met' ? 'x' : '-'}] ${safeText(text, 120)}${evidence === null ? '' : ` (${safeText(evidence, 80)})`}`,
        );
      }
    }
  }
  return lines.join('\n');
}
