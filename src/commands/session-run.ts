import { main } from '../lib/cli/main.ts';
import { spec } from '../specs/session-run.ts';

/** Runs session-run on `words` and returns its exit code. */
export const run = (words: readonly string[]): Promise<number> =>
  main(spec, { '': async () => (await import('../actions/session-run.ts')).sessionRun }, words);
