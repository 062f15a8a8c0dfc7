import { main } from '../lib/cli/main.ts';
import { spec } from '../specs/session-msg.ts';

/** Runs session-msg on `words` and returns its exit code. */
export const run = (words: readonly string[]): Promise<number> =>
  main(
    spec,
    {
      send: async () => (await import('../actions/msg-send.ts')).msgSend,
      inbox: async () => (await import('../actions/msg-inbox.ts')).msgInbox,
    },
    words,
  );
