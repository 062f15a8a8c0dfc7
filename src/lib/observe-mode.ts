import { join } from 'node:path';
import type { Context } from './context.ts';
import { appendLog } from './store/json-lines.ts';

/** What besides a sweep's rules can be told to observe only. */
export const OBSERVABLE = ['expire', 'reap', 'watch', 'lanes'] as const;

/** Whether a rule, or a command, only says what it would do, by its owner's policy: for who adopts this on a fleet that runs. */
export function observes({ policy }: Pick<Context, 'policy'>, rule: string): boolean {
  return (policy.policy.rules[rule] ?? policy.policy.mode) === 'observe';
}

/** Writes down what would have been done. */
export function logObserved({ places }: Pick<Context, 'places'>, what: Record<string, unknown>): void {
  appendLog(join(places.ownDir, 'observed.jsonl'), { at: new Date().toISOString(), ...what });
}
