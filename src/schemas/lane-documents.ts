import * as z from 'zod';

const bad = z.array(z.strictObject({ file: z.string(), field: z.string(), problem: z.string() }));

/** What `lane-nudge --json` prints, by action. */
export const laneArm = z.strictObject({
  schema: z.literal('session-fleet.lane-nudge.arm.v1'),
  lane: z.string(),
  sid: z.string(),
  everyMs: z.number(),
  replaced: z.boolean(),
});

export const laneStop = z.strictObject({
  schema: z.literal('session-fleet.lane-nudge.stop.v1'),
  stopped: z.array(z.string()),
});

export const laneList = z.strictObject({
  schema: z.literal('session-fleet.lane-nudge.list.v1'),
  lanes: z.array(
    z.strictObject({
      lane: z.string(),
      sid: z.string(),
      everyMs: z.number(),
      armedAt: z.string(),
      lastAt: z.string().nullable(),
      lastVerdict: z.string().nullable(),
      text: z.string(),
    }),
  ),
  bad,
});

export const laneTick = z.strictObject({
  schema: z.literal('session-fleet.lane-nudge.tick.v1'),
  dryRun: z.boolean(),
  readable: z.boolean(),
  lanes: z.array(
    z.strictObject({
      lane: z.string(),
      sid: z.string(),
      verdict: z.enum(['nudge', 'resend', 'expire', 'is-driver', 'undetermined', 'not-idle', 'not-quiet', 'waits']),
      result: z.enum(['done', 'refused', 'failed']).nullable(),
      words: z.string(),
    }),
  ),
  bad,
});
