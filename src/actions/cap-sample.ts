import { type Census, takeCensus } from '../lib/act/census.ts';
import { type Handler, print } from '../lib/cli/output.ts';
import { EXIT } from '../lib/errors.ts';
import { silenceOf } from '../lib/observe/silence.ts';
import { appendSample, removeSamplesBefore, type Sample } from '../lib/store/samples.ts';

const KEEP_MS = 90 * 86_400_000;

/** `session-cap sample`. */
export const sample: Handler = async (context, invocation, output) => {
  const census = await takeCensus(context);
  const taken = sampleOf(census, context.places.claudeDir);
  appendSample(context.places, taken);
  const { keep } = invocation.options;
  removeSamplesBefore(context.places, Date.now() - (typeof keep === 'number' ? keep : KEEP_MS));
  const text = `${taken.live ?? '?'} live, ${taken.reserved} reserved${taken.why === undefined ? '' : `; ${taken.why}`}`;
  print(output, invocation, { schema: 'session-fleet.session-cap.sample.v1', ...taken }, invocation.quiet ? '' : text);
  return taken.why === undefined ? EXIT.done : EXIT.unreadable;
};

/** The sample of a census. */
export function sampleOf({ fleet, sorted, ceiling }: Census, claudeDir: string): Sample {
  const { roster, processes, memory, joined, at } = fleet;
  const why = [roster.rows, processes, memory].flatMap((part) => (part.ok ? [] : [part.why]));
  return {
    at: new Date(at).toISOString(),
    live: joined === undefined ? null : joined.sessions.filter(({ listed }) => listed).length,
    unlisted: joined === undefined ? null : joined.sessions.filter(({ listed }) => !listed).length,
    reserved: sorted.pending.length,
    ceiling: ceiling ?? null,
    totalBytes: memory.ok ? memory.value.totalBytes : null,
    availableBytes: memory.ok ? memory.value.availableBytes : null,
    helpersRssBytes: joined === undefined ? null : joined.helpers.reduce((sum, one) => sum + one.rssBytes, 0),
    sessions: (joined?.sessions ?? []).map((session) => {
      const silence = silenceOf(session, claudeDir, at, { glance: true });
      return {
        id: session.sessionId ?? `pid-${session.pid}`,
        kind: session.kind,
        status: session.status ?? null,
        rssBytes: session.rssBytes,
        idleMs: silence.ok ? Math.round(silence.idleMs) : null,
      };
    }),
    ...(why.length === 0 ? {} : { why: why.join('; ') }),
  };
}
