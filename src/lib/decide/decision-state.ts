import { EXIT } from '../errors.ts';
import type { Decision } from '../store/decision-schema.ts';

export type DecisionState = 'open' | 'answered' | 'executing' | 'executed' | 'closed';

/** What may happen to a row: it is raised again, a message about it reaches somebody, and so on. */
export type DecisionEvent = 'raise' | 'reach' | 'answer' | 'begin' | 'end' | 'close';

/** The row changes, stays as it is, or the caller is refused with this exit code. */
export type DecisionStep = 'change' | 'stay' | typeof EXIT.exists | typeof EXIT.guard;

/** Where a row stands. What has begun to be executed is not withdrawn any more, whatever else its file says. */
export function stateOf({
  answer,
  execution,
  closed,
}: Pick<Decision, 'answer' | 'execution' | 'closed'>): DecisionState {
  if (execution !== undefined) return execution.endedAt === undefined ? 'executing' : 'executed';
  if (closed !== undefined) return 'closed';
  return answer === undefined ? 'open' : 'answered';
}

/** True for a row that nothing happens to any more. */
export function isOver(decision: Decision): boolean {
  const state = stateOf(decision);
  return state === 'executed' || state === 'closed';
}

/**
 * Every state and every event. An answer is given once, execution begins once (beginning again finds it begun: who was
 * killed in between must look at what has happened), and only what nobody has answered is withdrawn.
 */
export const STEPS: Readonly<Record<DecisionState, Readonly<Record<DecisionEvent, DecisionStep>>>> = {
  open: { raise: 'change', reach: 'change', answer: 'change', begin: EXIT.guard, end: EXIT.guard, close: 'change' },
  answered: { raise: 'stay', reach: 'change', answer: EXIT.exists, begin: 'change', end: EXIT.guard, close: 'stay' },
  executing: { raise: 'stay', reach: 'change', answer: EXIT.guard, begin: 'stay', end: 'change', close: 'stay' },
  executed: { raise: 'stay', reach: 'stay', answer: EXIT.guard, begin: EXIT.guard, end: 'stay', close: 'stay' },
  closed: { raise: 'stay', reach: 'stay', answer: EXIT.guard, begin: EXIT.guard, end: EXIT.guard, close: 'stay' },
};

/** Why an event is refused, in words for whoever asked. */
export function standingWords(decision: Decision): string {
  const { id, answer, execution, closed } = decision;
  const how = answer === undefined ? '' : `${answer.option}, by ${answer.by} at ${answer.at}`;
  switch (stateOf(decision)) {
    case 'open':
      return `${id} is not answered`;
    case 'answered':
      return `${id} is answered already: ${how}`;
    case 'executing':
      return `${id} is being executed: ${how}`;
    case 'executed':
      return `${id} is executed (${execution?.verdict ?? 'ended'}): ${how}`;
    case 'closed':
      return `${id} was withdrawn at ${closed?.at}: ${closed?.reason}`;
  }
}
