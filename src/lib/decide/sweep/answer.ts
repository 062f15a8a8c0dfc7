/** A decision that a person has answered, as the executor needs it. */
export interface AnsweredDecision {
  id: string;
  kind: string;
  action: string;
  task: string | undefined;
  subject: Readonly<Record<string, unknown>>;
}

/** The task it is about, as it is now. */
export interface AnsweredTask {
  state: string;
  terminal: boolean;
  driverSid: string | undefined;
  gaveUp: boolean;
  /** The decision that was last executed on it. */
  lastAnswered: string | undefined;
  /** Alarms it has, and what about. */
  alarms: Readonly<Record<string, string | undefined>>;
}

export type AnswerVerdict =
  | { kind: 'execute' }
  /** It was executed before; only that was not written down. */
  | { kind: 'done-before' }
  | { kind: 'moved-on'; why: string }
  /** Nothing is to be done. */
  | { kind: 'nothing' }
  | { kind: 'unknown-action' };

/** Actions on one task, and what must still be so for each (ADR 0035 decision 11: answered is not executed). */
const ON_TASKS = new Set([
  'revive-once-more',
  'ask-again',
  'look-again',
  'lift-hold',
  'park',
  'tell-driver',
  'restart-watcher',
]);
const ON_FLEET = new Set(['clear-breaker', 'look-again']);

/**
 * What an answer leads to now. One about a task that has moved on meanwhile does nothing, and says so; one that was
 * executed on its task already is not executed again.
 */
export function decideAnswer(decision: AnsweredDecision, task: AnsweredTask | undefined): AnswerVerdict {
  const { action, subject } = decision;
  if (action === 'none' || action === 'record') return { kind: 'nothing' };
  if (decision.task === undefined) return ON_FLEET.has(action) ? { kind: 'execute' } : { kind: 'unknown-action' };
  if (!ON_TASKS.has(action)) return { kind: 'unknown-action' };
  if (task === undefined) return { kind: 'moved-on', why: 'the task is gone' };
  if (task.lastAnswered === decision.id) return { kind: 'done-before' };
  if (typeof subject.driverSid === 'string' && subject.driverSid !== (task.driverSid ?? '')) {
    return { kind: 'moved-on', why: 'it has another Driver' };
  }
  const why = changed(action, subject, task);
  return why === undefined ? { kind: 'execute' } : { kind: 'moved-on', why };
}

function changed(action: string, subject: AnsweredDecision['subject'], task: AnsweredTask): string | undefined {
  const { state, terminal, gaveUp, alarms } = task;
  if (action === 'revive-once-more') return state === 'parked' ? undefined : `it is ${state}, not parked`;
  if (action === 'ask-again') {
    if (!terminal) return `it is ${state}`;
    return gaveUp ? undefined : 'its session was not given up any more';
  }
  if (action === 'park' || action === 'lift-hold' || action === 'restart-watcher') {
    if (terminal) return `it is ${state}`;
  }
  if (action === 'tell-driver') return terminal ? `it is ${state}` : undefined;
  const { alarm, about } = subject;
  if (typeof alarm === 'string' && alarms[alarm] !== about) return 'what it was about is over';
  return undefined;
}
