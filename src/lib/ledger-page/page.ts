import { isOver, stateOf } from '../decide/decision-state.ts';
import type { DecisionListing } from '../store/decision-listing.ts';
import type { Decision } from '../store/decision-schema.ts';
import { type Draft, inline, openCard, settledRow } from './parts.ts';
import { STYLE } from './style.ts';

export interface PageFacts extends DecisionListing {
  /** ms since 1970. */
  now: number;
  host: string;
  /** Who answers by this page. */
  by: string;
  /** Lets the browser take the page's own style and no other. */
  nonce: string;
  banner?: { good: boolean; head: string; words: string } | undefined;
  draft?: Draft | undefined;
}

const RECENT = 10;
const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect width='16' height='16' rx='4' fill='%231f5cab'/%3E%3Cpath d='M4 8.5l2.7 2.7L12 5.5' fill='none' stroke='white' stroke-width='2'/%3E%3C/svg%3E";

/** The page of decisions: those to be answered, those that wait to be executed, the latest that are over. No script. */
export function decisionPage(facts: PageFacts): string {
  const { decisions, bad, now, host, by, nonce, banner, draft } = facts;
  const open = decisions.filter((one) => stateOf(one) === 'open');
  const waiting = decisions.filter((one) => !isOver(one) && stateOf(one) !== 'open');
  const over = decisions.filter(isOver).sort((left, right) => endedAt(right) - endedAt(left));
  const count = open.length === 1 ? '1 decision waits' : `${open.length || 'no'} decisions wait`;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${open.length > 0 ? `(${open.length}) ` : ''}Decisions on ${inline(host, 60)}</title><link rel="icon" href="${ICON}"><style nonce="${nonce}">${STYLE}</style></head><body>
<header class="top"><h1>Decisions</h1><p class="soft">${count} on <b>${inline(host, 60)}</b> · you answer as <b>${inline(by, 100)}</b> · <a href="./">look again</a></p></header>
<main>
${banner === undefined ? '' : `<p class="banner${banner.good ? '' : ' bad'}" role="${banner.good ? 'status' : 'alert'}"><b>${inline(banner.head)}</b> ${inline(banner.words, 900)}</p>\n`}${badFiles(bad)}${open.length === 0 ? '<p class="card none">Nothing waits for you.</p>' : open.map((one) => openCard(one, now, draft)).join('\n')}
${section('waiting', 'Answered, not executed yet', waiting, now)}${section('recent', 'Recent', over.slice(0, RECENT), now)}</main>
</body></html>
`;
}

function section(id: string, title: string, decisions: readonly Decision[], now: number): string {
  if (decisions.length === 0) return '';
  const rows = decisions.map((one) => settledRow(one, now)).join('\n');
  return `<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2><ul class="rows">${rows}</ul></section>\n`;
}

function badFiles(bad: DecisionListing['bad']): string {
  if (bad.length === 0) return '';
  const lines = bad.map(
    ({ file, field, problem }) => `<br><span class="soft">${inline(file)}: ${inline(field)}: ${inline(problem)}</span>`,
  );
  const head =
    bad.length === 1
      ? '<b>A file can’t be read.</b> What it asks'
      : `<b>${bad.length} files can’t be read.</b> What they ask`;
  return `<p class="banner bad">${head} is not shown here.${lines.join('')}</p>\n`;
}

function endedAt({ closed, execution }: Decision): number {
  return Date.parse(closed?.at ?? execution?.endedAt ?? '') || 0;
}
