/** How a run ended. */
export interface RunEnd {
  /** The command's exit code; 128 + n when a signal ended it; undefined when nobody saw the end. */
  rawExitCode: number | undefined;
  /** The launcher's own time limit ended it. */
  timedOut: boolean;
  /** The signal that the launcher was told to end by, as its name. */
  stoppedBy?: string | undefined;
}

export interface Finalization {
  outcome: 'complete' | 'abandon';
  reason: string;
}

/** timeout(1) and this launcher end so. */
export const TIMEOUT_EXIT = 124;

/** States in which a task has been handed off; anything else is unfinished work. */
const HANDED_OFF: ReadonlySet<string> = new Set(['ready_for_review', 'done']);

/** Whether a run ended as it should: what a result file calls `exit_clean`. */
export function isCleanEnd({ rawExitCode, timedOut, stoppedBy }: RunEnd): boolean {
  return rawExitCode === 0 && !timedOut && stoppedBy === undefined;
}

/** Why a run ended, in a word. */
export function endReason({ rawExitCode, timedOut, stoppedBy }: RunEnd): string {
  if (timedOut || rawExitCode === TIMEOUT_EXIT) return 'timeout';
  if (stoppedBy !== undefined) return `stopped-${stoppedBy.toLowerCase()}`;
  if (rawExitCode === undefined) return 'launcher-lost';
  return rawExitCode === 0 ? 'exit-clean' : `exit-${rawExitCode}`;
}

/**
 * What becomes of a claim at the end of the run that holds it ("CLAIMED=0 is not unclaimed"). Exit 124 abandons at once,
 * whatever a service manager says of it. A clean exit completes only a task that was handed off: the state of the task decides,
 * and a moved HEAD proves nothing; a state that nobody can tell abandons.
 */
export function decideFinalization(end: RunEnd, taskState: string | undefined): Finalization {
  if (!isCleanEnd(end)) return { outcome: 'abandon', reason: endReason(end) };
  if (taskState === undefined) return { outcome: 'abandon', reason: 'task-state-unknown' };
  return HANDED_OFF.has(taskState)
    ? { outcome: 'complete', reason: `task-${taskState}` }
    : { outcome: 'abandon', reason: `task-${taskState}` };
}
