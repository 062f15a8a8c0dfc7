import { ENVIRONMENT } from '../lib/cli/environment.ts';
import type { CommandSpec } from '../lib/cli/spec.ts';

const SESSION = {
  name: 'SESSION',
  summary: 'full session id, or the short id of a background session',
  completes: 'session',
} as const;

/** session-msg: text for a session, and what has not arrived. */
export const spec: CommandSpec = {
  name: 'session-msg',
  summary: 'send a message to a Claude Code session, and see what has not arrived',
  description: [
    'Sends text to a live session through its inbox socket, where nothing is typed, and tells from the session’s own',
    'transcript whether it arrived.',
  ],
  actions: [
    {
      name: 'send',
      summary: 'send a text to one session',
      description: [
        'Posts the text to the session’s inbox socket: an idle session takes it at once, a busy one after its turn or between two',
        'tool calls. The session sees it as the message of another session, which grants no permission and runs no command.',
        'Only when there is no socket is it typed, into the pane of an idle session, under every guard of session-exit.',
        'Delivered means seen in the transcript. The text is data: control characters are replaced, 64 KB is the limit. Its',
        'last line, [message ID], is how it is found again; sending it again with --id sends nothing if it is there.',
      ],
      args: [
        SESSION,
        { name: 'TEXT', summary: 'the text, or - for standard input', optional: true, completes: 'none' },
      ],
      options: [
        { long: 'file', type: 'file', value: 'FILE', summary: 'the text is in this file', completes: 'file' },
        { long: 'from', type: 'text', value: 'NAME', summary: 'who says it; stands in its last line' },
        {
          long: 'wait',
          type: 'duration',
          value: 'DURATION',
          summary: 'how long to look for it in the transcript (default 30s)',
        },
        {
          long: 'id',
          type: 'text',
          value: 'ID',
          summary: 'the id of an earlier message: send it again unless it has arrived; its text may be left out',
        },
        { long: 'socket-only', type: 'flag', summary: 'never type' },
        { long: 'dry-run', type: 'flag', summary: 'only the verdict: would it be sent now, and how' },
      ],
      exits: {
        0: 'delivered, or queued behind a turn (the verdict says which); with --dry-run: it would be sent',
        64: 'usage',
        65: 'the text is empty, too long, or no text; or the id is that of another message',
        66: 'no live session has this id; or no such file',
        69: 'roster, processes, tmux or transcript could not be read; nothing was sent',
        75: 'sent, and not seen in the transcript: held, refused or dropped by the session; or another sender is at it',
        77: 'a guard refused; nothing was sent',
        78: 'the config file is wrong',
      },
      examples: [
        {
          line: "session-msg send 7b6a75ce-4d13-4fd3-9f0a-03291e1657ff 'the build is green again'",
          about: 'send a line and wait until a turn has it',
        },
        { line: 'session-msg send a45baa2f --file report.md --from nightly', about: 'send a file’s text' },
        { line: 'session-msg send a45baa2f --id ID', about: 'send an unconfirmed message again' },
      ],
      schema: 'session-fleet.session-msg.send.v1',
    },
    {
      name: 'inbox',
      summary: 'list what has not arrived',
      description: [
        'Lists what waits for a session: messages in its queue, by its transcript, and messages of this toolkit that were',
        'not confirmed in the last 7 days. Reads only.',
      ],
      args: [SESSION],
      options: [],
      exits: {
        0: 'nothing waits',
        1: 'something waits',
        64: 'usage',
        66: 'no session has this id',
        69: 'roster, processes or transcript could not be read',
        78: 'the config file is wrong',
      },
      examples: [{ line: 'session-msg inbox a45baa2f', about: 'is its inbox drained' }],
      schema: 'session-fleet.session-msg.inbox.v1',
    },
  ],
  files: [
    {
      path: '$FLEET_HOME/fleet/mail.jsonl',
      about: 'what was sent to whom and what came of it, a JSON line before and one after each act',
    },
  ],
  environment: ENVIRONMENT,
  seeAlso: ['session-exit(1)', 'session-cap(1)', 'claude(1)', 'tmux(1)'],
};
