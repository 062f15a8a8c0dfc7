import { refusalsFile } from '../lib/act/admit.ts';
import { type Handler, print } from '../lib/cli/output.ts';
import { EXIT } from '../lib/errors.ts';
import { readTail } from '../lib/store/json-lines.ts';
import { safeText } from '../lib/words/safe-text.ts';

const DAY_MS = 86_400_000;

/** `session-cap log`. */
export const log: Handler = async ({ places }, invocation, output) => {
  const { since, limit } = invocation.options;
  const from = Date.now() - (typeof since === 'number' ? since : 7 * DAY_MS);
  const tail = readTail(refusalsFile(places), 16 << 20);
  const refusals = tail.records
    .filter(({ at }) => typeof at === 'string' && Date.parse(at) >= from)
    .slice(-(typeof limit === 'number' ? Math.max(1, limit) : 50));
  const document = { schema: 'session-fleet.session-cap.log.v1', refusals, skippedLines: tail.skipped };
  const lines = refusals.map(({ at, for: whom, words }) => {
    const who = typeof whom === 'string' && whom !== '' ? ` ${safeText(whom, 40)}:` : '';
    return `${at}${who} ${safeText(String(words ?? ''), 160)}`;
  });
  print(output, invocation, document, lines.join('\n') || (invocation.quiet ? '' : 'no start was refused'));
  return EXIT.done;
};
