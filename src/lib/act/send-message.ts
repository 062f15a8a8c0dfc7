import { join } from 'node:path';
import type { Context } from '../context.ts';
import { decideExit, type Guard } from '../decide/exit-guards.ts';
import { alreadyThere, chooseRoute, type Route, SEND_EXIT, type SendVerdict, type Verdict } from '../decide/message.ts';
import { squeezed, typedForm, typedProblem } from '../decide/typed-text.ts';
import type { ExitCode } from '../errors.ts';
import { type ExitLook, lookForExit } from '../observe/exit-look.ts';
import { inboxOf } from '../observe/inbox-socket.ts';
import { wouldAskFirst } from '../observe/permission-mode.ts';
import { readTranscript } from '../observe/transcript.ts';
import { acquireLock } from '../store/lock.ts';
import { logMailIntent, logMailResult, type Mail, type MailRoute, ownTypedText, readMail } from '../store/mail-log.ts';
import { markedMessage } from '../words/message-text.ts';
import { postMessage } from './post-message.ts';
import { typeMessage } from './type-message.ts';
import { watchMessage } from './watch-message.ts';

/** A message to be sent. `body` is fit to be sent, see messageBody. */
export interface Message {
  id: string;
  body: string;
  from: string | undefined;
}

export interface SendOptions {
  waitMs: number;
  socketOnly: boolean;
  dryRun: boolean;
}

/** What came of sending one message. */
export interface SendOutcome {
  verdict: SendVerdict;
  exitCode: ExitCode;
  words: string;
  messageId: string;
  sessionId: string;
  pid: number | undefined;
  name: string | undefined;
  route: MailRoute | undefined;
  /** Something was posted or entered by this call. */
  sent: boolean;
  /** The guards of typing, where that was looked into. */
  guards: Guard[];
  transcript: string | undefined;
}

/** An act that may have left an entry in the transcript needs this long to show it. */
const SETTLE_MS = 3000;

/**
 * Sends a text to one session, named by full or short id, and says what the session's transcript shows of it. By the inbox
 * socket; typed only when there is none. An intent is logged before the act and a result after it, and a message whose
 * id is in the transcript already is not sent again, so a sender that is killed at any point can be run again.
 */
export async function sendMessage(
  context: Context,
  target: string,
  message: Message,
  options: SendOptions,
): Promise<SendOutcome> {
  if (options.dryRun) return attempt(context, target, message, options);
  const lock = await acquireLock(join(context.places.ownDir, 'mail', message.id), {
    waitMs: options.waitMs,
    what: `message ${message.id}`,
  });
  try {
    return await attempt(context, target, message, options);
  } finally {
    lock.release();
  }
}

