import { ENVIRONMENT } from '../lib/cli/environment.ts';
import type { CommandSpec, OptionSpec } from '../lib/cli/spec.ts';

const KEY = { name: 'KEY', summary: 'what is claimed: `cascade:task:ID` for a task, or any printable word' } as const;
const GENERATION: OptionSpec = {
  long: 'generation',
  type: 'count',
  value: 'N',
  summary: 'the lease that acquire answered with; default: the one that this holder has',
};
const PID: OptionSpec = {
  long: 'pid',
  type: 'count',
  value: 'PID',
  summary: 'the process that holds it; default: SESSION_RUN_PID, the session’s own process, or the caller',
};
const STATUS: OptionSpec = {
  long: 'status-command',
  type: 'text',
  value: 'CMD',
  summary: 'a command of another tracker: given a task’s id, it prints the task’s state',
  completes: 'command',
};
const COMMON_EXITS = {
  64: 'usage',
  65: 'the database is no intact one; nothing was changed',
  69: 'the database can’t be reached',
  78: 'the config file is wrong',
} as const;

/** task-claim: leases on tasks, so that no two sessions write the same files. */
export const spec: CommandSpec = {
  name: 'task-claim',
  summary: 'take, renew and give back leases on tasks',
  description: [
    'A claim is a lease: one holder a key, for a time, with a generation that grows at each acquisition and is checked at every later',
    'write, so that a holder whose lease was taken over can end nobody else’s. Inside session-run each acquired claim is named in',
    'the run’s sidecar, and finalized at its end whatever happens. Claims are kept in SQLite, or in PostgreSQL for several hosts',
    '(claims.url).',
    'Time is told by the holder host’s own kernel clock, or by a lease seen unchanged for its whole ttl: neither a clock that is',
    'set nor a machine that sleeps ends one.',
  ],
  actions: [
    {
      name: 'acquire',
      summary: 'take a lease',
      description: [
        'One that this holder has already is renewed. In a run it is also named in SESSION_TASK_CLAIMS_FILE.',
      ],
      args: [KEY],
      options: [
        {
          long: 'ttl',
          type: 'duration',
          value: 'DURATION',
          summary: 'how long it lasts unrenewed (default 30m, config claims.ttl)',
        },
        { long: 'category', type: 'text', value: 'WORD', summary: 'a word to find it by' },
        PID,
      ],
      exits: {
        0: 'it is held',
        66: 'no such process (--pid)',
        73: 'the sidecar can’t be written; nothing is held',
        75: 'somebody else holds it',
        ...COMMON_EXITS,
      },
      examples: [{ line: 'task-claim acquire cascade:task:42 --ttl 1h', about: 'or exit 75, and who has it' }],
      schema: 'session-fleet.task-claim.acquire.v1',
    },
    {
      name: 'renew',
      summary: 'renew a lease',
      description: ['Its time begins anew. session-run renews what its sidecar names by itself.'],
      args: [KEY],
      options: [
        GENERATION,
        PID,
        { long: 'ttl', type: 'duration', value: 'DURATION', summary: 'another ttl from now on' },
      ],
      exits: { 0: 'renewed', 66: 'nobody holds it', 77: 'it is not this holder’s any more', ...COMMON_EXITS },
      examples: [{ line: 'task-claim renew cascade:task:42', about: 'still at it' }],
      schema: 'session-fleet.task-claim.change.v1',
    },
    {
      name: 'complete',
      summary: 'end a lease: the work is done',
      description: ['Writes a row into task_claim_finalizations.'],
      args: [KEY],
      options: [GENERATION, PID, { long: 'reason', type: 'text', value: 'TEXT', summary: 'a word or two for the row' }],
      exits: {
        0: 'completed, or it was before',
        66: 'nobody holds it',
        77: 'it is not this holder’s any more',
        ...COMMON_EXITS,
      },
      examples: [{ line: 'task-claim complete cascade:task:42', about: 'done' }],
      schema: 'session-fleet.task-claim.change.v1',
    },
    {
      name: 'abandon',
      summary: 'end a lease: somebody else may do the work',
      description: ['Writes a row into task_claim_finalizations.'],
      args: [KEY],
      options: [GENERATION, PID, { long: 'reason', type: 'text', value: 'TEXT', summary: 'why' }],
      exits: {
        0: 'abandoned, or it was before',
        66: 'nobody holds it',
        77: 'it is not this holder’s any more',
        ...COMMON_EXITS,
      },
      examples: [{ line: 'task-claim abandon cascade:task:42 --reason "needs a key I lack"', about: 'give it back' }],
      schema: 'session-fleet.task-claim.change.v1',
    },
    {
      name: 'finalize',
      summary: 'end what a sidecar names, by how the run ended',
      description: [
        'For a shell’s EXIT trap. Exit 124 abandons (timeout), any other than 0 too; 0 completes a claim whose task is ready_for_review',
        'or done, and abandons every other: a moved HEAD proves nothing. A lease that was ended before, or that somebody else has by now, is',
        'skipped and said.',
      ],
      args: [],
      options: [
        { long: 'exit-code', type: 'count', value: 'N', summary: 'how the run ended' },
        { long: 'sidecar', type: 'file', value: 'FILE', summary: 'the file that names its claims', completes: 'file' },
        STATUS,
      ],
      exits: { 0: 'all is finalized', ...COMMON_EXITS },
      examples: [
        {
          line: `trap 'task-claim finalize --quiet --exit-code $? --sidecar "$SESSION_TASK_CLAIMS_FILE"' EXIT`,
          about: 'in a script that set SESSION_TASK_CLAIMS_FILE=$(mktemp) and SESSION_RUN_PID=$$',
        },
      ],
      schema: 'session-fleet.task-claim.finalize.v1',
    },
    {
      name: 'list',
      summary: 'list the leases',
      description: ['Held ones, oldest first, and whether each still counts.'],
      args: [],
      options: [{ long: 'all', type: 'flag', summary: 'those that have ended too, with how' }],
      exits: { 0: 'done', ...COMMON_EXITS },
      examples: [{ line: 'task-claim list', about: 'who has what' }],
      schema: 'session-fleet.task-claim.list.v1',
    },
    {
      name: 'reap',
      summary: 'return what nobody will return any more',
      description: [
        'Finalizes the claims of runs whose launcher was lost, by their sidecar; then ends leases whose holder is gone, is of an earlier boot,',
        'or has not renewed for the ttl. A lost launcher whose command still runs keeps its claims.',
      ],
      args: [],
      options: [{ long: 'dry-run', type: 'flag', summary: 'say what would be done, and do nothing' }],
      exits: { 0: 'done', ...COMMON_EXITS },
      examples: [{ line: 'task-claim reap --quiet', about: 'from cron, every few minutes' }],
      schema: 'session-fleet.task-claim.reap.v1',
    },
  ],
  files: [
    { path: '$FLEET_HOME/fleet/claims.db', about: 'the claims (SQLite, WAL), unless claims.url says another place' },
    { path: '$FLEET_HOME/fleet/claims/runs/', about: 'runs of session-run that are not finalized yet' },
  ],
  environment: [
    ...ENVIRONMENT,
    { name: 'SESSION_TASK_CLAIMS_FILE', about: 'the sidecar in which acquired claims are named' },
    { name: 'SESSION_RUN_PID', about: 'the process that holds a session’s claims' },
  ],
  seeAlso: ['session-run(1)', 'task-file(1)'],
};
