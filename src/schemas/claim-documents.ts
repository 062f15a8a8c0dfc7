import * as z from 'zod';

const claimEnd = z.strictObject({
  key: z.string(),
  generation: z.int(),
  outcome: z.enum(['complete', 'abandon']),
  reason: z.string(),
  result: z.enum(['done', 'done-before', 'lost', 'unknown']),
});

const summary = z.strictObject({
  total: z.int(),
  completed: z.int(),
  abandoned: z.int(),
  skipped: z.int(),
  claims: z.array(claimEnd),
});

/** What `task-claim --json` prints, by action. */
export const claimAcquire = z.strictObject({
  schema: z.literal('session-fleet.task-claim.acquire.v1'),
  key: z.string(),
  acquired: z.boolean(),
  generation: z.int(),
  how: z.enum(['acquired', 'renewed', 'taken-over']).nullable(),
  words: z.string(),
  holder: z.strictObject({
    host: z.string(),
    boot: z.string(),
    pid: z.int(),
    procStart: z.string(),
    sid: z.string().nullable(),
  }),
  ttlMs: z.number(),
});

export const claimChange = z.strictObject({
  schema: z.literal('session-fleet.task-claim.change.v1'),
  key: z.string(),
  generation: z.int(),
  state: z.enum(['renewed', 'completed', 'abandoned']),
  changed: z.boolean(),
});

export const claimFinalize = summary.extend({
  schema: z.literal('session-fleet.task-claim.finalize.v1'),
  skippedLines: z.int(),
});

export const claimList = z.strictObject({
  schema: z.literal('session-fleet.task-claim.list.v1'),
  claims: z.array(
    z.strictObject({
      key: z.string(),
      generation: z.int(),
      state: z.enum(['held', 'completed', 'abandoned']),
      counts: z.boolean(),
      words: z.string(),
      host: z.string(),
      pid: z.int(),
      sid: z.string().nullable(),
      ttlMs: z.number(),
      acquiredAt: z.string(),
      renewedAt: z.string(),
      outcome: z.enum(['complete', 'abandon']).nullable(),
      reason: z.string().nullable(),
    }),
  ),
});

export const claimReap = z.strictObject({
  schema: z.literal('session-fleet.task-claim.reap.v1'),
  dryRun: z.boolean(),
  runs: z.array(z.strictObject({ runId: z.string(), words: z.string(), summary: summary.nullable() })),
  leases: z.array(z.strictObject({ key: z.string(), generation: z.int(), reason: z.string(), words: z.string() })),
  bad: z.array(z.string()),
});

/** What `session-run --result FILE` writes. */
export const runResult = z.strictObject({
  schema: z.literal('session-fleet.session-run.result.v1'),
  runId: z.string(),
  category: z.string().nullable(),
  command: z.array(z.string()),
  startedAt: z.string(),
  endedAt: z.string(),
  exit_clean: z.boolean(),
  reason: z.string(),
  raw_exit_code: z.int().nullable(),
  task_claim_finalization_summary: summary,
  task_claim_finalization_problem: z.string().nullable(),
});
