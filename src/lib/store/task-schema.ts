import * as z from 'zod';

/** States of a task. The last three are terminal: the task has been let go of (un-parking clears the latches). */
export const TASK_STATES = ['working', 'awaiting-human', 'ready_for_review', 'done', 'abandoned', 'parked'] as const;
export const TERMINAL_STATES: ReadonlySet<string> = new Set(['done', 'abandoned', 'parked']);

const id = z.string().regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, 'no session id');
const time = z.iso.datetime({ offset: true });
const identity = z.looseObject({ pid: z.int().positive(), procStart: z.string() });

/**
 * task.json. Fields of other versions and of people are kept untouched (loose). The five exit fields are presence
 * latches: set once, their presence is the fact.
 */
export const taskSchema = z.looseObject({
  id: z.string().optional(),
  title: z.string().optional(),
  state: z.enum(TASK_STATES),
  stateChangedAt: time.optional(),
  createdAt: time.optional(),
  cwd: z.string().optional(),
  driverSid: id.optional(),
  workerSid: id.optional(),
  driverName: z.string().optional(),
  launch: z
    .looseObject({
      kind: z.enum(['interactive', 'background']).optional(),
      tmuxSession: z.string().optional(),
      args: z.array(z.string()).optional(),
      permissionMode: z.string().optional(),
    })
    .optional(),
  releasedAt: time.optional(),
  exitAskedAt: time.optional(),
  exitRequestedAt: time.optional(),
  exitRequests: z.int().min(0).optional(),
  exitedAt: time.optional(),
  exitGaveUpAt: time.optional(),
  /** The message that asks it to leave: written down before it is sent. */
  exitAsk: z.looseObject({ messageId: z.string().optional(), pending: z.boolean().optional() }).optional(),
  driverRespawns: z.int().min(0).optional(),
  driverRespawnTimes: z.array(time).optional(),
  driverSeen: identity.extend({ startedAt: z.number().optional() }).optional(),
  deadSince: time.optional(),
  wake: z
    .looseObject({
      at: time.optional(),
      step: z.int().min(0).optional(),
      fingerprint: z.string().optional(),
      messageId: z.string().optional(),
      pending: z.boolean().optional(),
    })
    .optional(),
  watcher: z
    .looseObject({ status: z.string().optional(), closedAt: time.optional(), reason: z.string().optional() })
    .optional(),
  spawnIntent: z.looseObject({ sid: z.string().optional(), at: time.optional() }).optional(),
  alarms: z.looseObject({}).optional(),
  /** The last decision of a person that was executed on this task, so that none is executed twice. */
  answered: z.looseObject({ id: z.string().optional(), at: time.optional() }).optional(),
  /** A person said that what a start would have to wait for is over. */
  holdLiftedAt: time.optional(),
});

export type Task = z.infer<typeof taskSchema>;

/** Names of the days when a Driver was called Operator. They are read, and left as they stand when the file is rewritten. */
const LEGACY_NAMES: Readonly<Record<string, keyof Task>> = {
  operatorSid: 'driverSid',
  operatorName: 'driverName',
  operatorRespawns: 'driverRespawns',
  operatorRespawnTimes: 'driverRespawnTimes',
  operatorSeen: 'driverSeen',
};

/** The task in a document, its legacy names read as today's (today's win), or the first field that is wrong. */
export function parseTask(value: unknown): { ok: true; task: Task } | { ok: false; field: string; problem: string } {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { ok: false, field: '(top)', problem: 'not a JSON object' };
  }
  const document: Record<string, unknown> = { ...value };
  // Empty and null mean absent in files that people edit by hand: then the legacy name beside it still tells.
  for (const [name, one] of Object.entries(document)) if (one === null || one === '') delete document[name];
  for (const [legacy, name] of Object.entries(LEGACY_NAMES)) {
    if (legacy in document && !(name in document)) document[name] = document[legacy];
  }
  const result = taskSchema.safeParse(document);
  if (result.success) return { ok: true, task: result.data };
  const issue = result.error.issues[0];
  return { ok: false, field: issue?.path.join('.') || '(top)', problem: issue?.message ?? 'invalid' };
}
