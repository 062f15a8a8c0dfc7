import * as z from 'zod';

/** What `task-watcher tick --json` prints. */
export const watcherTick = z.strictObject({
  schema: z.literal('session-fleet.task-watcher.tick.v1'),
  at: z.string(),
  rosterOk: z.boolean(),
  tasks: z.array(
    z.strictObject({
      task: z.string(),
      kind: z.enum([
        'none',
        'revive',
        'recover',
        'nudge',
        'close',
        'continue-as-new',
        'closed-before',
        'other-engine',
        'failed',
      ]),
      words: z.string(),
      result: z.enum(['done', 'failed', 'refused', 'moved-on']).nullable(),
      resultWords: z.string().nullable(),
    }),
  ),
});

/** What `task-watcher status --json` prints. */
export const watcherStatus = z.strictObject({
  schema: z.literal('session-fleet.task-watcher.status.v1'),
  tasks: z.array(
    z.strictObject({
      task: z.string(),
      state: z.string(),
      watcher: z.enum(['ticking', 'stale', 'unwatched', 'closed', 'over', 'no-driver']),
      words: z.string(),
      workflowId: z.string().nullable(),
      tickAt: z.string().nullable(),
      rosterOk: z.boolean().nullable(),
      found: z.boolean().nullable(),
    }),
  ),
});

/** What `task-watcher start --json` and `stop --json` print. */
export const watcherChange = (schema: string) =>
  z.strictObject({
    schema: z.literal(schema),
    task: z.string(),
    engine: z.enum(['embedded', 'temporal']),
    workflowId: z.string(),
    changed: z.boolean(),
    words: z.string(),
  });
