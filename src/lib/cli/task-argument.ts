import { EXIT, FleetError } from '../errors.ts';
import { type BadTask, isTaskName, readTask, type TaskRecord } from '../store/task-files.ts';
import { safeText } from '../words/safe-text.ts';

/** The task that a command names. Throws FleetError 64, 65 (file and field) or 66. */
export function taskNamed(tasksDir: string, name: string): TaskRecord {
  if (!isTaskName(name)) throw new FleetError(EXIT.usage, `${safeText(name, 60)} can be no task’s name`);
  const record = readTask(tasksDir, name);
  if (record === undefined) throw new FleetError(EXIT.noSuch, `no such task: ${name}`);
  if ('task' in record) return record;
  throw badTaskError(record);
}

/** A bad task file as an error. */
export function badTaskError({ file, field, problem }: BadTask): FleetError {
  return new FleetError(EXIT.badData, `${file}: ${field}: ${safeText(problem, 160)}`, { file, field });
}
