import { main } from '../lib/cli/main.ts';
import { spec } from '../specs/driver-kickoff.ts';

/** Runs driver-kickoff on `words` and returns its exit code. */
export const run = (words: readonly string[]): Promise<number> =>
  main(spec, { '': async () => (await import('../actions/driver-kickoff.ts')).driverKickoff }, words);
