import { join } from 'node:path';
import type { Context } from '../context.ts';
import { decideExit, type Guard } from '../decide/exit-guards.ts';
import { SEND_EXIT, type SendVerdict, type Verdict } from '../decide/message.ts';
import { typedForm } from '../decide/typed-text.ts';
import type { ExitCode } from '../errors.ts';
import { type ExitLook, lookForExit } from '../observe/exit-look.ts';
import type { Session } from '../observe/sessions.ts';
import { readTranscript } from '../observe/transcript.ts';
import { acquireLock } from '../store/lock.ts';
import { logMailIntent, logMailResult, type Mail, type MailRoute, readMail } from '../store/mail-log.ts';
import { markedMessage } from '../words/message-text.ts';
import { earlierFate, leftInBox, planRoute } from './message-plan.ts';
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
  /** Why this session, as it is now, must not be sent it; read again right before it is. */
  refuse?: (session: Session) => string | undefined;
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

/**
 * Sends a text to one session, named by full or short id, and says what the session's transcript shows of it. By the inbox
 * socket; typed only when there is none. An intent is logged before the act and a result after it, and a message whose
 * id is in the transcript already is not sent again, so a sender that is ended at any point can be run again.
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
  const finish = outcomeOf(target, message.id, look);
  if (!seen.ok) return finish('unreadable', `nothing sent: ${seen.why}`);
  if (look?.session.sessionId === undefined) return finish('no-such-session', 'no live session has this id');
  const { sessionId, cwd } = look.session;
  const found = readTranscript(context.places.claudeDir, sessionId, cwd, { glance: true });
  // Then nobody could tell whether it arrived, or is there already.
  if (found.kind === 'unknown') return finish('unreadable', `nothing sent: its transcript: ${found.why}`);
  const transcript = found.kind === 'found' ? found.file : undefined;

  const mails = readMail(context.places);
  const earlier = mails.find((mail) => mail.id === message.id && mail.sessionId === sessionId);
  if (earlier !== undefined && look.sessions.length === 1) {
    const there = await earlierFate(context, look, earlier);
    if (there !== undefined) return finish(there.verdict, there.words, { transcript });
  }
  const unwanted = options.refuse?.(look.session);
  if (unwanted !== undefined) return finish('refused', `nothing sent: ${unwanted}`, { transcript });
  leftInBox(look, mails);
  const text = markedMessage(message.body, message.id, message.from);
  const { socketOnly } = options;
  const route = planRoute(context, look, { text, socketOnly, transcript });
  const more: More = { transcript, guards: route.guards };
  if (route.kind !== 'socket' && route.kind !== 'typed') return finish(route.kind, `nothing sent: ${route.why}`, more);
  if (options.dryRun) {
    const how = route.kind === 'socket' ? 'through its inbox' : 'by typing';
    return finish('would-send', `would be sent ${how}`, { ...more, route: route.kind });
  }
  const sending: Sending = {
    context,
    message,
    text,
    transcriptBytes: found.kind === 'found' ? found.bytes : 0,
    waitMs: options.waitMs,
    finish,
    more,
  };
  if (route.kind === 'typed') return byTyping(sending, sessionId);
  const mail = await logIntent(sending, look, 'socket');
  const posted = await postMessage(route.path, text);
  if (posted.kind !== 'not-connected')
    return confirm(sending, look, mail, posted.kind === 'doubtful' ? posted.why : '');
  await logMailResult(context.places, message.id, { verdict: 'refused', words: posted.why, cleared: true });
  const second = planRoute(context, look, { text, socketOnly, transcript, inboxFailed: posted.why });
  if (second.kind === 'typed') return byTyping({ ...sending, more: { transcript, guards: second.guards } }, sessionId);
  const why = second.kind === 'socket' ? posted.why : second.why;
  const verdict = second.kind === 'unreadable' ? 'unreadable' : 'refused';
  return finish(verdict, `nothing sent: ${why}`, { transcript, guards: second.guards });
}

interface Sending {
  context: Context;
  message: Message;
  text: string;
  transcriptBytes: number;
  waitMs: number;
  finish: Finish;
  more: More;
}

/** Types it, under the lock that session-exit types under, after a second look. */
async function byTyping(sending: Sending, sessionId: string): Promise<SendOutcome> {
  const { context, message, text, finish, more } = sending;
  const what = `session ${sessionId}`;
  const lock = await acquireLock(join(context.places.ownDir, 'exit', sessionId), { waitMs: 0, what });
  try {
    const second = await lookForExit(context, sessionId);
    if (!second.ok) return finish('unreadable', `nothing sent: ${second.why}`, more);
    const look = second.value;
    if (look === undefined) return finish('no-such-session', 'the session left meanwhile', more);
    const left = leftInBox(look, readMail(context.places));
    const { kind, guards, stoppedBy } = decideExit(look.facts);
    if (stoppedBy !== undefined) {
      const why = `nothing sent: ${stoppedBy.name}: ${stoppedBy.reading.evidence}`;
      return finish(kind === 'unreadable' ? 'unreadable' : 'refused', why, { ...more, guards });
    }
    const mail = await logIntent(sending, look, 'typed');
    const report = await typeMessage(context, look, { id: message.id, text: typedForm(text), left });
    const typed: Sending = { ...sending, more: { ...more, route: 'typed', guards } };
    if (report.kind === 'entered') return await confirm(typed, look, mail, '');
    const { words, cleared } = report;
    await logMailResult(context.places, message.id, { verdict: 'refused', words, cleared });
    return finish('refused', words, typed.more);
  } finally {
    lock.release();
  }
}

async function logIntent(
  { context, message, text, transcriptBytes }: Sending,
  look: ExitLook,
  route: MailRoute,
): Promise<Mail> {
  const { id, from } = message;
  const { pid, procStart, sessionId = '' } = look.session;
  const who = { id, sessionId, pid, procStart, senderPid: process.pid };
  const intent = { ...who, route, transcriptBytes, text, ...(from === undefined ? {} : { from }) };
  await logMailIntent(context.places, intent);
  return { at: new Date().toISOString(), ...intent };
}

/** Waits for what the transcript says of a message that is out, and writes it down. `doubt`: whether it is out is not sure. */
async function confirm(sending: Sending, look: ExitLook, mail: Mail, doubt: string): Promise<SendOutcome> {
  const { context, waitMs, finish, more } = sending;
  const seen = await watchMessage(context, look, mail, { waitMs, untilQueued: false });
  const { verdict, words }: Verdict = seen.ok
    ? seen.value.verdict
    : { verdict: 'unconfirmed', words: `sent, but its transcript can’t be read: ${seen.why}` };
  const said = verdict === 'unconfirmed' && doubt !== '' ? `${doubt}; ${words}` : words;
  await logMailResult(context.places, mail.id, { verdict, words: said, cleared: true });
  return finish(verdict, said, { ...more, route: mail.route, sent: true });
}

type More = Partial<Pick<SendOutcome, 'route' | 'sent' | 'guards' | 'transcript'>>;
type Finish = ReturnType<typeof outcomeOf>;

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
