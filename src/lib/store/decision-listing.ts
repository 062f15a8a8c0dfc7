import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { errnoOf } from '../errors.ts';
import { archiveFolder, archiveMonths } from './decision-archive.ts';
import { type BadDecision, decisionsDir, readDecisionFile } from './decision-files.ts';
import { type Decision, isDecisionId } from './decision-schema.ts';
import type { Places } from './places.ts';

export interface DecisionListing {
  /** Oldest first. */
  decisions: Decision[];
  bad: BadDecision[];
}

/**
 * The rows that are not archived: all that are not over, and the newest of those that are. A bad file is named with its
 * field and stops no other. Throws when the folder itself can't be read.
 */
export function readDecisions(places: Places): DecisionListing {
  return readFolder(decisionsDir(places));
}

/** The archived rows, which are all over; see readDecisions. */
export function readArchivedDecisions(places: Places): DecisionListing {
  const folder = decisionsDir(places);
  const months = archiveMonths(folder).map((month) => readFolder(archiveFolder(folder, month)));
  return {
    decisions: months.flatMap(({ decisions }) => decisions).sort(byAge),
    bad: months.flatMap(({ bad }) => bad),
  };
}

/** The older first. */
export function byAge(left: Decision, right: Decision): number {
  return Date.parse(left.raisedAt) - Date.parse(right.raisedAt) || (left.id < right.id ? -1 : 1);
}

function readFolder(folder: string): DecisionListing {
  const listing: DecisionListing = { decisions: [], bad: [] };
  for (const name of namesIn(folder)) {
    const id = name.slice(0, -'.json'.length);
    const file = join(folder, name);
    const read = isDecisionId(id)
      ? readDecisionFile(file, id)
      : { file, field: '(file)', problem: 'its name is no decision’s id' };
    // Gone since the listing: archived.
    if (read === undefined) continue;
    if ('problem' in read) listing.bad.push(read);
    else listing.decisions.push(read.decision);
  }
  listing.decisions.sort(byAge);
  return listing;
}

/** What is, or passes itself off as, a decision; locks and the archive do not. No folder has none. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith('.json') && !name.startsWith('.'));
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return [];
    throw error;
  }
}
