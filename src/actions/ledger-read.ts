import { type Handler, print } from '../lib/cli/output.ts';
import { isOver } from '../lib/decide/decision-state.ts';
import { EXIT, FleetError, messageOf } from '../lib/errors.ts';
import { byAge } from '../lib/store/decision-listing.ts';
import { type DecisionListing, readArchivedDecisions, readDecision, readDecisions } from '../lib/store/decisions.ts';
import type { Places } from '../lib/store/places.ts';
import { safeText } from '../lib/words/safe-text.ts';
import { decisionDocument, decisionText } from './decision-document.ts';
import { listed, listText } from './decision-list-text.ts';

/** `decision-ledger list`. */
export const list: Handler = async ({ places }, invocation, output) => {
  const all = invocation.options.all === true;
  const { decisions, bad } = readLedger(places, all);
  const rows = listed(all ? decisions : decisions.filter((one) => !isOver(one)));
  const document = {
    schema: 'session-fleet.decision-ledger.list.v1',
    decisions: rows.map(decisionDocument),
    bad: bad.map(({ file, field, problem }) => ({ file, field, problem })),
  };
  // Cut on a terminal only: a pipe may search the whole of a title.
  const text = invocation.json ? '' : listText(rows, Date.now(), process.stdout.columns ?? 1000);
  print(output, invocation, document, text || (invocation.quiet ? '' : 'no decisions wait'));
  for (const { file, field, problem } of bad)
    output.err(`decision-ledger: ${safeText(file, 300)}: ${field}: ${safeText(problem, 160)}\n`);
  return bad.length > 0 ? EXIT.badData : EXIT.done;
};

/** `decision-ledger show ID`. */
export const show: Handler = async ({ places }, invocation, output) => {
  const decision = readDecision(places, invocation.args[0] ?? '');
  const document = { schema: 'session-fleet.decision-ledger.show.v1', ...decisionDocument(decision) };
  print(output, invocation, document, invocation.json ? '' : decisionText(decision, Date.now()));
  return EXIT.done;
};

function readLedger(places: Places, archived: boolean): DecisionListing {
  try {
    const { decisions, bad } = readDecisions(places);
    if (!archived) return { decisions, bad };
    const old = readArchivedDecisions(places);
    // One that was archived between the two readings is in both.
    const ids = new Set(decisions.map(({ id }) => id));
    return {
      decisions: [...old.decisions.filter(({ id }) => !ids.has(id)), ...decisions].sort(byAge),
      bad: [...old.bad, ...bad],
    };
  } catch (error) {
    throw new FleetError(EXIT.unreadable, `the ledger can’t be read: ${messageOf(error)}`);
  }
}
