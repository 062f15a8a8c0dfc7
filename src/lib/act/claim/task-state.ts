import type { Context } from '../../context.ts';
import { boundedRun } from '../../observe/bounded-run.ts';
import { isTaskName, readTask } from '../../store/task-files.ts';

const TIMEOUT_MS = 20_000;

/**
 * The state of a task: by its task.json, or by another tracker's command, which is given the task's id as its one argument and
 * prints the state. Undefined when nobody can tell: then nothing is completed.
 */
export async function taskStateOf(
  { places, env }: Context,
  task: string,
  statusCommand: string | undefined,
): Promise<string | undefined> {
  if (statusCommand === undefined) {
    const record = isTaskName(task) ? readTask(places.tasksDir, task) : undefined;
    return record !== undefined && 'task' in record ? record.task.state : undefined;
  }
  const outcome = await boundedRun(statusCommand, [task], { timeoutMs: TIMEOUT_MS, env, maxBytes: 64 << 10 });
  if (outcome.kind !== 'ended' || outcome.code !== 0) return undefined;
  const word = outcome.stdout.trim();
  return /^[A-Za-z][A-Za-z_-]{0,39}$/.test(word) ? word : undefined;
}