async function attempt(context: Context, target: string, message: Message, options: SendOptions): Promise<SendOutcome> {
  const seen = await lookForExit(context, target);
  const look = seen.ok ? seen.value : undefined;
  const outcome = outcomeOf(target, message.id, look);
  if (!seen.ok) return outcome('unreadable', `nothing sent: ${seen.why}`);
  if (look?.session.sessionId === undefined) return outcome('no-such-session', 'no live session has this id');
  const found = readTranscript(context.places.claudeDir, look.session.sessionId, look.session.cwd, { glance: true });
  // Then nobody could tell whether it arrived, or is there already.
  if (found.kind === 'unknown') return outcome('unreadable', `nothing sent: its transcript: ${found.why}`);
  const file = found.kind === 'found' ? found.file : undefined;
  const at = { file, bytes: found.kind === 'found' ? found.bytes : 0 };

  const mails = readMail(context.places);
  const earlier = mails.find(({ id }) => id === message.id);
  if (earlier !== undefined && look.sessions.length === 1) {
    const there = await earlierFate(context, look, earlier);
    if (there !== undefined) return outcome(there.verdict, there.words, { transcript: file });
  }
  const left = leftInBox(look, mails);
  const route = routeOf(context, look, message, options, { transcript: file, left });
  const more = { transcript: file, guards: route.guards };
  if (route.kind !== 'socket' && route.kind !== 'typed') return outcome(route.kind, `nothing sent: ${route.why}`, more);
  if (options.dryRun)
    return outcome('would-send', `it would go by ${route.kind === 'socket' ? 'its inbox' : 'typing'}`, {
      ...more,
      route: route.kind,
    });

  if (route.kind === 'typed') return typed(context, look, message, options, { ...at, outcome, left, more });
  const log = intentOf(context, look, message, 'socket', at.bytes);
  const posted = await postMessage(route.path, log.text);
  if (posted.kind !== 'not-connected') {
    const words = posted.kind === 'doubtful' ? `${posted.why}; ` : '';
    return settle(context, look, log, options, { outcome, more: { ...more, route: 'socket' }, words });
  }
  logMailResult(context.places, message.id, { verdict: 'refused', words: posted.why, cleared: true });
  const second = routeOf(context, look, message, options, { transcript: file, left, inbox: posted.why });
  const why = second.kind === 'typed' || second.kind === 'socket' ? '' : second.why;
  if (second.kind !== 'typed')
    return outcome(second.kind === 'unreadable' ? 'unreadable' : 'refused', `nothing sent: ${why}`, {
      ...more,
      guards: second.guards,
    });
  return typed(context, look, message, options, { ...at, outcome, left, more: { ...more, guards: second.guards } });
}

/** What became of an earlier send of this message; undefined when it may go out (again). */
async function earlierFate(context: Context, look: ExitLook, earlier: Mail): Promise<Verdict | undefined> {
  const { session } = look;
  const sameProcess = earlier.pid === session.pid && earlier.procStart === session.procStart;
  // Its sender may have been killed a moment ago: give the session the time to write down what it got.
  const ageMs = Date.now() - Date.parse(earlier.at);
  const waitMs = sameProcess && ageMs < SETTLE_MS ? SETTLE_MS - Math.max(0, ageMs) : 0;
  const seen = await watchMessage(context, look, earlier, { waitMs, untilQueued: true });
  if (!seen.ok) return { verdict: 'unconfirmed', words: `nothing sent: its transcript: ${seen.why}` };
  // What a process held went with it.
  if (seen.value.trace.state === 'held' && !sameProcess) return undefined;
  return alreadyThere({ ...seen.value, attempted: true });
}

function leftInBox(look: ExitLook, mails: readonly Mail[]): string | undefined {
  const { screen, facts, session } = look;
  const text = ownTypedText(mails, session);
  if (text === undefined || screen?.kind !== 'draft' || facts.screen === undefined) return undefined;
  const shown = squeezed(screen.text);
  // A few letters could be anybody's.
  if (shown.length < 8 || !squeezed(typedForm(text)).startsWith(shown)) return undefined;
  facts.screen.oursTyped = true;
  return typedForm(text);
}

function routeOf(
  context: Context,
  look: ExitLook,
  message: Message,
  options: SendOptions,
  known: { transcript: string | undefined; left: string | undefined; inbox?: string },
): Route & { guards: Guard[] } {
  const { session, sessions, pane, fleet } = look;
  const { claudeDir } = context.places;
  const guards = decideExit(look.facts);
  const argv = fleet.processes.ok ? (fleet.processes.value.argv(session.pid) ?? []) : [];
  const text = typedForm(markedMessage(message.body, message.id, message.from));
  const route = chooseRoute({
    processes: sessions.length,
    listed: session.listed,
    inbox: known.inbox === undefined ? inboxOf(claudeDir, session) : { kind: 'none', why: known.inbox },
    wouldAsk: wouldAskFirst({ claudeDir, cwd: session.cwd, argv, transcript: known.transcript }),
    socketOnly: options.socketOnly,
    kind: session.kind,
    guards,
    typedProblem: pane === undefined ? undefined : typedProblem(text, pane),
  });
  return { ...route, guards: route.kind === 'socket' ? [] : guards.guards };
}

