import * as z from 'zod';
import { bytes, count, kind, ms, time } from './fields.ts';

export const admissionReason = z.enum([
  'below-ceiling',
  'at-ceiling',
  'below-memory-floor',
  'roster-unreadable',
  'memory-unreadable',
]);

export const status = z.strictObject({
  schema: z.literal('session-fleet.session-cap.status.v1'),
  at: time,
  admits: z.boolean(),
  reason: admissionReason,
  words: z.string(),
  counted: count.nullable(),
  ceiling: count.nullable(),
  live: count.nullable(),
  unlisted: count.nullable(),
  reserved: count,
  deadRows: count.nullable(),
  memory: z
    .strictObject({ totalBytes: bytes, availableBytes: bytes, floorBytes: bytes, sessionsRssBytes: bytes })
    .nullable(),
  helpers: z.strictObject({ count, rssBytes: bytes, pssBytes: bytes.nullable(), roles: z.record(z.string(), count) }),
  sessions: z.array(
    z.strictObject({
      sessionId: z.string().nullable(),
      shortId: z.string().nullable(),
      kind,
      name: z.string().nullable(),
      cwd: z.string().nullable(),
      pid: count,
      procStart: z.string(),
      listed: z.boolean(),
      status: z.string().nullable(),
      waitingFor: z.string().nullable(),
      startedAt: time.nullable(),
      idleMs: ms.nullable(),
      rssBytes: bytes,
      pssBytes: bytes.nullable(),
      pane: z
        .strictObject({ socket: z.string(), pane: z.string(), session: z.string(), window: count, attached: count })
        .nullable(),
    }),
  ),
  reservations: z.array(z.strictObject({ token: z.string(), for: z.string(), at: time, ttlMs: ms })),
});

export const admit = z.strictObject({
  schema: z.literal('session-fleet.session-cap.admit.v1'),
  admitted: z.boolean(),
  token: z.string().nullable(),
  reason: admissionReason,
  words: z.string(),
  counted: count.nullable(),
  ceiling: count.nullable(),
  ttlMs: ms,
});

export const release = z.strictObject({
  schema: z.literal('session-fleet.session-cap.release.v1'),
  token: z.string(),
  ended: z.enum(['released', 'appeared', 'expired']),
  now: z.boolean(),
});

export const log = z.strictObject({
  schema: z.literal('session-fleet.session-cap.log.v1'),
  refusals: z.array(
    z.looseObject({
      at: time,
      for: z.string(),
      reason: admissionReason,
      words: z.string(),
      counted: count.nullable(),
      ceiling: count.nullable(),
      availableBytes: bytes.nullable(),
      floorBytes: bytes.nullable(),
      callerPid: count,
    }),
  ),
  skippedLines: count,
});

export const reap = z.strictObject({
  schema: z.literal('session-fleet.session-cap.reap.v1'),
  dryRun: z.boolean(),
  panes: z.array(
    z.strictObject({
      socket: z.string(),
      pane: z.string(),
      session: z.string(),
      startCommand: z.string(),
      reason: z.enum(['dead-claude', 'dead-marked']),
      result: z.string(),
    }),
  ),
  unreadable: z.array(z.string()),
});

export const expire = z.strictObject({
  schema: z.literal('session-fleet.session-cap.expire.v1'),
  dryRun: z.boolean(),
  mass: z.boolean(),
  stopped: z.boolean(),
  idleMs: ms,
  sessions: z.array(
    z.strictObject({
      sessionId: z.string().nullable(),
      name: z.string().nullable(),
      pid: count,
      verdict: z.enum(['keep', 'expire']),
      reason: z.string(),
      words: z.string(),
      outcome: z.string().nullable(),
      outcomeWords: z.string().nullable(),
      resume: z.string().nullable(),
    }),
  ),
});

export const sample = z.strictObject({
  schema: z.literal('session-fleet.session-cap.sample.v1'),
  at: time,
  live: count.nullable(),
  unlisted: count.nullable(),
  reserved: count,
  ceiling: count.nullable(),
  totalBytes: bytes.nullable(),
  availableBytes: bytes.nullable(),
  helpersRssBytes: bytes.nullable(),
  sessions: z.array(
    z.strictObject({ id: z.string(), kind, status: z.string().nullable(), rssBytes: bytes, idleMs: ms.nullable() }),
  ),
  why: z.string().optional(),
});

export const report = z.strictObject({
  schema: z.literal('session-fleet.session-cap.report.v1'),
  from: time,
  to: time,
  samples: count,
  skippedLines: count,
  peakCounted: count.nullable(),
  lowestAvailableBytes: bytes.nullable(),
  refusals: count,
  exits: count,
  exitsFailed: count,
  wakes: count,
  revivals: count,
  awaiting: z.array(
    z.strictObject({
      task: z.string(),
      title: z.string().nullable(),
      since: z.string().nullable(),
      rssBytes: bytes.nullable(),
    }),
  ),
  silence: z.array(z.strictObject({ label: z.string(), count })),
  silenceUnknown: count,
  page: z.string().nullable(),
});
