import { callerName } from '../lib/cli/caller-name.ts';
import { type Handler, print } from '../lib/cli/output.ts';
import { taskNamed } from '../lib/cli/task-argument.ts';
import { EXIT, FleetError } from '../lib/errors.ts';
import { type DecisionOption, raiseDecision, stateOf } from '../lib/store/decisions.ts';
import { safeText } from '../lib/words/safe-text.ts';

/** `decision-ledger raise`. */
export const raise: Handler = async ({ env, places }, invocation, output) => {
  const { title, option, task, evidence, key } = invocation.options;
  if (typeof title !== 'string') throw new FleetError(EXIT.usage, 'say what is asked: --title', { field: '--title' });
  if (!Array.isArray(option))
    throw new FleetError(EXIT.usage, 'say what can be answered: --option ID=LABEL, for each', { field: '--option' });
  const about = typeof task === 'string' ? taskNamed(places.tasksDir, task).name : undefined;
  const by = callerName(env, invocation.options);
  const { decision, raised } = await raiseDecision(places, {
    kind: 'question',
    key: typeof key === 'string' ? key : `question:${about ?? ''}:${title}`.slice(0, 500),
    title,
    task: about,
    evidence: Array.isArray(evidence) ? evidence : [],
    options: option.map((word: string) => optionOf(word, about)),
    raisedBy: by,
  });
  const state = stateOf(decision);
  print(
    output,
    invocation,
    { schema: 'session-fleet.decision-ledger.raise.v1', id: decision.id, raised, state, key: decision.key },
    invocation.quiet ? '' : decision.id,
  );
  if (!raised && !invocation.quiet && !invocation.json)
    output.err(`decision-ledger: ${decision.id} was raised before and is ${state}; there is no second one\n`);
  return EXIT.done;
};

function optionOf(word: string, task: string | undefined): DecisionOption {
  const [, id, label] = /^([^=]*)=([\s\S]*\S[\s\S]*)$/.exec(word) ?? [];
  if (id === undefined || label === undefined)
    throw new FleetError(EXIT.usage, `--option ${safeText(word, 60)} is not ID=LABEL`, { field: '--option' });
  return task === undefined
    ? { id, label, does: 'it is recorded, for whoever asked', action: 'record' }
    : { id, label, does: `tells the Driver of ${task} this answer`, action: 'tell-driver' };
}
