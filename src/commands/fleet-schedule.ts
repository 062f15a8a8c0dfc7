import { main } from '../lib/cli/main.ts';
import { spec } from '../specs/fleet-schedule.ts';

/** Runs fleet-schedule on `words` and returns its exit code. */
export const run = (words: readonly string[]): Promise<number> =>
  main(
    spec,
    {
      print: async () => (await import('../actions/fleet-schedule.ts')).schedulePrint,
      install: async () => (await import('../actions/fleet-schedule.ts')).scheduleInstall,
      remove: async () => (await import('../actions/fleet-schedule.ts')).scheduleRemove,
      status: async () => (await import('../actions/fleet-schedule.ts')).scheduleStatus,
    },
    words,
  );
