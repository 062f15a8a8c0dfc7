import type { Context } from '../context.ts';
import { EXIT, type FleetError } from '../errors.ts';
import type { TaskRecord } from '../store/task-files.ts';
import { readBrief, taskFolder } from '../store/task-folder.ts';
import type { DriverOutcome } from './start-driver.ts';
import { checkinOf } from './sweep/checkin.ts';

/** Above this a brief and the check-in do not fit into one prompt; the check-in says where the brief is. */
const MAX_BRIEF_CHARACTERS = 30_000;
const SUCCESSOR = 'The Driver before you is gone, and so is its conversation: you are its successor.';

/**
 * The prompt of a Driver that is revived, by whichever half: its check-in, with `because`, in its own conversation; in a new
 * one the task's brief before it.
 */
export function revivalBrief(context: Context, record: TaskRecord, because: string) {
  return (conversation: 'resumed' | 'new'): string =>
    conversation === 'resumed'
      ? checkinOf(context, record, because)
      : [briefOf(context, record.name), checkinOf(context, record, SUCCESSOR)]
          .filter((part) => part !== '')
          .join('\n\n---\n\n');
}

function briefOf({ places }: Context, task: string): string {
  try {
    const brief = readBrief(taskFolder(places, task));
    return brief.length > MAX_BRIEF_CHARACTERS ? '' : brief;
  } catch {
    return '';
  }
}

/** What came of a start, in words; `undefined`: an interrupted one had started nothing. */
export function startWords(made: DriverOutcome | undefined): { result: 'done' | 'failed' | 'refused'; words: string } {
  if (made === undefined) return { result: 'done', words: 'the interrupted start had started nothing' };
  if (made.kind === 'refused') return { result: 'refused', words: `not admitted: ${made.why}` };
  if (made.kind === 'failed') return { result: 'failed', words: `the start failed: ${made.started.why}` };
  const { sessionId, pid } = made.started;
  return { result: 'done', words: `session ${sessionId} runs as process ${pid}` };
}

/** A start that was refused because the Driver lives after all, or somebody else is at it: both are as they should be. */
export function isCalm({ exitCode }: FleetError): boolean {
  return exitCode === EXIT.exists || exitCode === EXIT.later || exitCode === EXIT.guard;
}
