import { EXIT, FleetError } from '../errors.ts';
import { clip } from '../words/clip.ts';
import { type Decision, type DecisionOption, isOptionId } from './decision-schema.ts';

/** What a row is made of. Long texts are cut: an alarm is not lost for its length. */
export interface NewDecision {
  kind: string;
  /** What it is about; a row of this key that is not over is not raised a second time. */
  key: string;
  title: string;
  task?: string | undefined;
  evidence: readonly string[];
  options: readonly DecisionOption[];
  raisedBy: string;
  subject?: Record<string, unknown> | undefined;
}

const KEY_LIMIT = 500;
const TITLE_LIMIT = 300;
const EVIDENCE_LIMIT = { items: 40, characters: 4000 } as const;

/** The row that is raised at a moment (ISO 8601). */
export function newDecision(id: string, input: NewDecision, raisedAt: string): Decision {
  const { kind, key, title, task, evidence, options, raisedBy, subject } = input;
  return {
    id,
    kind,
    key,
    title: clip(title, TITLE_LIMIT),
    ...(task === undefined ? {} : { task }),
    evidence: fitEvidence(evidence),
    options: options.map((one) => ({ ...one, label: clip(one.label, 200), does: clip(one.does, 500) })),
    raisedAt,
    raisedBy: clip(raisedBy, 100),
    ...(subject === undefined ? {} : { subject }),
  };
}

/** Evidence within what a row holds. */
export function fitEvidence(evidence: readonly string[]): string[] {
  const { items, characters } = EVIDENCE_LIMIT;
  return evidence.slice(0, items).map((one) => clip(one, characters));
}

/** Throws FleetError 64 for a row that nobody could answer or find again. */
export function refuseUnanswerable({ key, title, options }: NewDecision): void {
  const refuse = (field: string, words: string) => {
    throw new FleetError(EXIT.usage, words, { field });
  };
  if (title.trim() === '') refuse('title', 'a decision needs a title');
  if (key === '' || key.length > KEY_LIMIT) refuse('key', `a key has 1 to ${KEY_LIMIT} characters`);
  if (options.length === 0) refuse('options', 'a decision needs an option to choose');
  for (const { id } of options)
    if (!isOptionId(id)) refuse('options', `${JSON.stringify(clip(id, 60))} can be no option’s id`);
  if (new Set(options.map(({ id }) => id)).size < options.length) refuse('options', 'two options have one id');
}
