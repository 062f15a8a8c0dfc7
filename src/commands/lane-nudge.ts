import { main } from '../lib/cli/main.ts';
import { spec } from '../specs/lane-nudge.ts';

/** Runs lane-nudge on `words` and returns its exit code. */
export const run = (words: readonly string[]): Promise<number> =>
  main(
    spec,
    {
      arm: async () => (await import('../actions/lane-arm.ts')).laneArm,
      stop: async () => (await import('../actions/lane-arm.ts')).laneStop,
      list: async () => (await import('../actions/lane-tick.ts')).laneList,
      tick: async () => (await import('../actions/lane-tick.ts')).laneTick,
    },
    words,
  );
