import * as z from 'zod';
import { answer, bytes, count, time } from './fields.ts';

export const exit = z.strictObject({
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

export const msgSend = z.strictObject({
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

export const msgInbox = z.strictObject({
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
