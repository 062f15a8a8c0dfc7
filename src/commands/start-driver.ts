import { main } from '../lib/cli/main.ts';
import { spec } from '../specs/start-driver.ts';

/** Runs start-driver on `words` and returns its exit code. */
export const run = (words: readonly string[]): Promise<number> =>
  main(spec, { '': async () => (await import('../actions/start-driver.ts')).startDriver }, words);
