import { callerName } from '../lib/cli/caller-name.ts';
import { type Handler, print } from '../lib/cli/output.ts';
import { EXIT } from '../lib/errors.ts';
import { answerDecision } from '../lib/store/decisions.ts';
import { chosenOption, willDo } from '../lib/words/decision-words.ts';
import { safeText } from '../lib/words/safe-text.ts';

/** `decision-ledger answer ID OPTION`. */
export const answer: Handler = async ({ env, places }, invocation, output) => {
  const [id = '', option = ''] = invocation.args;
  const { note } = invocation.options;
  const by = callerName(env, invocation.options);
  const decision = await answerDecision(places, id, { option, by, ...(typeof note === 'string' ? { note } : {}) });
  const chosen = chosenOption(decision);
  const words = chosen === undefined ? '' : willDo(chosen);
  const document = {
    schema: 'session-fleet.decision-ledger.answer.v1',
    id,
    option,
    label: chosen?.label ?? '',
    does: chosen?.does ?? '',
    action: chosen?.action ?? '',
    by: decision.answer?.by ?? by,
    at: decision.answer?.at ?? '',
    note: decision.answer?.note ?? null,
    words,
  };
  const text = `${id}: ${safeText(option, 40)}: ${safeText(words, 600)}`;
  print(output, invocation, document, invocation.quiet ? '' : text);
  return EXIT.done;
};
