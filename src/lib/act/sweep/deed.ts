import type { Context } from '../../context.ts';
import type { TaskPlan } from '../../decide/sweep/plan.ts';
import type { RuleName } from '../../decide/sweep/verdict.ts';
import { EXIT, FleetError } from '../../errors.ts';
import type { SweepLook } from '../../observe/sweep/look.ts';
import type { TaskLook } from '../../observe/sweep/task-look.ts';
import { writeTask } from '../../store/task-files.ts';
import { appendEvent, taskFolder } from '../../store/task-folder.ts';
import { type Task, TERMINAL_STATES } from '../../store/task-schema.ts';

/** As whom the sweep signs. */
export const BY = 'supervisor-sweep';

/** What an act works on: one task's plan, and the look it was made from. */
export interface Deed {
  context: Context;
  look: SweepLook;
  task: TaskLook;
  plan: TaskPlan;
}

/** What was done for one task, and what came of it. `moved-on`: the task was another by then, so nothing was done. */
export interface Outcome {
  task: string | undefined;
  rule: RuleName | 'alarm' | 'answer' | 'books';
  kind: string;
  result: 'done' | 'failed' | 'refused' | 'moved-on';
  words: string;
}

/**
 * Changes a task under its lock, after looking at it again: `check` says why it is not what was decided on any more. Throws
 * FleetError 77 with that, and nothing is written.
 */
export function changeTask(
  { context, task }: Pick<Deed, 'context'> & { task: { record: { name: string } } },
  check: (task: Task) => string | undefined,
  change: (document: Record<string, unknown>, task: Task) => void,
) {
  return writeTask(context.places.tasksDir, task.record.name, (document, now) => {
    const why = now === undefined ? 'it is gone' : check(now);
    if (why !== undefined || now === undefined) throw new FleetError(EXIT.guard, `moved on meanwhile: ${why}`);
    change(document, now);
  });
}

/** Why a task is not as it was when its terminal state was decided on; undefined when it is. */
export function stillTerminal(task: Task): string | undefined {
  return TERMINAL_STATES.has(task.state) ? undefined : `it is ${task.state}`;
}

/** Why a task is not open, or not with the same Driver, any more. */
export function stillOpenWith(driverSid: string | undefined): (task: Task) => string | undefined {
  return (task) => {
    if (TERMINAL_STATES.has(task.state)) return `it is ${task.state}`;
    return task.driverSid === driverSid ? undefined : 'it has another Driver';
  };
}

export function event(
  { context, task }: Pick<Deed, 'context' | 'task'>,
  kind: string,
  more: Record<string, unknown> = {},
) {
  appendEvent(taskFolder(context.places, task.record.name), BY, kind, more);
}

/** The time for a file. */
export const isoNow = (): string => new Date().toISOString();
