import { join } from 'node:path';
import { isOver } from '../decide/decision-state.ts';
import { EXIT, FleetError } from '../errors.ts';
import { clip } from '../words/clip.ts';
import { archivedFile, archiveOld, removeOldTemps } from './decision-archive.ts';
import {
  changeDecision,
  decisionFile,
  decisionsDir,
  loadDecision,
  readDecisionFile,
  writeDecision,
} from './decision-files.ts';
import { readDecisions } from './decision-listing.ts';
import type { Decision } from './decision-schema.ts';
import { withLock } from './lock.ts';
import { makeFolder } from './make-folder.ts';
import { fitEvidence, type NewDecision, newDecision, refuseUnanswerable } from './new-decision.ts';
import type { Places } from './places.ts';

export { type DecisionState, stateOf } from '../decide/decision-state.ts';
export type { BadDecision } from './decision-files.ts';
export { type DecisionListing, readArchivedDecisions, readDecisions } from './decision-listing.ts';
export type { Decision, DecisionOption } from './decision-schema.ts';
export type { NewDecision } from './new-decision.ts';

/** The longest note that an answer may carry, in characters. */
export const NOTE_LIMIT = 4000;

/** One row, archived or not. Throws FleetError 66 (no such decision) or 65 (file and field). */
export function readDecision(places: Places, id: string): Decision {
  return loadDecision(places, id).decision;
}

/**
 * Asks a person. While a row of the same key is not over there is no second one (`raised: false`); one that is still open
 * gets the new evidence. One caller at a time, so that many who see the same thing make one row. Throws FleetError 64 for a
 * row that could not be answered.
 */
export async function raiseDecision(
  places: Places,
  input: NewDecision,
): Promise<{ decision: Decision; raised: boolean }> {
  refuseUnanswerable(input);
  const folder = decisionsDir(places);
  makeFolder(folder, 0o700);
  return withLock(
    join(folder, 'ledger'),
    async () => {
      const { decisions } = readDecisions(places);
      for (const { id } of decisions.filter((one) => one.key === input.key && !isOver(one))) {
        const { decision } = await raiseAgain(places, id, input);
        // It may have ended since it was read.
        if (!isOver(decision)) return { decision, raised: false };
      }
      const decision = newDecision(freeId(places), input, new Date().toISOString());
      writeDecision(places, decision.id, decision);
      await archiveOld(folder, decisions.filter(isOver), Date.now());
      removeOldTemps(folder, Date.now());
      return { decision, raised: true };
    },
    { what: 'the decision ledger' },
  );
}

/**
 * Gives a row its one answer. Throws FleetError 66 no such decision, 64 no such option (names those there are) or too long a
 * note, 73 answered already, 77 withdrawn, or its execution has begun.
 */
export async function answerDecision(
  places: Places,
  id: string,
  { option, by, note }: { option: string; by: string; note?: string | undefined },
): Promise<Decision> {
  const said = note?.trim() ?? '';
  if (said.length > NOTE_LIMIT)
    throw new FleetError(EXIT.usage, `a note has at most ${NOTE_LIMIT} characters, this one ${said.length}`, {
      field: 'note',
    });
  const { decision } = await changeDecision(places, id, 'answer', (document, { options }) => {
    if (!options.some((one) => one.id === option)) {
      const there = options.map((one) => one.id).join(', ');
      throw new FleetError(EXIT.usage, `${id} has no option ${clip(option, 60)}; there are ${there}`, {
        field: 'OPTION',
      });
    }
    const at = new Date().toISOString();
    document.answer = { option, at, by: clip(by, 100), ...(said === '' ? {} : { note: said }) };
  });
  return decision;
}

/** Writes down whom a message about a row reached. */
export async function noteReached(places: Places, id: string, words: string): Promise<void> {
  await changeDecision(places, id, 'reach', (document) => {
    document.reached = clip(words, 500);
  });
}

/**
 * Writes down, before the act, that an answer is being executed. Once begun it stays so: a row that is found `executing`
 * was left by somebody who was killed, and who goes on must see what has been done. Throws FleetError 77 when there is
 * nothing to begin.
 */
export async function beginExecution(places: Places, id: string): Promise<Decision> {
  const { decision } = await changeDecision(places, id, 'begin', (document) => {
    document.execution = { startedAt: new Date().toISOString() };
  });
  return decision;
}

/** Writes down what came of it. The first end stays. Throws FleetError 77 when it was not begun. */
export async function endExecution(
  places: Places,
  id: string,
  { verdict, words }: { verdict: 'done' | 'moved-on' | 'failed'; words: string },
): Promise<void> {
  await changeDecision(places, id, 'end', (document, { execution }) => {
    document.execution = { ...execution, endedAt: new Date().toISOString(), verdict, words: clip(words, 2000) };
  });
}

/** Withdraws a row that nobody has answered, since what it asks about ended by itself. False when it was not open. */
export async function closeDecision(places: Places, id: string, reason: string): Promise<boolean> {
  const { changed } = await changeDecision(places, id, 'close', (document) => {
    document.closed = { at: new Date().toISOString(), reason: clip(reason, 500) };
  });
  return changed;
}

function raiseAgain(places: Places, id: string, { evidence }: NewDecision) {
  return changeDecision(places, id, 'raise', (document, { raisedAgain = 0 }) => {
    // Who has nothing new to say does not take away what was said.
    if (evidence.length > 0) document.evidence = fitEvidence(evidence);
    document.raisedAgain = raisedAgain + 1;
    document.lastRaisedAt = new Date().toISOString();
  });
}

function freeId(places: Places): string {
  for (;;) {
    const chance = Math.floor(Math.random() * 2 ** 32);
    const id = `d${chance.toString(16).padStart(8, '0')}`;
    const taken = readDecisionFile(decisionFile(places, id), id) ?? archivedFile(decisionsDir(places), id);
    if (taken === undefined) return id;
  }
}
