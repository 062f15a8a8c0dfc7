import type { Context } from '../../context.ts';
import { readBoard } from '../../store/board.ts';
import type { TaskRecord } from '../../store/task-files.ts';
import { taskFolder } from '../../store/task-folder.ts';
import { checkinText } from '../../words/checkin-text.ts';
import { safeText } from '../../words/safe-text.ts';

/** The check-in of a task's Driver, its board read now. */
export function checkinOf({ places }: Context, { name, task }: TaskRecord, because: string): string {
  const { dir, board } = taskFolder(places, name);
  return checkinText({ task: name, title: task.title, folder: safeText(dir, 1000), board: readBoard(board), because });
}
