import * as z from 'zod';
import { count } from './fields.ts';

export const driver = (name: string) =>
  z.strictObject({
    schema: z.literal(name),
    dryRun: z.boolean(),
    task: z.string(),
    result: z.enum(['started', 'failed', 'refused', 'would-start', 'would-find', 'would-fail']),
    words: z.string(),
    sessionId: z.string().nullable(),
    shortId: z.string().nullable(),
    name: z.string().nullable(),
    pid: count.nullable(),
    pane: z.string().nullable(),
    recovered: z.boolean(),
    excerpt: z.string().nullable(),
    /** How it would be started (--dry-run). */
    plan: z
      .strictObject({
        kind: z.enum(['interactive', 'background']),
        cwd: z.string(),
        resumes: z.string().nullable(),
        answers: z.array(
          z.strictObject({
            question: z.enum(['onboarding', 'trust', 'api-key', 'auto-mode-notice', 'bypass-warning', 'mcp-servers']),
            folder: z.string().nullable(),
            file: z.string().nullable(),
          }),
        ),
      })
      .nullable(),
  });

export const taskShow = z.strictObject({
  schema: z.literal('session-fleet.task-file.show.v1'),
  dryRun: z.boolean(),
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

export const taskList = z.strictObject({
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

export const taskValidate = z.strictObject({
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

export const taskPath = z.strictObject({
  schema: z.literal('session-fleet.task-file.path.v1'),
  task: z.string(),
  path: z.string(),
});
