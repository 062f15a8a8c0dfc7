import { EXIT, type ExitCode } from '../errors.ts';
import type { AdmissionDecision } from './admission.ts';

/** What an earlier, interrupted start of the task has left. */
export type EarlierStart =
  | { kind: 'none' }
  /** A session that was told its brief. */
  | { kind: 'runs'; sessionId: string }
  | { kind: 'failed'; why: string }
  | { kind: 'under-way' };

export interface PreviewFacts {
  earlier: EarlierStart;
  /** Whether a slot would be given now; undefined when it was not asked. */
  admission: AdmissionDecision | undefined;
  /** Why what starts sessions of this kind can't be run on this machine. */
  cannotSpawn: string | undefined;
}

export interface PreviewVerdict {
  result: 'would-start' | 'would-find' | 'would-fail' | 'refused';
  words: string;
  exitCode: ExitCode;
}

/**
 * What a start would come to if it were made now, with the exit code it would have. An earlier start counts first, as it does in
 * earnest; one of which it can't be told yet is waited for there, so that here it is `try later`.
 */
export function previewStart({ earlier, admission, cannotSpawn }: PreviewFacts): PreviewVerdict {
  if (earlier.kind === 'runs') {
    const words = `an earlier, interrupted call has started session ${earlier.sessionId}: it would be taken for the Driver`;
    return { result: 'would-find', words, exitCode: EXIT.done };
  }
  if (earlier.kind === 'failed') {
    const words = `an earlier, interrupted call has left a failed start, which would be let go: ${earlier.why}`;
    return { result: 'would-fail', words, exitCode: EXIT.internal };
  }
  if (earlier.kind === 'under-way')
    return { result: 'refused', words: 'an earlier start of it is under way', exitCode: EXIT.later };
  if (admission === undefined) return { result: 'refused', words: 'no slot was asked for', exitCode: EXIT.unreadable };
  if (admission.kind === 'refuse')
    return { result: 'refused', words: `not admitted: ${admission.words}`, exitCode: refusalExit(admission) };
  if (cannotSpawn !== undefined)
    return { result: 'would-fail', words: `failed start: ${cannotSpawn}`, exitCode: EXIT.internal };
  return { result: 'would-start', words: `would start: ${admission.words}`, exitCode: EXIT.done };
}

/** The exit code of a refused admission: 75 to try later, 69 when the fleet could not be counted. */
export function refusalExit({ reason }: Pick<AdmissionDecision, 'reason'>): 69 | 75 {
  return reason.endsWith('unreadable') ? EXIT.unreadable : EXIT.later;
}
