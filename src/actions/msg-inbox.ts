import { type Handler, print } from '../lib/cli/output.ts';
import { sessionArgument } from '../lib/cli/session-argument.ts';
import type { Context } from '../lib/context.ts';
import { EXIT, FleetError } from '../lib/errors.ts';
import { observeAfresh } from '../lib/observe/fleet.ts';
import type { Session } from '../lib/observe/sessions.ts';
import { type Undelivered, undeliveredTo } from '../lib/observe/undelivered.ts';
import { safeText } from '../lib/words/safe-text.ts';
import { isSessionId } from '../lib/words/session-id.ts';

/** The document of `session-msg inbox --json`. */
export function inboxDocument(sessionId: string, running: boolean, waiting: readonly Undelivered[]) {
  return {
    schema: 'session-fleet.session-msg.inbox.v1',
    sessionId,
    running,
    waiting: waiting.map(({ messageId, state, at, words, text }) => ({
      messageId: messageId ?? null,
      state,
      at: at ?? null,
      words,
      text,
    })),
  };
}

/** `session-msg inbox SESSION`. */
export const msgInbox: Handler = async (context, invocation, output) => {
  const target = sessionArgument(invocation.args[0]);
  const session = await sessionNamed(context, target);
  const sessionId = session?.sessionId ?? target;
  const none = new FleetError(EXIT.noSuch, `no session has the id ${target}`);
  if (!isSessionId(sessionId)) throw none;
  const read = undeliveredTo(context, sessionId, session, Date.now());
  if (!read.ok) throw new FleetError(EXIT.unreadable, `its inbox can’t be told: ${read.why}`);
  if (read.value === undefined) throw none;
  const waiting = read.value;
  const text = waiting.length === 0 ? (invocation.quiet ? '' : 'nothing waits') : waiting.map(lineOf).join('\n');
  print(output, invocation, inboxDocument(sessionId, session !== undefined, waiting), text);
  return waiting.length === 0 ? EXIT.done : EXIT.finding;
};

function lineOf({ messageId, state, at, words, text }: Undelivered): string {
  const head = `${state}  ${at ?? 'unknown time'}  ${messageId ?? 'of another sender'}`;
  return `${head}\n  ${safeText(text, 100)}\n  ${words}`;
}

/** The live session of that id; undefined when there is none. */
async function sessionNamed(context: Context, target: string): Promise<Session | undefined> {
  const fleet = await observeAfresh(context);
  if (!fleet.roster.rows.ok) throw new FleetError(EXIT.unreadable, fleet.roster.rows.why);
  if (!fleet.processes.ok) throw new FleetError(EXIT.unreadable, fleet.processes.why);
  return fleet.joined?.sessions.find(({ sessionId, shortId }) => sessionId === target || shortId === target);
}
