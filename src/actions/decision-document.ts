import { stateOf } from '../lib/decide/decision-state.ts';
import type { Decision } from '../lib/store/decision-schema.ts';
import { chosenOption, raisedWords, standingLine, willDo } from '../lib/words/decision-words.ts';
import { safeLines } from '../lib/words/safe-lines.ts';
import { safeText } from '../lib/words/safe-text.ts';
import { table } from '../lib/words/table.ts';

export type DecisionDocument = ReturnType<typeof decisionDocument>;

/** A decision as the documents of `list` and `show` have it. */
export function decisionDocument(decision: Decision) {
  const { answer, execution } = decision;
  return {
    id: decision.id,
    state: stateOf(decision),
    kind: decision.kind,
    key: decision.key,
    title: decision.title,
    task: decision.task ?? null,
    evidence: decision.evidence,
    options: decision.options.map(({ id, label, does, action }) => ({ id, label, does, action })),
    raisedAt: decision.raisedAt,
    raisedBy: decision.raisedBy,
    raisedAgain: decision.raisedAgain ?? 0,
    lastRaisedAt: decision.lastRaisedAt ?? null,
    subject: decision.subject ?? null,
    reached: decision.reached ?? null,
    answer:
      answer === undefined ? null : { option: answer.option, at: answer.at, by: answer.by, note: answer.note ?? null },
    execution:
      execution === undefined
        ? null
        : {
            startedAt: execution.startedAt,
            endedAt: execution.endedAt ?? null,
            verdict: execution.verdict ?? null,
            words: execution.words ?? null,
          },
    closed: decision.closed === undefined ? null : { at: decision.closed.at, reason: decision.closed.reason },
  };
}

/** A decision for people. `now` in ms since 1970. */
export function decisionText(decision: Decision, now: number): string {
  const { id, title, task, reached, answer } = decision;
  const state = stateOf(decision);
  const chosen = chosenOption(decision);
  const facts: string[][] = [
    ...(task === undefined ? [] : [['task', safeText(task, 200)]]),
    ['raised', safeText(raisedWords(decision, now))],
    ...(reached === undefined ? [] : [['reached', safeText(reached, 300)]]),
    ...(state === 'open' ? [] : [['standing', safeText(standingLine(decision, now), 600)]]),
    ...(answer?.note === undefined ? [] : safeLines(answer.note).map((line, at) => [at === 0 ? 'note' : '', line])),
    ...(state === 'answered' && chosen !== undefined ? [['next', safeText(willDo(chosen), 600)]] : []),
  ];
  const evidence = decision.evidence.flatMap((one) =>
    safeLines(one).map((line, at) => `  ${at === 0 ? '-' : ' '} ${line}`),
  );
  return [
    `${id}: ${state}: ${safeText(title, 300)}`,
    ...table(facts).map((line) => `  ${line}`),
    ...(evidence.length === 0 ? [] : ['evidence', ...evidence]),
    'options',
    ...optionLines(decision),
    ...(state === 'open' ? [`answer with: decision-ledger answer ${id} OPTION`] : []),
  ].join('\n');
}

function optionLines({ options, answer }: Decision): string[] {
  return table(
    options.flatMap(({ id, label, does }) => [
      [`  ${id === answer?.option ? '*' : ' '} ${safeText(id, 40)}`, safeText(label, 200)],
      ['', safeText(does, 500)],
    ]),
  );
}
