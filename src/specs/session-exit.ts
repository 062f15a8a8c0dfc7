import { ENVIRONMENT } from '../lib/cli/environment.ts';
import type { CommandSpec } from '../lib/cli/spec.ts';

/** session-exit: how a session leaves. */
export const spec: CommandSpec = {
  name: 'session-exit',
  summary: 'ask one Claude Code session to leave by its own door',
  description: [
    'Ends one session through its own exit path: `claude stop` for a background session, `/exit` typed into its own tmux',
    'pane for an interactive one. Never a signal. Its transcript is flushed, its hooks run, it can be resumed.',
  ],
  actions: [
    {
      name: '',
      summary: 'ask one session to leave',
      description: [
        'Asks one session to leave through its own exit path and waits until it has. Nothing is done unless every guard',
        'says yes: one live process has this id; the roster says idle; its pane is known, in no mode and without a client',
        '(background: nobody attached); its input box is empty. All are read again right before the act, and no option',
        'overrides one: a key typed at a dialog would answer it.',
      ],
      args: [
        { name: 'SESSION', summary: 'full session id, or the short id of a background session', completes: 'session' },
      ],
      options: [
        {
          long: 'wait',
          type: 'duration',
          value: 'DURATION',
          summary: 'how long to wait for it to be gone (default 60s, config exit.wait)',
        },
        { long: 'dry-run', type: 'flag', summary: 'only the verdict: would it be asked now' },
      ],
      exits: {
        0: 'it left (with --dry-run: it would be asked)',
        64: 'usage',
        66: 'no live session has this id',
        69: 'roster, processes or tmux could not be read; nothing was done',
        75: 'asked, still running; or another session-exit is at it',
        77: 'a guard refused; nothing was done',
        78: 'the config file is wrong',
      },
      examples: [
        { line: 'session-exit 7b6a75ce-4d13-4fd3-9f0a-03291e1657ff', about: 'ask it, wait a minute at most' },
        { line: 'session-exit a45baa2f --dry-run --json', about: 'would it be asked, and what does each guard say' },
      ],
      schema: 'session-fleet.session-exit.v1',
    },
  ],
  files: [
    {
      path: '$FLEET_HOME/fleet/exits.jsonl',
      about: 'what was asked of whom and what came of it, a JSON line before and one after each act',
    },
  ],
  environment: ENVIRONMENT,
  seeAlso: ['session-cap(1)', 'claude(1)', 'tmux(1)'],
};
