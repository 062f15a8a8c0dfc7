import { main } from '../lib/cli/main.ts';
import { spec } from '../specs/watcher-doctor.ts';

/** Runs watcher-doctor on `words` and returns its exit code. */
export const run = (words: readonly string[]): Promise<number> =>
  main(spec, { '': async () => (await import('../actions/watcher-doctor.ts')).watcherDoctor }, words);
