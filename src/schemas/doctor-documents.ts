import * as z from 'zod';

/** What `watcher-doctor --json` prints. */
export const doctor = z.strictObject({
  schema: z.literal('session-fleet.watcher-doctor.v1'),
  healthy: z.boolean(),
  findings: z.array(
    z.strictObject({
      check: z.string(),
      level: z.enum(['ok', 'wrong', 'unknown']),
      task: z.string().nullable(),
      words: z.string(),
      means: z.string().nullable(),
      mend: z.string().nullable(),
      fixable: z.boolean(),
      fixed: z.boolean(),
      fixWords: z.string().nullable(),
    }),
  ),
});

/** What `watcher-doctor --checkin-text TASK --json` prints. */
export const checkin = z.strictObject({
  schema: z.literal('session-fleet.watcher-doctor.checkin.v1'),
  task: z.string(),
  text: z.string(),
});
