import type { Handler } from '../lib/cli/output.ts';
import { EXIT } from '../lib/errors.ts';
import { DEFAULT_ADDRESS } from '../lib/temporal/names.ts';
import { runWorker } from '../lib/temporal/worker.ts';
import { safeText } from '../lib/words/safe-text.ts';

/** `task-watcher worker`. */
export const watcherWorker: Handler = async (context, { options, quiet }, output) => {
  const { temporal } = context.policy.watcher;
  const address = typeof options.address === 'string' ? options.address : (temporal.address ?? DEFAULT_ADDRESS);
  await runWorker(context, { address, namespace: temporal.namespace }, (words, kind) => {
    if (kind === 'trouble' || !quiet) output.err(`task-watcher: ${safeText(words, 500)}\n`);
  });
  return EXIT.done;
};
