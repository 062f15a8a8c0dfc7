import { stateOf } from '../decide/decision-state.ts';
import type { Decision } from '../store/decision-schema.ts';
import { agoWords, byWords, chosenOption, raisedWords, verdictWords, willDo } from '../words/decision-words.ts';
import { escapeHtml } from '../words/escape-html.ts';
import { safeLines } from '../words/safe-lines.ts';
import { safeText } from '../words/safe-text.ts';

/** What was typed into a form that could not be taken. */
export interface Draft {
  id: string;
  note: string;
}

/** Text from outside on one line of the page. */
export function inline(text: string, max = 300): string {
  return escapeHtml(safeText(text, max));
}

/** A decision to be answered: evidence, a note, and a button for each option with what it does. */
export function openCard(decision: Decision, now: number, draft: Draft | undefined): string {
  const { id, title, evidence, options } = decision;
  const buttons = options.map(
    (option, at) =>
      `<li><button name="option" value="${inline(option.id)}" aria-describedby="${id}-${at}">${inline(option.label)}</button>` +
      `<span class="soft" id="${id}-${at}">${inline(option.does, 500)}</span></li>`,
  );
  const note = draft?.id === id ? escapeHtml(draft.note) : '';
  return `<article class="card" id="${id}" aria-labelledby="${id}-title">
<h3 id="${id}-title">${inline(title)}</h3>
<p class="soft">${factsOf(decision, now)}</p>
${evidenceList(evidence)}<form method="post" action="answer">
<input type="hidden" name="decision" value="${id}">
<label class="soft" for="${id}-note">Note, if there is more to say</label>
<textarea id="${id}-note" name="note" rows="1" maxlength="4000" autocomplete="off">${note}</textarea>
<ul class="options">${buttons.join('')}</ul>
</form>
</article>`;
}

/** A decision that somebody has answered, or that was withdrawn. */
export function settledRow(decision: Decision, now: number): string {
  const { id, title, answer, execution, closed } = decision;
  const chosen = chosenOption(decision);
  const lines: string[] = [];
  if (chosen !== undefined && answer !== undefined)
    lines.push(`<b>${inline(chosen.label)}</b>, by ${inline(byWords(answer.by), 100)} ${ago(answer.at, now)}`);
  if (answer?.note !== undefined) lines.push(`“${inline(answer.note, 600)}”`);
  switch (stateOf(decision)) {
    case 'answered':
      if (chosen !== undefined) lines.push(inline(willDo(chosen), 600));
      break;
    case 'executing':
      lines.push(`execution began ${ago(execution?.startedAt, now)}`);
      break;
    case 'executed':
      lines.push(`${inline(verdictWords(execution), 600)} (${ago(execution?.endedAt, now)})`);
      break;
    case 'closed':
      lines.push(`withdrawn ${ago(closed?.at, now)}: ${inline(closed?.reason ?? '', 500)}`);
      break;
  }
  const facts = lines.map((line) => `<p class="soft">${line}</p>`);
  return `<li id="${id}"><p>${inline(title)}</p><p class="soft">${placeOf(decision)}</p>${facts.join('')}</li>`;
}

function factsOf(decision: Decision, now: number): string {
  const { raisedAt, reached } = decision;
  const facts = [placeOf(decision), timed(`raised ${inline(raisedWords(decision, now))}`, raisedAt)];
  if (reached !== undefined) facts.push(inline(reached));
  return facts.join(' · ');
}

function placeOf({ id, task }: Decision): string {
  return task === undefined ? id : `task <b>${inline(task)}</b> · ${id}`;
}

function evidenceList(evidence: readonly string[]): string {
  if (evidence.length === 0) return '';
  const items = evidence.map((one) => {
    const lines = safeLines(one);
    const text = escapeHtml(lines.join('\n'));
    return `<li>${lines.length > 1 ? `<pre>${text}</pre>` : text}</li>`;
  });
  return `<ul class="evidence" aria-label="Evidence">${items.join('')}</ul>\n`;
}

/** How long ago. */
function ago(at: string | undefined, now: number): string {
  return at === undefined ? 'just now' : timed(agoWords(at, now), at);
}

/** Words about a moment, with the moment itself for who wants it exactly. */
function timed(words: string, at: string): string {
  const moment = escapeHtml(at);
  return `<time datetime="${moment}" title="${moment}">${words}</time>`;
}
