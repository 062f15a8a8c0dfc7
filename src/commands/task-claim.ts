import { main } from '../lib/cli/main.ts';
import { spec } from '../specs/task-claim.ts';

/** Runs task-claim on `words` and returns its exit code. */
export const run = (words: readonly string[]): Promise<number> =>
  main(
    spec,
    {
      acquire: async () => (await import('../actions/claim-change.ts')).claimAcquire,
      renew: async () => (await import('../actions/claim-change.ts')).claimRenew,
      complete: async () => (await import('../actions/claim-change.ts')).claimComplete,
      abandon: async () => (await import('../actions/claim-change.ts')).claimAbandon,
      finalize: async () => (await import('../actions/claim-end.ts')).claimFinalize,
      list: async () => (await import('../actions/claim-end.ts')).claimList,
      reap: async () => (await import('../actions/claim-end.ts')).claimReap,
    },
    words,
  );
