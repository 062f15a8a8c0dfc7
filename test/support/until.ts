import { setTimeout as pause } from 'node:timers/promises';

/** How `until` polls: the words for what is awaited go into its error. */
export interface UntilOptions {
  timeout?: number;
  interval?: number;
  what?: string;
  /** Evidence to add to the error, such as the screen at that moment. */
  evidence?: () => Promise<string> | string;
}

/** What is left of a type once it is truthy. */
export type Truthy<T> = Exclude<T, false | 0 | '' | null | undefined>;

/**
 * Polls `read` until it gives something truthy, and returns that. A throw counts as "not yet".
 * Gives up after `timeout` (15 s) with an error that says what was awaited and what was seen last.
 */
export async function until<T>(read: () => Promise<T> | T, options: UntilOptions = {}): Promise<Truthy<T>> {
  const { timeout = 15_000, interval = 60, what = 'a condition' } = options;
  const deadline = Date.now() + timeout;
  let last: unknown;
  for (;;) {
    try {
      const value = await read();
      if (value) return value as Truthy<T>;
      last = value;
    } catch (error) {
      last = error;
    }
    if (Date.now() > deadline) break;
    await pause(interval);
  }
  const evidence = options.evidence ? `\n${await Promise.resolve(options.evidence()).catch(String)}` : '';
  const seen = last instanceof Error ? last.message : (JSON.stringify(last) ?? String(last));
  throw new Error(`waited ${timeout} ms for ${what}; last: ${seen}${evidence}`);
}
