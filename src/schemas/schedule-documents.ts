import * as z from 'zod';

const target = z.enum(['cron', 'launchd', 'systemd']);

/** What `fleet-schedule --json` prints, by action. */
export const schedulePrint = z.strictObject({
  schema: z.literal('session-fleet.fleet-schedule.print.v1'),
  target,
  files: z.array(z.strictObject({ name: z.string(), text: z.string() })),
});

export const scheduleChange = z.strictObject({
  schema: z.literal('session-fleet.fleet-schedule.change.v1'),
  target,
  what: z.enum(['installed', 'removed']),
  changed: z.boolean(),
  files: z.array(z.string()),
  commands: z.array(z.string()),
  notRun: z.array(z.string()),
});

export const scheduleStatus = z.strictObject({
  schema: z.literal('session-fleet.fleet-schedule.status.v1'),
  entries: z.array(
    z.strictObject({
      name: z.string(),
      command: z.string(),
      everyMs: z.number(),
      lastAt: z.string().nullable(),
      lastCode: z.int().nullable(),
      failedAt: z.string().nullable(),
      failedCode: z.int().nullable(),
      failedWords: z.string().nullable(),
      late: z.boolean(),
      well: z.boolean(),
    }),
  ),
});
