import { type LeaveOutcome, leave } from '../lib/act/leave.ts';
import { type Handler, print } from '../lib/cli/output.ts';
import { sessionArgument } from '../lib/cli/session-argument.ts';
import { EXIT } from '../lib/errors.ts';
import { formatBytes } from '../lib/words/bytes.ts';
import { safeText } from '../lib/words/safe-text.ts';

/** The document of `session-exit --json`. */
export function exitDocument(outcome: LeaveOutcome) {
  const { verdict, sessionId, words, path, guards, transcript, resume, pid, name } = outcome;
  return {
    schema: 'session-fleet.session-exit.v1',
    verdict,
    sessionId,
    name: name ?? null,
    pid: pid ?? null,
    path: path ?? null,
    words,
    guards: guards.map(({ name: guard, reading }) => ({ guard, ...reading })),
    transcript: {
      file: transcript.file ?? null,
      beforeBytes: transcript.beforeBytes ?? null,
      afterBytes: transcript.afterBytes ?? null,
    },
    resume,
  };
}

/** `session-exit SESSION`. */
export const sessionExit: Handler = async (context, invocation, output) => {
  const id = sessionArgument(invocation.args[0]);
  const wait = invocation.options.wait;
  const outcome = await leave(context, id, {
    waitMs: typeof wait === 'number' ? wait : context.policy.exit.wait,
    dryRun: invocation.options.dryRun === true,
  });
  const quiet = invocation.quiet && outcome.exitCode === EXIT.done;
  const text = quiet ? '' : exitText(outcome);
  if (outcome.exitCode === EXIT.done || invocation.json) print(output, invocation, exitDocument(outcome), text);
  else output.err(`session-exit: ${text.trimEnd()}\n`);
  return outcome.exitCode;
};

function exitText({ verdict, sessionId, name, words, transcript, resume, path }: LeaveOutcome): string {
  const who = name === undefined ? sessionId : `${sessionId} (${safeText(name, 60)})`;
  if (verdict !== 'left') return `${who}: ${words}`;
  const { beforeBytes: before, afterBytes: after } = transcript;
  const size =
    before === undefined || after === undefined
      ? 'transcript not found'
      : `transcript ${before} → ${after} bytes (${formatBytes(after)})`;
  const how = path === 'stop' ? 'claude stop' : '/exit in its pane';
  return `${who}: left by ${how}\n  ${size}\n  resume: ${resume}\n`;
}
