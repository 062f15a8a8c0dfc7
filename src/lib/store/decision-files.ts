import { join } from 'node:path';
import { type DecisionEvent, STEPS, standingWords, stateOf } from '../decide/decision-state.ts';
import { EXIT, FleetError, messageOf } from '../errors.ts';
import { safeText } from '../words/safe-text.ts';
import { writeAtomic } from './atomic-write.ts';
import { archivedFile } from './decision-archive.ts';
import { type Decision, isDecisionId, parseDecision } from './decision-schema.ts';
import { withLock } from './lock.ts';
import type { Places } from './places.ts';
import { readSmallFile } from './small-file.ts';

const MAX_BYTES = 1 << 20;

/** A file that is no decision, named with the field that is wrong. */
export interface BadDecision {
  file: string;
  field: string;
  problem: string;
}

/** A decision and the document it was read from, with what is not known. */
interface Loaded {
  decision: Decision;
  document: Record<string, unknown>;
}

/** The folder of the ledger: one file a decision. */
export function decisionsDir(places: Places): string {
  return join(places.ownDir, 'decisions');
}

/** Where a decision stands until it is archived. */
export function decisionFile(places: Places, id: string): string {
  return join(decisionsDir(places), `${id}.json`);
}

/** What is in `file`; undefined when there is none. */
export function readDecisionFile(file: string, id: string): Loaded | BadDecision | undefined {
  const bad = (field: string, problem: string): BadDecision => ({ file, field, problem });
  let text: string | undefined;
  try {
    text = readSmallFile(file, MAX_BYTES);
  } catch (error) {
    return bad('(file)', messageOf(error));
  }
  if (text === undefined) return undefined;
  let document: Record<string, unknown>;
  try {
    document = JSON.parse(text);
  } catch (error) {
    return bad('(file)', `not JSON: ${messageOf(error)}`);
  }
  const parsed = parseDecision(document, id);
  return parsed.ok ? { decision: parsed.decision, document } : bad(parsed.field, parsed.problem);
}

/** One decision, archived or not. Throws FleetError 66 (no such decision) or 65 (file and field). */
export function loadDecision(places: Places, id: string): Loaded {
  const found = isDecisionId(id) ? (readDecisionFile(decisionFile(places, id), id) ?? archived(places, id)) : undefined;
  if (found === undefined) throw new FleetError(EXIT.noSuch, `no such decision: ${safeText(id, 60)}`);
  if ('problem' in found) throw badDecision(found);
  return found;
}

/**
 * The only way a decision's file changes: under its lock it is read again, `event` is held against its state (see STEPS),
 * `change` edits the document, and the file is replaced at once. Fields that are not known stay as they are. Returns
 * the decision as it is now, and whether it changed. Throws FleetError 66 (no such decision), 65 (its file is bad) and
 * what STEPS refuses with; nothing is changed then.
 */
export async function changeDecision(
  places: Places,
  id: string,
  event: DecisionEvent,
  change: (document: Record<string, unknown>, decision: Decision) => void,
): Promise<{ decision: Decision; changed: boolean }> {
  loadDecision(places, id);
  const file = decisionFile(places, id);
  return withLock(
    file,
    () => {
      // One in the archive is over: no step changes it.
      const { decision, document } = loadDecision(places, id);
      const step = STEPS[stateOf(decision)][event];
      if (step === 'stay') return { decision, changed: false };
      if (step !== 'change') throw new FleetError(step, standingWords(decision));
      change(document, decision);
      const parsed = parseDecision(document, id);
      if (!parsed.ok) throw badDecision({ file, field: parsed.field, problem: parsed.problem });
      writeDecision(places, id, document);
      return { decision: parsed.decision, changed: true };
    },
    { what: `decision ${id}` },
  );
}

/** Replaces or makes the file of a decision. Throws FleetError 64 when it would be too large to be read again. */
export function writeDecision(places: Places, id: string, document: object): void {
  const text = `${JSON.stringify(document, null, 2)}\n`;
  if (Buffer.byteLength(text) > MAX_BYTES)
    throw new FleetError(EXIT.usage, `decision ${id} would have more than ${MAX_BYTES} bytes`);
  writeAtomic(decisionFile(places, id), text);
}

function archived(places: Places, id: string): Loaded | BadDecision | undefined {
  const file = archivedFile(decisionsDir(places), id);
  return file === undefined ? undefined : readDecisionFile(file, id);
}

function badDecision({ file, field, problem }: BadDecision): FleetError {
  return new FleetError(EXIT.badData, `${file}: ${field}: ${problem}`, { file, field });
}
