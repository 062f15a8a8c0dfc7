import { ENVIRONMENT } from '../lib/cli/environment.ts';
import type { ActionSpec, CommandSpec, OptionSpec } from '../lib/cli/spec.ts';

const EXITS = {
  0: 'done',
  64: 'usage',
  65: 'the decision’s file is wrong; file and field are named',
  66: 'no such decision',
  78: 'the config file is wrong',
} as const;

const BY: OptionSpec = {
  long: 'by',
  type: 'text',
  value: 'NAME',
  summary: 'who does it (default: this session inside Claude Code, else the user)',
};

const actions: readonly ActionSpec[] = [
  {
    name: 'list',
    summary: 'list what waits for a person, and what is being done about it',
    description: [
      'Lists the decisions that are not over: open ones first, each oldest first, with the options that can be answered. A',
      'bad file is named with file and field, and stops no other.',
    ],
    args: [],
    options: [{ long: 'all', type: 'flag', summary: 'those that are executed or withdrawn too' }],
    exits: {
      0: EXITS[0],
      64: EXITS[64],
      65: 'some files are wrong; the others are listed',
      69: 'the ledger can’t be read',
      78: EXITS[78],
    },
    examples: [{ line: 'decision-ledger list', about: 'what am I asked' }],
    schema: 'session-fleet.decision-ledger.list.v1',
  },
  {
    name: 'show',
    summary: 'show a decision: evidence, options, answer and what came of it',
    description: ['Shows one decision. Who raised one reads its answer here.'],
    args: [{ name: 'ID', summary: 'the decision', completes: 'decision' }],
    options: [],
    exits: EXITS,
    examples: [
      { line: 'decision-ledger show d3f2a9c01', about: 'why am I asked, and what would each option do' },
      { line: 'decision-ledger show d3f2a9c01 --json', about: 'for who asked: state, answer.option, answer.note' },
    ],
    schema: 'session-fleet.decision-ledger.show.v1',
  },
  {
    name: 'answer',
    summary: 'answer a decision',
    description: [
      'Gives a decision its one answer. The Supervisor executes it at its next sweep, once, and not when what it was about has',
      'moved on meanwhile. Says what it will do.',
    ],
    args: [
      { name: 'ID', summary: 'the decision', completes: 'open-decision' },
      { name: 'OPTION', summary: 'one of its options', completes: 'decision-option' },
    ],
    options: [
      { long: 'note', type: 'text', value: 'TEXT', summary: 'what else is to be said; goes with the answer' },
      BY,
    ],
    exits: {
      ...EXITS,
      64: 'usage; no such option, those there are are named',
      73: 'it is answered already',
      75: 'it is locked, try later',
      77: 'it is withdrawn, or its answer is being executed',
    },
    examples: [
      { line: 'decision-ledger answer d3f2a9c01 revive-once-more', about: 'do that' },
      { line: 'decision-ledger answer d3f2a9c01 leave-parked --note "wait for the bank"', about: 'do that, and why' },
    ],
    schema: 'session-fleet.decision-ledger.answer.v1',
  },
  {
    name: 'raise',
    summary: 'ask a person',
    description: [
      'Raises a decision and prints its id. With --task, its answer is sent to that task’s Driver as a message; without, it is',
      'recorded, and who raised it reads it with show. Raised again while it is not over it stays one: its id is printed',
      'and the evidence is replaced.',
    ],
    args: [],
    options: [
      { long: 'title', type: 'text', value: 'TEXT', summary: 'what is asked, in a line' },
      {
        long: 'option',
        type: 'text',
        value: 'ID=LABEL',
        summary: 'an answer that can be chosen, and what it says',
        several: true,
      },
      {
        long: 'task',
        type: 'text',
        value: 'TASK',
        summary: 'the task whose Driver is told the answer',
        completes: 'task',
      },
      {
        long: 'evidence',
        type: 'text',
        value: 'TEXT',
        summary: 'what a person should know to answer',
        several: true,
      },
      {
        long: 'key',
        type: 'text',
        value: 'KEY',
        summary: 'what it is about; of one key there is one that is not over (default: task and title)',
      },
      BY,
    ],
    exits: {
      0: 'raised, or raised before and not over',
      64: 'usage',
      65: 'the task’s file is wrong; file and field are named',
      66: 'no such task',
      75: 'the ledger is locked, try later',
      78: EXITS[78],
    },
    examples: [
      {
        line: 'decision-ledger raise --task payments --title "Which bank first?" --option nord="Nordbank" --option sued="Südbank" --evidence "both offer a test account"',
        about: 'the Driver of payments gets the answer as a message',
      },
    ],
    schema: 'session-fleet.decision-ledger.raise.v1',
  },
  {
    name: 'serve',
    summary: 'a page to read and answer decisions in a browser',
    description: [
      'Serves one page on 127.0.0.1 and prints its address, until it is interrupted. The address holds a secret word, made anew',
      'each time: whoever has it can answer. From elsewhere, forward the port: ssh -L 8080:127.0.0.1:PORT, and open the',
      'address with 8080 in it.',
    ],
    args: [],
    options: [
      { long: 'port', type: 'count', value: 'N', summary: 'the port (default: any that is free)' },
      { ...BY, summary: 'who answers by this page (default: this session inside Claude Code, else the user)' },
    ],
    exits: { 64: 'usage', 73: 'the port can’t be had', 78: EXITS[78] },
    examples: [
      { line: 'decision-ledger serve', about: 'open what it prints' },
      { line: 'decision-ledger serve --port 7070 --by "night shift"', about: 'a port to forward, and who answers' },
    ],
    schema: 'session-fleet.decision-ledger.serve.v1',
  },
];

/** decision-ledger: what a person is asked, and the answers. */
export const spec: CommandSpec = {
  name: 'decision-ledger',
  summary: 'what the fleet asks a person, and the answers',
  description: [
    'Keeps the decisions that a person is asked for: each with evidence and with options that do something. An answer is',
    'executed by the Supervisor at its next sweep.',
  ],
  actions,
  files: [
    { path: '$FLEET_HOME/fleet/decisions/ID.json', about: 'a decision' },
    {
      path: '$FLEET_HOME/fleet/decisions/archive/MONTH/ID.json',
      about: 'one that has been over for 30 days, or is not among the latest 200 of those',
    },
  ],
  environment: ENVIRONMENT,
  seeAlso: ['task-file(1)', 'session-msg(1)'],
};
