import type { Context } from '../context.ts';
import { decideExit, type Guard } from '../decide/exit-guards.ts';
import { alreadyThere, chooseRoute, type Route, type Verdict } from '../decide/message.ts';
import { squeezed, typedForm, typedProblem } from '../decide/typed-text.ts';
import type { ExitLook } from '../observe/exit-look.ts';
import { inboxOf } from '../observe/inbox-socket.ts';
import { jobFlags } from '../observe/job-flags.ts';
import { wouldAskFirst } from '../observe/permission-mode.ts';
import { type Mail, ownTypedText } from '../store/mail-log.ts';
import { watchMessage } from './watch-message.ts';

/** An act that may have left an entry in the transcript needs this long to show it. */
const SETTLE_MS = 3000;

/** What became of an earlier send of a message; undefined when it may go out (again). */
export async function earlierFate(context: Context, look: ExitLook, earlier: Mail): Promise<Verdict | undefined> {
  const { session } = look;
  const sameProcess = earlier.pid === session.pid && earlier.procStart === session.procStart;
  // Its sender may have been ended a moment ago: give the session the time to write down what it got.
  const ageMs = Math.max(0, Date.now() - Date.parse(earlier.at));
  const waitMs = sameProcess && ageMs < SETTLE_MS ? SETTLE_MS - ageMs : 0;
  const seen = await watchMessage(context, look, earlier, { waitMs, untilQueued: true });
  if (!seen.ok) return { verdict: 'unconfirmed', words: `nothing sent: its transcript: ${seen.why}` };
  return alreadyThere({ ...seen.value, sameProcess });
}

/**
 * A text of ours that an interrupted sender left in the session's box, whole or in part; the look's facts are then told
 * that what stands there is no person's draft.
 */
export function leftInBox({ screen, facts, session }: ExitLook, mails: readonly Mail[]): string | undefined {
  const text = ownTypedText(mails, session);
  if (text === undefined || screen?.kind !== 'draft' || facts.screen === undefined) return undefined;
  const shown = squeezed(screen.text);
  // A few letters could be anybody's.
  if (shown.length < 8 || !squeezed(typedForm(text)).startsWith(shown)) return undefined;
  facts.screen.oursTyped = true;
  return typedForm(text);
}

export interface PlanOptions {
  /** The text with its mark. */
  text: string;
  socketOnly: boolean;
  transcript: string | undefined;
  /** Why the inbox is of no use, when that was found out by trying. */
  inboxFailed?: string;
}

/** Which way a text may go to a session that was just looked at, with the guards of typing where those decide. */
export function planRoute(context: Context, look: ExitLook, options: PlanOptions): Route & { guards: Guard[] } {
  const { session, sessions, pane, fleet, facts } = look;
  const { text, socketOnly, transcript, inboxFailed } = options;
  const { claudeDir } = context.places;
  const guards = decideExit(facts);
  const shown = fleet.processes.ok ? (fleet.processes.value.argv(session.pid) ?? []) : [];
  const argv = [...shown, ...jobFlags(claudeDir, session)];
  const route = chooseRoute({
    processes: sessions.length,
    listed: session.listed,
    inbox: inboxFailed === undefined ? inboxOf(claudeDir, session) : { kind: 'none', why: inboxFailed },
    wouldAsk: wouldAskFirst({ claudeDir, argv, transcript }),
    socketOnly,
    kind: session.kind,
    guards,
    typedProblem: pane === undefined ? undefined : typedProblem(typedForm(text), pane),
  });
  return { ...route, guards: route.kind === 'socket' ? [] : guards.guards };
}
