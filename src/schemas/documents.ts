import * as z from 'zod';

/**
 * The documents that commands print under --json. They are an API: within a version fields are only added; a field that
 * goes or changes its meaning makes a new version. Sizes are bytes, times ISO 8601 UTC, durations ms; null is "not known".
 */

const time = z.iso.datetime();
const bytes = z.int().min(0);
const ms = z.int().min(0);
const count = z.int().min(0);
const answer = z.enum(['yes', 'no', 'unknown']);
const kind = z.enum(['interactive', 'background', 'unknown']);

const admissionReason = z.enum([
  'below-ceiling',
  'at-ceiling',
  'below-memory-floor',
  'roster-unreadable',
  'memory-unreadable',
]);

const error = z.strictObject({
  schema: z.literal('session-fleet.error.v1'),
  command: z.string(),
  exitCode: z.int(),
  message: z.string(),
  file: z.string().optional(),
  field: z.string().optional(),
});

const status = z.strictObject({
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

const admit = z.strictObject({
  schema: z.literal('session-fleet.session-cap.admit.v1'),
  admitted: z.boolean(),
  token: z.string().nullable(),
  reason: admissionReason,
  words: z.string(),
  counted: count.nullable(),
  ceiling: count.nullable(),
  ttlMs: ms,
});

const release = z.strictObject({
  schema: z.literal('session-fleet.session-cap.release.v1'),
  token: z.string(),
  ended: z.enum(['released', 'appeared', 'expired']),
  now: z.boolean(),
});

const log = z.strictObject({
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

const reap = z.strictObject({
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

const expire = z.strictObject({
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

const sample = z.strictObject({
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

const report = z.strictObject({
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
  silence: z.array(z.strictObject({ label: z.string(), count })),
  silenceUnknown: count,
  page: z.string().nullable(),
});

const exit = z.strictObject({
  schema: z.literal('session-fleet.session-exit.v1'),
  verdict: z.enum(['left', 'would-leave', 'still-running', 'refused', 'unreadable', 'no-such-session']),
  sessionId: z.string(),
  name: z.string().nullable(),
  pid: count.nullable(),
  path: z.enum(['stop', 'typed']).nullable(),
  words: z.string(),
  guards: z.array(z.strictObject({ guard: z.string(), answer, source: z.string(), evidence: z.string() })),
  transcript: z.strictObject({
    file: z.string().nullable(),
    beforeBytes: bytes.nullable(),
    afterBytes: bytes.nullable(),
  }),
  resume: z.string(),
});

const driver = (name: string) =>
  z.strictObject({
    schema: z.literal(name),
    task: z.string(),
    result: z.enum(['started', 'failed', 'refused']),
    words: z.string(),
    sessionId: z.string().nullable(),
    shortId: z.string().nullable(),
    name: z.string().nullable(),
    pid: count.nullable(),
    pane: z.string().nullable(),
    recovered: z.boolean(),
    excerpt: z.string().nullable(),
  });

const msgSend = z.strictObject({
  schema: z.literal('session-fleet.session-msg.send.v1'),
  verdict: z.enum(['delivered', 'queued', 'unconfirmed', 'refused', 'unreadable', 'no-such-session', 'would-send']),
  messageId: z.string(),
  sessionId: z.string(),
  name: z.string().nullable(),
  pid: count.nullable(),
  route: z.enum(['socket', 'typed']).nullable(),
  sent: z.boolean(),
  words: z.string(),
  guards: z.array(z.strictObject({ guard: z.string(), answer, source: z.string(), evidence: z.string() })),
  transcript: z.string().nullable(),
});

const msgInbox = z.strictObject({
  schema: z.literal('session-fleet.session-msg.inbox.v1'),
  sessionId: z.string(),
  running: z.boolean(),
  waiting: z.array(
    z.strictObject({
      messageId: z.string().nullable(),
      state: z.enum(['queued', 'lost', 'unconfirmed']),
      at: time.nullable(),
      words: z.string(),
      text: z.string(),
    }),
  ),
});

const taskShow = z.strictObject({
  schema: z.literal('session-fleet.task-file.show.v1'),
  task: z.string(),
  file: z.string(),
  title: z.string().nullable(),
  state: z.string(),
  terminal: z.boolean(),
  cwd: z.string().nullable(),
  driverSid: z.string().nullable(),
  driverName: z.string().nullable(),
  createdAt: z.string().nullable(),
  stateChangedAt: z.string().nullable(),
  board: z.discriminatedUnion('status', [
    z.strictObject({ status: z.literal('none'), file: z.string() }),
    z.strictObject({ status: z.literal('bad'), file: z.string(), problem: z.string(), line: count, column: count }),
    z.strictObject({
      status: z.literal('read'),
      file: z.string(),
      groups: z.array(
        z.strictObject({
          title: z.string(),
          items: z.array(
            z.strictObject({
              text: z.string(),
              state: z.enum(['open', 'met', 'dropped']),
              evidence: z.string().nullable(),
            }),
          ),
        }),
      ),
      open: count,
    }),
  ]),
});

const taskList = z.strictObject({
  schema: z.literal('session-fleet.task-file.list.v1'),
  tasks: z.array(
    z.strictObject({
      task: z.string(),
      title: z.string().nullable(),
      state: z.string(),
      stateChangedAt: z.string().nullable(),
      driverSid: z.string().nullable(),
    }),
  ),
  bad: z.array(z.strictObject({ file: z.string(), field: z.string(), problem: z.string() })),
});

const taskValidate = z.strictObject({
  schema: z.literal('session-fleet.task-file.validate.v1'),
  valid: z.boolean(),
  problems: z.array(
    z.strictObject({
      file: z.string(),
      field: z.string().nullable(),
      problem: z.string(),
      line: count.nullable(),
      column: count.nullable(),
    }),
  ),
});

const taskPath = z.strictObject({
  schema: z.literal('session-fleet.task-file.path.v1'),
  task: z.string(),
  path: z.string(),
});

/** Every document by the name in its `schema` field. */
export const DOCUMENTS: Readonly<Record<string, z.ZodType>> = {
  'session-fleet.error.v1': error,
  'session-fleet.session-cap.status.v1': status,
  'session-fleet.session-cap.admit.v1': admit,
  'session-fleet.session-cap.release.v1': release,
  'session-fleet.session-cap.log.v1': log,
  'session-fleet.session-cap.reap.v1': reap,
  'session-fleet.session-cap.expire.v1': expire,
  'session-fleet.session-cap.sample.v1': sample,
  'session-fleet.session-cap.report.v1': report,
  'session-fleet.session-exit.v1': exit,
  'session-fleet.task-file.show.v1': taskShow,
  'session-fleet.task-file.list.v1': taskList,
  'session-fleet.task-file.validate.v1': taskValidate,
  'session-fleet.task-file.path.v1': taskPath,
  'session-fleet.session-msg.send.v1': msgSend,
  'session-fleet.session-msg.inbox.v1': msgInbox,
  'session-fleet.start-driver.v1': driver('session-fleet.start-driver.v1'),
  'session-fleet.driver-kickoff.v1': driver('session-fleet.driver-kickoff.v1'),
};

/** The JSON schema of a document. Readers must take fields they do not know, so none is closed. */
export function schemaOf(name: string): Record<string, unknown> {
  const document = DOCUMENTS[name];
  if (document === undefined) throw new Error(`no document ${name}`);
  const { $schema, ...schema } = z.toJSONSchema(document) as Record<string, unknown>;
  return { $schema, title: name, ...open(schema) };
}

function open(value: unknown): Record<string, unknown> {
  const walk = (one: unknown): unknown => {
    if (Array.isArray(one)) return one.map(walk);
    if (typeof one !== 'object' || one === null) return one;
    return Object.fromEntries(
      Object.entries(one).flatMap(([key, inner]) =>
        key === 'additionalProperties' && inner === false ? [] : [[key, walk(inner)]],
      ),
    );
  };
  return walk(value) as Record<string, unknown>;
}
