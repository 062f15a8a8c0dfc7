import { main } from '../lib/cli/main.ts';
import { spec } from '../specs/session-exit.ts';

/** Runs session-exit on `words` and returns its exit code. */
export const run = (words: readonly string[]): Promise<number> =>
  main(spec, { '': async () => (await import('../actions/session-exit.ts')).sessionExit }, words);
