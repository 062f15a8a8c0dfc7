import * as z from 'zod';
import { RULES } from '../decide/sweep/verdict.ts';
import { OBSERVABLE } from '../observe-mode.ts';
import { parseDuration } from '../words/duration.ts';
import { parseShare } from '../words/share.ts';

const duration = z.string().transform((text, context) => {
  const ms = parseDuration(text);
  if (ms === undefined)
    context.addIssue({ code: 'custom', message: `${JSON.stringify(text)} is no duration (write 90s, 15m, 48h, 7d)` });
  return ms ?? z.NEVER;
});

const share = z.string().transform((text, context) => {
  const fraction = parseShare(text);
  if (fraction === undefined)
    context.addIssue({ code: 'custom', message: `${JSON.stringify(text)} is no share (write 10%)` });
  return fraction ?? z.NEVER;
});

const mode = z.enum(['act', 'observe']);

/** The config file. Every key is optional; a key that is not here is an error, so that a misspelt one is not silently without effect. */
export const configSchema = z.strictObject({
  $schema: z.string().optional(),
  cap: z
    .strictObject({
      max: z.int().min(1).optional(),
      memoryFloor: share.optional(),
      reservationTtl: duration.optional(),
    })
    .optional(),
  exit: z
    .strictObject({
      settle: duration.optional(),
      quiet: duration.optional(),
      askWait: duration.optional(),
      requests: z.int().min(1).max(100).optional(),
      requestGap: duration.optional(),
      wait: duration.optional(),
    })
    .optional(),
  expire: z.strictObject({ idle: duration.optional(), pinned: z.array(z.string().min(1)).optional() }).optional(),
  wake: z.strictObject({ quiet: duration.optional(), steps: z.array(duration).min(1).optional() }).optional(),
  revive: z
    .strictObject({
      max: z.int().min(0).optional(),
      window: duration.optional(),
      perSweep: z.int().min(1).optional(),
      watcherFresh: duration.optional(),
      watcherGrace: duration.optional(),
      daemonGrace: duration.optional(),
      limitHold: duration.optional(),
      authHold: duration.optional(),
      wait: duration.optional(),
    })
    .optional(),
  breaker: z
    .strictObject({ minDeaths: z.int().min(1).optional(), share: share.optional(), sweepGap: duration.optional() })
    .optional(),
  watcher: z
    .strictObject({
      interval: duration.optional(),
      lifetime: duration.optional(),
      idleExit: duration.optional(),
      wedged: duration.optional(),
      nudges: z.int().min(1).max(100).optional(),
      temporal: z
        .strictObject({ address: z.string().min(1).optional(), namespace: z.string().min(1).optional() })
        .optional(),
    })
    .optional(),
  claims: z.strictObject({ url: z.string().min(1).optional(), ttl: duration.optional() }).optional(),
  roster: z.strictObject({ timeout: duration.optional() }).optional(),
  architect: z.strictObject({ name: z.string().min(1).optional() }).optional(),
  policy: z
    .strictObject({
      mode: mode.optional(),
      rules: z
        .strictObject(Object.fromEntries([...RULES, ...OBSERVABLE].map((rule) => [rule, mode.optional()])))
        .optional(),
    })
    .optional(),
});

export type Config = z.infer<typeof configSchema>;

/** The first thing that is wrong with a config, as field and words; undefined when nothing is. */
export function parseConfig(
  value: unknown,
): { ok: true; config: Config } | { ok: false; field: string; problem: string } {
  const result = configSchema.safeParse(value);
  if (result.success) return { ok: true, config: result.data };
  const issue = result.error.issues[0];
  if (issue?.code === 'unrecognized_keys') {
    const field = [...issue.path, issue.keys[0]].join('.');
    return { ok: false, field, problem: 'no such key' };
  }
  return { ok: false, field: issue?.path.join('.') || '(top)', problem: issue?.message ?? 'invalid' };
}
