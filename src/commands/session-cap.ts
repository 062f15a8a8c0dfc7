import { main } from '../lib/cli/main.ts';
import { spec } from '../specs/session-cap.ts';

/** Runs session-cap on `words` and returns its exit code. */
export const run = (words: readonly string[]): Promise<number> =>
  main(
    spec,
    {
      status: async () => (await import('../actions/cap-status.ts')).status,
      admit: async () => (await import('../actions/cap-admit.ts')).admit,
      release: async () => (await import('../actions/cap-admit.ts')).release,
      run: async () => (await import('../actions/cap-run.ts')).runAdmitted,
      log: async () => (await import('../actions/cap-log.ts')).log,
      reap: async () => (await import('../actions/cap-reap.ts')).reap,
      expire: async () => (await import('../actions/cap-expire.ts')).expire,
      sample: async () => (await import('../actions/cap-sample.ts')).sample,
      report: async () => (await import('../actions/cap-report.ts')).report,
    },
    words,
  );
