import { main } from '../lib/cli/main.ts';
import { spec } from '../specs/supervisor-sweep.ts';

/** Runs supervisor-sweep on `words` and returns its exit code. */
export const run = (words: readonly string[]): Promise<number> =>
  main(spec, { '': async () => (await import('../actions/supervisor-sweep.ts')).supervisorSweep }, words);
