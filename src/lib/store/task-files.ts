import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { EXIT, errnoOf, FleetError, messageOf } from '../errors.ts';
import { isRecord } from '../record.ts';
import { writeAtomic } from './atomic-write.ts';
import { withLock } from './lock.ts';
import { type SettledTasks, stampOf } from './settled-tasks.ts';
import { readSmallFile } from './small-file.ts';
import { parseTask, type Task, TERMINAL_STATES } from './task-schema.ts';

const MAX_TASK_BYTES = 4 << 20;
/** Task names become folder names. */
const TASK_NAME = /^[A-Za-z0-9][A-Za-z0-9._@-]{0,199}$/;

export interface TaskRecord {
  name: string;
  file: string;
  task: Task;
}

/** A task file that can't be used, with what it may still tell: the raw text, for who must not miss an id in it. */
export interface BadTask {
  name: string;
  file: string;
  field: string;
  problem: string;
  text: string | undefined;
}

export interface TaskListing {
  tasks: TaskRecord[];
  bad: BadTask[];
  /** How many were passed over by `skip`. */
  skipped: number;
}

/** Tells by the bare document whether a task is of no interest, before it is validated: for who reads ten thousand. */
export type SkipTask = (document: Record<string, unknown>) => boolean;

/** Skips tasks that are over. */
export const isOver: SkipTask = ({ state }) => typeof state === 'string' && TERMINAL_STATES.has(state);

/** True for a name that a task may have. */
export function isTaskName(name: string): boolean {
  return TASK_NAME.test(name);
}

/**
 * Every task of the fleet. A bad file is listed by name and field and stops no other; a folder without task.json is no
 * task; a link out of the folder is not followed but named. No tasks folder: none. Throws when the folder itself can't be read.
 * `skip` passes over tasks, and `settled` remembers which it did.
 */
export function readTasks(tasksDir: string, skip?: SkipTask, settled?: SettledTasks): TaskListing {
  const listing: TaskListing = { tasks: [], bad: [], skipped: 0 };
  let entries: import('node:fs').Dirent[];
  try {
    entries = readdirSync(tasksDir, { withFileTypes: true });
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return listing;
    throw error;
  }
  for (const entry of entries) {
    if (!entry.isDirectory() && !entry.isSymbolicLink()) continue;
    const file = join(tasksDir, entry.name, 'task.json');
    if (entry.isSymbolicLink() || !isTaskName(entry.name)) {
      const problem = entry.isSymbolicLink()
        ? 'the folder is a symbolic link'
        : 'the folder has a name no task can have';
      listing.bad.push({ name: entry.name, file, field: '(folder)', problem, text: undefined });
      continue;
    }
    const stamp = settled === undefined ? '' : stampOf(file);
    if (settled?.has(entry.name, stamp)) {
      listing.skipped += 1;
      continue;
    }
    const read = readUnlessSkipped(tasksDir, entry.name, skip);
    if (read === undefined) continue;
    if (read === 'skipped') {
      listing.skipped += 1;
      settled?.add(entry.name, stamp);
    } else if ('task' in read) listing.tasks.push(read);
    else listing.bad.push(read);
  }
  settled?.save(new Set(entries.map(({ name }) => name)));
  return listing;
}

/** One task, or what is wrong with its file; undefined when there is none. */
export function readTask(tasksDir: string, name: string): TaskRecord | BadTask | undefined {
  const read = readUnlessSkipped(tasksDir, name, undefined);
  return read === 'skipped' ? undefined : read;
}

function readUnlessSkipped(
  tasksDir: string,
  name: string,
  skip: SkipTask | undefined,
): TaskRecord | BadTask | 'skipped' | undefined {
  const file = join(tasksDir, name, 'task.json');
  const bad = (field: string, problem: string, text?: string): BadTask => ({ name, file, field, problem, text });
  let text: string | undefined;
  try {
    text = readSmallFile(file, MAX_TASK_BYTES);
    if (text === undefined) return undefined;
  } catch (error) {
    return bad('(file)', messageOf(error));
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return bad('(file)', `not JSON: ${messageOf(error)}`, text);
  }
  if (skip !== undefined && isRecord(value) && skip(value)) return 'skipped';
  const parsed = parseTask(value);
  return parsed.ok ? { name, file, task: parsed.task } : bad(parsed.field, parsed.problem, text);
}

/**
 * The only writer of task.json: under the file's lock it reads it again, lets `change` edit a copy of the document and
 * replaces the file at once. Fields it does not know stay where and as they are; a result that is no valid task, or a
 * file that is bad already, is refused (FleetError 65, file and field) and nothing is changed. `create` makes a new one
 * (73 when there is one). Returns the task as written. `dryRun`: as it would be written; nothing is locked, made or changed.
 */
export async function writeTask(
  tasksDir: string,
  name: string,
  change: (document: Record<string, unknown>, task: Task | undefined) => void,
  { create = false, dryRun = false } = {},
): Promise<TaskRecord> {
  if (!isTaskName(name)) throw new FleetError(EXIT.usage, `${JSON.stringify(name)} can be no task’s name`);
  const file = join(tasksDir, name, 'task.json');
  if (!create && !isPlainFolder(join(tasksDir, name)))
    throw new FleetError(EXIT.noSuch, `no such task: ${name}`, { file });
  const edit = (): TaskRecord => {
    const before = readTask(tasksDir, name);
    if (before === undefined && !create) throw new FleetError(EXIT.noSuch, `no such task: ${name}`, { file });
    if (before !== undefined && create) throw new FleetError(EXIT.exists, `task ${name} exists`, { file });
    if (before !== undefined && !('task' in before)) throw badTask(before);
    const document: Record<string, unknown> =
      before === undefined ? {} : JSON.parse(readSmallFile(file, MAX_TASK_BYTES) ?? '{}');
    change(document, before?.task);
    const parsed = parseTask(document);
    if (!parsed.ok) throw badTask({ name, file, field: parsed.field, problem: parsed.problem, text: undefined });
    if (!dryRun) writeAtomic(file, `${JSON.stringify(document, null, 2)}\n`);
    return { name, file, task: parsed.task };
  };
  return dryRun ? edit() : withLock(file, edit, { what: `task ${name}` });
}

function badTask({ file, field, problem }: BadTask): FleetError {
  return new FleetError(EXIT.badData, `${file}: ${field}: ${problem}`, { file, field });
}

function isPlainFolder(path: string): boolean {
  try {
    return lstatSync(path).isDirectory();
  } catch {
    return false;
  }
}
