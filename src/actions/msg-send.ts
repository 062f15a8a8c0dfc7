import { type Message, type SendOutcome, sendMessage } from '../lib/act/send-message.ts';
import { type Handler, print } from '../lib/cli/output.ts';
import { readText } from '../lib/cli/read-text.ts';
import { sessionArgument } from '../lib/cli/session-argument.ts';
import type { Invocation } from '../lib/cli/spec.ts';
import type { Context } from '../lib/context.ts';
import { EXIT, FleetError } from '../lib/errors.ts';
import { type Mail, readMail } from '../lib/store/mail-log.ts';
import { isMessageId, MESSAGE_LIMIT_BYTES, markedMessage, messageBody } from '../lib/words/message-text.ts';
import { safeText } from '../lib/words/safe-text.ts';
import { isSessionId } from '../lib/words/session-id.ts';
import { uniqueWord } from '../lib/words/unique-word.ts';

const WAIT_MS = 30_000;

/** The document of `session-msg send --json`. */
export function sendDocument(outcome: SendOutcome) {
  const { verdict, messageId, sessionId, words, route, sent, guards, transcript, pid, name } = outcome;
  return {
    schema: 'session-fleet.session-msg.send.v1',
    verdict,
    messageId,
    sessionId,
    name: name ?? null,
    pid: pid ?? null,
    route: route ?? null,
    sent,
    words,
    guards: guards.map(({ name: guard, reading }) => ({ guard, ...reading })),
    transcript: transcript ?? null,
  };
}

/** `session-msg send SESSION [TEXT|-]`. */
export const msgSend: Handler = async (context, invocation, output) => {
  const target = sessionArgument(invocation.args[0]);
  const { wait, socketOnly, dryRun } = invocation.options;
  const outcome = await sendMessage(context, target, messageOfCall(context, target, invocation), {
    waitMs: typeof wait === 'number' ? wait : WAIT_MS,
    socketOnly: socketOnly === true,
    dryRun: dryRun === true,
  });
  const done = outcome.exitCode === EXIT.done;
  const text = sendText(outcome);
  if (done || invocation.json) print(output, invocation, sendDocument(outcome), invocation.quiet && done ? '' : text);
  else output.err(`session-msg: ${text}\n`);
  return outcome.exitCode;
};

function sendText({ sessionId, name, words, messageId }: SendOutcome): string {
  const who = name === undefined ? sessionId : `${sessionId} (${safeText(name, 60)})`;
  return `${who}: message ${messageId} ${words}`;
}

function messageOfCall(context: Context, target: string, { args, options }: Invocation): Message {
  const { file, from, id } = options;
  if (id !== undefined && !isMessageId(String(id)))
    throw new FleetError(EXIT.usage, `${safeText(String(id), 60)} is no message id`, { field: '--id' });
  const known = id === undefined ? undefined : readMail(context.places).find((mail) => mail.id === id);
  const given = givenText(args[1], typeof file === 'string' ? file : undefined);
  if (given === undefined) {
    if (id === undefined)
      throw new FleetError(EXIT.usage, 'say what to send: TEXT, - for standard input, or --file FILE');
    if (known === undefined)
      throw new FleetError(EXIT.noSuch, `no message ${id} in the mail log; give its text`, { field: '--id' });
  }
  const sender = typeof from === 'string' ? from : known?.from;
  if (given === undefined && known !== undefined) {
    refuseOther(known, target, undefined);
    return { id: known.id, body: bodyOf(known), from: known.from };
  }
  const body = messageBody(given ?? '');
  if (!body.ok) throw new FleetError(EXIT.badData, `the text can’t be sent: ${body.why}`, { field: 'TEXT' });
  const message = { id: typeof id === 'string' ? id : uniqueWord(), body: body.value, from: sender };
  if (known !== undefined) refuseOther(known, target, markedMessage(message.body, message.id, sender));
  return message;
}

function givenText(text: string | undefined, file: string | undefined): string | undefined {
  if (text !== undefined && file !== undefined)
    throw new FleetError(EXIT.usage, 'TEXT and --file can’t both be given', { field: '--file' });
  if (file !== undefined) return readText(file, { maxBytes: MESSAGE_LIMIT_BYTES, what: 'a message' });
  if (text === '-') return readText('-', { maxBytes: MESSAGE_LIMIT_BYTES, what: 'a message' });
  // Node puts this sign in the place of bytes that are no UTF-8; a text that truly holds it can come from a file.
  if (text?.includes('\ufffd')) throw new FleetError(EXIT.badData, 'TEXT: it is not UTF-8', { field: 'TEXT' });
  return text;
}

/** An id belongs to one text for one session: else "it is there already" would be said of another message. */
function refuseOther(known: Mail, target: string, text: string | undefined): void {
  const other = isSessionId(target) && known.sessionId !== target;
  if (other || (text !== undefined && text !== known.text)) {
    const what = other ? 'was sent to another session' : 'has another text';
    throw new FleetError(EXIT.badData, `message ${known.id} ${what}`, { field: '--id' });
  }
}

function bodyOf({ text }: Mail): string {
  return text.slice(0, text.lastIndexOf('\n'));
}
