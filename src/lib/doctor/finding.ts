/** One thing the doctor looked at. */
export interface Finding {
  /** The check: `sweep`, `watcher`, `roster`, … */
  check: string;
  /** `ok`: as it should be. `wrong`: something to mend. `unknown`: it could not be told. */
  level: 'ok' | 'wrong' | 'unknown';
  task?: string;
  /** What was seen. */
  words: string;
  /** What that leads to; for what is not ok. */
  means?: string;
  /** The command that mends it; for what is not ok. */
  mend?: string;
  /** What --fix does about it, where that is safe. Returns what was done. */
  fix?: () => Promise<string>;
}

export const ok = (check: string, words: string, more: Partial<Finding> = {}): Finding => ({
  check,
  level: 'ok',
  words,
  ...more,
});

export const wrong = (
  check: string,
  words: string,
  means: string,
  mend: string,
  more: Partial<Finding> = {},
): Finding => ({
  check,
  level: 'wrong',
  words,
  means,
  mend,
  ...more,
});

export const unknown = (check: string, words: string, means: string, mend: string): Finding => ({
  check,
  level: 'unknown',
  words,
  means,
  mend,
});
