import type { Context } from '../context.ts';
import { type SendOutcome, sendMessage } from './send-message.ts';

const WAIT_MS = 20_000;

/**
 * Sends a text to a session: only while it is idle or in a turn, by its status read right before. One that waits stands on a
 * question of its own.
 */
export function tell(
  context: Context,
  sessionId: string,
  message: { id: string; body: string; from: string },
): Promise<SendOutcome> {
  return sendMessage(context, sessionId, message, {
    waitMs: WAIT_MS,
    socketOnly: false,
    dryRun: false,
    refuse: ({ status }) =>
      status === 'idle' || status === 'busy' ? undefined : `its status is ${status ?? 'not known'} by now`,
  });
}
