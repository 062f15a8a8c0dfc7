import { appendCompacted, compact } from '../../../src/lib/store/compacted-log.ts';

// Appends an intent and a result for each of COUNT ids to a log that is compacted every few KB; a COUNT of 0 only compacts.
const [file = '', prefix = '', count = '0', compactBytes = '4000'] = process.argv.slice(2);
const log = {
  file,
  compactBytes: Number(compactBytes),
  settledMs: 86_400_000,
  openMs: 86_400_000,
  maxBytes: 64 << 20,
  settles: ({ verdict }: Record<string, unknown>) => verdict === 'delivered',
};
const runs = () => false;
for (let n = 0; n < Number(count); n++) {
  const id = `${prefix}-${n}`;
  await appendCompacted(log, { at: new Date().toISOString(), step: 'intent', id, text: 'x'.repeat(60) }, runs);
  if (n % 2 === 0)
    await appendCompacted(log, { at: new Date().toISOString(), step: 'result', id, verdict: 'delivered' }, runs);
}
if (count === '0') await compact(log, runs);
