import * as z from 'zod';

const verdict = z.strictObject({ rule: z.string(), kind: z.string(), fires: z.boolean(), words: z.string() });

/** What `supervisor-sweep --json` prints. */
export const sweep = z.strictObject({
  schema: z.literal('session-fleet.supervisor-sweep.v1'),
  at: z.string(),
  dryRun: z.boolean(),
  breaker: z.strictObject({
    tripped: z.boolean(),
    reason: z.string().nullable(),
    words: z.string().nullable(),
    tasks: z.array(z.string()),
  }),
  tasks: z.array(
    z.strictObject({ task: z.string(), state: z.string(), liveness: z.string(), verdicts: z.array(verdict) }),
  ),
  settled: z.int().min(0),
  outcomes: z.array(
    z.strictObject({
      task: z.string().nullable(),
      rule: z.string(),
      kind: z.string(),
      result: z.enum(['done', 'failed', 'refused', 'moved-on']),
      words: z.string(),
    }),
  ),
  bad: z.array(z.strictObject({ file: z.string(), field: z.string(), problem: z.string() })),
});
