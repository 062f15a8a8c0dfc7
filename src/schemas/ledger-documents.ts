import * as z from 'zod';
import { count } from './fields.ts';

const time = z.iso.datetime({ offset: true });
const state = z.enum(['open', 'answered', 'executing', 'executed', 'closed']);
const option = z.strictObject({ id: z.string(), label: z.string(), does: z.string(), action: z.string() });

const decision = {
  id: z.string(),
  state,
  kind: z.string(),
  key: z.string(),
  title: z.string(),
  task: z.string().nullable(),
  evidence: z.array(z.string()),
  options: z.array(option).min(1),
  raisedAt: time,
  raisedBy: z.string(),
  raisedAgain: count,
  lastRaisedAt: time.nullable(),
  subject: z.looseObject({}).nullable(),
  reached: z.string().nullable(),
  answer: z.strictObject({ option: z.string(), at: time, by: z.string(), note: z.string().nullable() }).nullable(),
  execution: z
    .strictObject({
      startedAt: time,
      endedAt: time.nullable(),
      verdict: z.enum(['done', 'moved-on', 'failed']).nullable(),
      words: z.string().nullable(),
    })
    .nullable(),
  closed: z.strictObject({ at: time, reason: z.string() }).nullable(),
};

export const ledgerShow = z.strictObject({
  schema: z.literal('session-fleet.decision-ledger.show.v1'),
  ...decision,
});

export const ledgerList = z.strictObject({
  schema: z.literal('session-fleet.decision-ledger.list.v1'),
  decisions: z.array(z.strictObject(decision)),
  bad: z.array(z.strictObject({ file: z.string(), field: z.string(), problem: z.string() })),
});

export const ledgerAnswer = z.strictObject({
  schema: z.literal('session-fleet.decision-ledger.answer.v1'),
  id: z.string(),
  option: z.string(),
  label: z.string(),
  does: z.string(),
  action: z.string(),
  by: z.string(),
  at: time,
  note: z.string().nullable(),
  words: z.string(),
});

export const ledgerRaise = z.strictObject({
  schema: z.literal('session-fleet.decision-ledger.raise.v1'),
  id: z.string(),
  raised: z.boolean(),
  state,
  key: z.string(),
});

export const ledgerServe = z.strictObject({
  schema: z.literal('session-fleet.decision-ledger.serve.v1'),
  url: z.string(),
  port: count,
});
