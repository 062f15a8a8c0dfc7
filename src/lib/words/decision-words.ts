import { stateOf } from '../decide/decision-state.ts';
import type { Decision, DecisionOption } from '../store/decision-schema.ts';
import { formatDuration } from './duration.ts';

/** The option that was chosen; undefined while there is no answer. */
export function chosenOption({ answer, options }: Decision): DecisionOption | undefined {
  return options.find(({ id }) => id === answer?.option);
}

/** What happens after an option was chosen. An option that is only recorded is not the Supervisor's. */
export function willDo({ action, does }: DecisionOption): string {
  return action === 'record' ? does : `at its next sweep the Supervisor ${does}`;
}

/** What has become of a decision, in a line; for an open one, what it can be answered with. `now` in ms since 1970. */
export function standingLine(decision: Decision, now: number): string {
  const { answer, execution, closed, options } = decision;
  const by = answer === undefined ? '' : `${answer.option}, by ${byWords(answer.by)} ${agoWords(answer.at, now)}`;
  switch (stateOf(decision)) {
    case 'open':
      return options.map(({ id }) => id).join(', ');
    case 'answered':
      return chosenOption(decision)?.action === 'record' ? by : `${by}; not executed yet`;
    case 'executing':
      return `${by}; execution began ${agoWords(execution?.startedAt, now)}`;
    case 'executed':
      return `${by}; ${verdictWords(execution)}`;
    case 'closed':
      return `withdrawn ${agoWords(closed?.at, now)}: ${closed?.reason ?? ''}`;
  }
}

/** When and by whom it was raised, and how often since. */
export function raisedWords(decision: Decision, now: number): string {
  const { raisedAt, raisedBy, raisedAgain = 0, lastRaisedAt } = decision;
  const times = raisedAgain === 1 ? 'once more' : `${raisedAgain} more times`;
  const again = raisedAgain === 0 ? '' : `, ${times} since, last ${agoWords(lastRaisedAt, now)}`;
  return `${agoWords(raisedAt, now)} by ${byWords(raisedBy)}${again}`;
}

/** Who raised or answered it; of a session the first part of its id, as the other commands show it. */
export function byWords(by: string): string {
  return by.replace(/^(session [0-9a-f]{8})-[0-9a-f-]{27}$/, '$1');
}

/** How an execution ended: `done: …`, `moved on, not executed: …`, `failed: …`. */
export function verdictWords(execution: Decision['execution']): string {
  const verdict = execution?.verdict === 'moved-on' ? 'moved on, not executed' : (execution?.verdict ?? 'executed');
  return execution?.words ? `${verdict}: ${execution.words}` : verdict;
}

/** `3h 12m ago`; a time that is ahead of the clock, or no time, is `just now`. */
export function agoWords(at: string | undefined, now: number): string {
  const ms = at === undefined ? 0 : now - Date.parse(at);
  return ms < 1000 ? 'just now' : `${formatDuration(ms)} ago`;
}