interface Typing {
  bytes: number;
  left: string | undefined;
  outcome: ReturnType<typeof outcomeOf>;
  more: More;
}

/** Types it, under the lock that session-exit types under, after a second look. */
async function typed(
  context: Context,
  first: ExitLook,
  message: Message,
  options: SendOptions,
  { bytes, outcome, more }: Typing,
): Promise<SendOutcome> {
  const sessionId = first.session.sessionId ?? '';
  const lock = await acquireLock(join(context.places.ownDir, 'exit', sessionId), {
    waitMs: 0,
    what: `session ${sessionId}`,
  });
  try {
    const second = await lookForExit(context, sessionId);
    if (!second.ok) return outcome('unreadable', `nothing sent: ${second.why}`, more);
    const look = second.value;
    if (look === undefined) return outcome('no-such-session', 'the session left meanwhile', more);
    const left = leftInBox(look, readMail(context.places));
    const { kind, guards, stoppedBy } = decideExit(look.facts);
    if (stoppedBy !== undefined)
      return outcome(
        kind === 'unreadable' ? 'unreadable' : 'refused',
        `nothing sent: ${stoppedBy.name}: ${stoppedBy.reading.evidence}`,
        { ...more, guards },
      );
    const log = intentOf(context, look, message, 'typed', bytes);
    const report = await typeMessage(context, look, { id: message.id, text: typedForm(log.text), left });
    if (report.kind === 'refused') {
      logMailResult(context.places, message.id, { ...report, verdict: 'refused' });
      return outcome('refused', report.words, { ...more, route: 'typed', guards });
    }
    return await settle(context, look, log, options, { outcome, more: { ...more, route: 'typed', guards }, words: '' });
  } finally {
    lock.release();
  }
}

function intentOf(context: Context, look: ExitLook, message: Message, route: MailRoute, transcriptBytes: number): Mail {
  const { id, body, from } = message;
  const { pid, procStart, sessionId = '' } = look.session;
  const text = markedMessage(body, id, from);
  const intent = {
    id,
    sessionId,
    pid,
    procStart,
    route,
    senderPid: process.pid,
    transcriptBytes,
    text,
    ...(from === undefined ? {} : { from }),
  };
  logMailIntent(context.places, intent);
  return { at: new Date().toISOString(), ...intent };
}

interface Settling {
  outcome: ReturnType<typeof outcomeOf>;
  more: More;
  words: string;
}

/** Waits for what the transcript says of a message that is out, and writes it down. */
async function settle(
  context: Context,
  look: ExitLook,
  mail: Mail,
  { waitMs }: SendOptions,
  { outcome, more, words }: Settling,
): Promise<SendOutcome> {
  const seen = await watchMessage(context, look, mail, { waitMs, untilQueued: false });
  const verdict: Verdict = seen.ok
    ? seen.value.verdict
    : { verdict: 'unconfirmed', words: `sent, but its transcript can’t be read: ${seen.why}` };
  const said = verdict.verdict === 'unconfirmed' ? `${words}${verdict.words}` : verdict.words;
  logMailResult(context.places, mail.id, { verdict: verdict.verdict, words: said, cleared: true });
  return outcome(verdict.verdict, said, { ...more, sent: true });
}

type More = Partial<Pick<SendOutcome, 'route' | 'sent' | 'guards' | 'transcript'>>;

function outcomeOf(target: string, messageId: string, look: ExitLook | undefined) {
  return (verdict: SendVerdict, words: string, more: More = {}): SendOutcome => ({
    verdict,
    exitCode: SEND_EXIT[verdict],
    words,
    messageId,
    sessionId: look?.session.sessionId ?? target,
    pid: look?.session.pid,
    name: look?.session.name,
    route: undefined,
    sent: false,
    guards: [],
    transcript: undefined,
    ...more,
  });
}
