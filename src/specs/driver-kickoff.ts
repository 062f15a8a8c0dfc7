import { ENVIRONMENT } from '../lib/cli/environment.ts';
import type { CommandSpec } from '../lib/cli/spec.ts';
import { DRIVER_EXITS, DRIVER_FILES, DRY_RUN, WAIT } from './start-driver.ts';

/** driver-kickoff: a Driver for a task that exists. */
export const spec: CommandSpec = {
  name: 'driver-kickoff',
  summary: 'start a Claude Code session for a task that has none',
  description: ['Starts a Driver for an existing task, in the conversation of its last one or in a new one.'],
  actions: [
    {
      name: '',
      summary: 'start a Driver for a task',
      description: [
        'Starts a Driver for a task that exists and whose Driver is known to be dead, as start-driver does: a slot, the brief as',
        'the session’s own prompt, verified. Without --resume or --fresh it continues the last Driver’s conversation when its',
        'transcript is there, and begins a new one otherwise. The words that start-driver was given for claude are given',
        'again: a resume restores none of them. A resume that claude answers with another id has made a copy: it is let go.',
      ],
      args: [{ name: 'TASK', summary: 'the task', completes: 'task' }],
      options: [
        { long: 'resume', type: 'flag', summary: 'continue the last conversation, or fail' },
        { long: 'fresh', type: 'flag', summary: 'begin a new conversation' },
        {
          long: 'brief',
          type: 'file',
          value: 'FILE',
          summary: 'the prompt; - reads standard input (default: the task’s BRIEF.md)',
          completes: 'file',
        },
        {
          long: 'kind',
          type: 'text',
          value: 'KIND',
          summary: 'background or interactive (default: as before)',
          choices: ['background', 'interactive'],
        },
        DRY_RUN,
        WAIT,
      ],
      exits: DRIVER_EXITS,
      examples: [
        { line: 'driver-kickoff payments', about: 'its Driver died: go on where it was' },
        { line: 'driver-kickoff payments --dry-run', about: 'is it dead, and would its conversation be continued' },
        { line: 'driver-kickoff payments --fresh --brief state.md', about: 'begin anew' },
      ],
      schema: 'session-fleet.driver-kickoff.v1',
    },
  ],
  files: DRIVER_FILES,
  environment: ENVIRONMENT,
  seeAlso: ['start-driver(1)', 'session-cap(1)', 'session-exit(1)', 'claude(1)'],
};
