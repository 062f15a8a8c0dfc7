import { main } from '../lib/cli/main.ts';
import { spec } from '../specs/task-watcher.ts';

/** Runs task-watcher on `words` and returns its exit code. */
export const run = (words: readonly string[]): Promise<number> =>
  main(
    spec,
    {
      tick: async () => (await import('../actions/watcher-tick.ts')).watcherTick,
      status: async () => (await import('../actions/watcher-status.ts')).watcherStatus,
      start: async () => (await import('../actions/watcher-start.ts')).watcherStart,
      stop: async () => (await import('../actions/watcher-start.ts')).watcherStop,
      worker: async () => (await import('../actions/watcher-worker.ts')).watcherWorker,
    },
    words,
  );
