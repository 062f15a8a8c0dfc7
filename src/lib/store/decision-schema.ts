import { type Check, count, fields, list, object, text, time, word } from './checks.ts';

/** One of the answers to a decision. */
export interface DecisionOption {
  id: string;
  label: string;
  /** What executing it will do, in words. */
  does: string;
  /** The word by which the executor knows it: `revive-once-more`, `tell-driver`, `record`. */
  action: string;
}

/** A row of the ledger: something a person is asked, what was answered, and what came of it. */
export interface Decision {
  id: string;
  kind: string;
  /** What it is about; of one key there is at most one row that is not over. */
  key: string;
  title: string;
  task?: string;
  evidence: string[];
  options: DecisionOption[];
  raisedAt: string;
  raisedBy: string;
  /** How often it was raised again while it was open. */
  raisedAgain?: number;
  lastRaisedAt?: string;
  /** What things were when it was raised; the executor compares. */
  subject?: Record<string, unknown>;
  /** Whom a message about it reached, in words. */
  reached?: string;
  answer?: { option: string; at: string; by: string; note?: string };
  execution?: { startedAt: string; endedAt?: string; verdict?: 'done' | 'moved-on' | 'failed'; words?: string };
  /** Withdrawn: what it asked about ended by itself. */
  closed?: { at: string; reason: string };
}

/** Ids become file names, and people type them. */
const DECISION_ID = /^d[0-9a-f]{8}$/;
const OPTION_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$/;

/** True for a word that a decision may have as its id. */
export function isDecisionId(id: string): boolean {
  return DECISION_ID.test(id);
}

/** True for a word that an option may have as its id. */
export function isOptionId(id: string): boolean {
  return OPTION_ID.test(id);
}

const option = fields({ id: word(OPTION_ID, 'no id of an option'), label: text, does: text, action: text });

/** The file of a decision. Fields that are not here are kept, and not looked at. */
const decision: Check = fields(
  {
    id: word(DECISION_ID, 'no id of a decision'),
    kind: text,
    key: text,
    title: text,
    evidence: list(text),
    options: list(option, 1),
    raisedAt: time,
    raisedBy: text,
  },
  {
    task: text,
    raisedAgain: count,
    lastRaisedAt: time,
    subject: object,
    reached: text,
    answer: fields({ option: text, at: time, by: text }, { note: text }),
    execution: fields(
      { startedAt: time },
      { endedAt: time, verdict: word(/^(done|moved-on|failed)$/, 'not done, moved-on or failed'), words: text },
    ),
    closed: fields({ at: time, reason: text }),
  },
);

export type ParsedDecision = { ok: true; decision: Decision } | { ok: false; field: string; problem: string };

/** The decision in the document of the file `<id>.json`, or the first field that is wrong. */
export function parseDecision(value: unknown, id: string): ParsedDecision {
  const bad = (field: string, problem: string): ParsedDecision => ({ ok: false, field: field || '(top)', problem });
  const problem = object(value);
  if (problem !== undefined) return bad('', 'not a JSON object');
  // Null means absent in files that people edit by hand.
  const document = Object.fromEntries(Object.entries(value as object).filter(([, one]) => one !== null));
  const found = decision(document);
  if (found !== undefined) return bad(found.field, found.problem);
  const made = document as unknown as Decision;
  if (made.id !== id) return bad('id', `it is not ${id}, as its file says`);
  const ids = made.options.map((one) => one.id);
  if (new Set(ids).size < ids.length) return bad('options', 'two of them have one id');
  if (made.answer !== undefined && !ids.includes(made.answer.option))
    return bad('answer.option', 'it is none of the options');
  if (made.execution !== undefined && made.answer === undefined) return bad('execution', 'there is no answer');
  return { ok: true, decision: made };
}
