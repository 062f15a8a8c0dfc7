import { main } from '../lib/cli/main.ts';
import { spec } from '../specs/decision-ledger.ts';

/** Runs decision-ledger on `words` and returns its exit code. */
export const run = (words: readonly string[]): Promise<number> =>
  main(
    spec,
    {
      list: async () => (await import('../actions/ledger-read.ts')).list,
      show: async () => (await import('../actions/ledger-read.ts')).show,
      answer: async () => (await import('../actions/ledger-answer.ts')).answer,
      raise: async () => (await import('../actions/ledger-raise.ts')).raise,
      serve: async () => (await import('../actions/ledger-serve.ts')).serve,
    },
    words,
  );
