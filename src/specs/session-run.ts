import { ENVIRONMENT } from '../lib/cli/environment.ts';
import type { CommandSpec } from '../lib/cli/spec.ts';

/** session-run: a launcher that finalizes the claims of what it launched. */
export const spec: CommandSpec = {
  name: 'session-run',
  summary: 'run a command, and finalize the claims it has taken',
  description: [
    'Runs a command on this terminal, with a sidecar in which every claim that the command or its children acquire is named, and at the',
    'end finalizes what the sidecar names, whether or not this launcher claimed anything itself: a child can’t set its parent’s',
    'variables, but it can write into a file its parent knows.',
  ],
  actions: [
    {
      name: '',
      summary: 'run a command',
      description: [
        'Signals are passed on to the command, its streams and terminal kept, its exit code returned. While it runs its claims are renewed. Claims',
        'end by how it ended: see task-claim finalize. If this launcher is itself lost (a crash, the machine out of memory), the next task-claim reap does it.',
      ],
      args: [{ name: 'CMD', summary: 'the command and its words, behind --', variadic: true, completes: 'command' }],
      options: [
        {
          long: 'timeout',
          type: 'duration',
          value: 'DURATION',
          summary: 'ask the command to end after so long, as timeout(1) does; exit 124',
        },
        { long: 'category', type: 'text', value: 'WORD', summary: 'what kind of work it is; in the result file' },
        {
          long: 'preclaim',
          type: 'text',
          value: 'KEY',
          summary: 'acquire this key first; the command is not run without it',
        },
        {
          long: 'ttl',
          type: 'duration',
          value: 'DURATION',
          summary: 'how long the pre-claim lasts unrenewed (default 30m, config claims.ttl)',
        },
        {
          long: 'result',
          type: 'file',
          value: 'FILE',
          summary: 'write there how it ended, as JSON',
          completes: 'file',
        },
        {
          long: 'status-command',
          type: 'text',
          value: 'CMD',
          summary: 'a command of another tracker: given a task’s id, it prints the task’s state',
          completes: 'command',
        },
      ],
      exits: {
        0: 'the command’s own code is returned: 0',
        64: 'usage',
        65: 'the database is no intact one; the command was not run',
        69: 'the database can’t be reached; the command was not run',
        73: 'the run’s folder can’t be made; the command was not run',
        75: 'the pre-claim is held by somebody else; the command was not run',
        78: 'the config file is wrong',
      },
      examples: [
        {
          line: 'session-run --timeout 2h --result run.json -- claude -p "work the queue"',
          about: 'a session that claims its own tasks',
        },
        {
          line: 'session-run --preclaim cascade:task:42 -- ./work-on 42',
          about: 'claimed beforehand; exit 75 when somebody has it',
        },
      ],
    },
  ],
  files: [{ path: '$FLEET_HOME/fleet/claims/runs/', about: 'the run, until it is finalized' }],
  environment: [
    ...ENVIRONMENT,
    { name: 'SESSION_TASK_CLAIMS_FILE', about: 'set for the command: its sidecar' },
    { name: 'SESSION_RUN_PID', about: 'set for the command: this launcher, which holds its claims' },
  ],
  seeAlso: ['task-claim(1)', 'timeout(1)', 'env(1)'],
};
