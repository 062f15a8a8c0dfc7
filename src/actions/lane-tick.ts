import { type LaneReport, tickLane } from '../lib/act/lane/tick.ts';
import { type Handler, type Output, print } from '../lib/cli/output.ts';
import type { Invocation } from '../lib/cli/spec.ts';
import { EXIT } from '../lib/errors.ts';
import { observeAfresh } from '../lib/observe/fleet.ts';
import { FleetIndex } from '../lib/observe/sweep/fleet-index.ts';
import { claimsOf } from '../lib/observe/sweep/task-look.ts';
import { logObserved, observes } from '../lib/observe-mode.ts';
import { type BadLane, readLanes } from '../lib/store/lanes.ts';
import { readTasks } from '../lib/store/task-files.ts';
import { formatDuration } from '../lib/words/duration.ts';
import { safeText } from '../lib/words/safe-text.ts';
import { table } from '../lib/words/table.ts';

/** `lane-nudge list`. */
export const laneList: Handler = async ({ places }, invocation, output) => {
  const { lanes, bad } = readLanes(places);
  const document = {
    schema: 'session-fleet.lane-nudge.list.v1',
    lanes: lanes.map(({ name, sid, everyMs, armedAt, last, text }) => ({
      lane: name,
      sid,
      everyMs,
      armedAt,
      lastAt: last?.at ?? null,
      lastVerdict: last?.verdict ?? null,
      text,
    })),
    bad,
  };
  const lines = lanes.map(({ name, sid, everyMs, last, text }) => [
    name,
    sid,
    `every ${formatDuration(everyMs)}`,
    last === undefined ? '-' : `${formatDuration(Date.now() - Date.parse(last.at))} ago`,
    safeText(text, 60),
  ]);
  print(output, invocation, document, table(lines).join('\n'));
  sayBad(bad, invocation, output);
  return bad.length > 0 ? EXIT.badData : EXIT.done;
};

/** `lane-nudge tick`. */
export const laneTick: Handler = async (context, invocation, output) => {
  const { lanes, bad } = readLanes(context.places);
  const observed = observes(context, 'lanes');
  const dryRun = invocation.options.dryRun === true || observed;
  const reports: LaneReport[] = [];
  let readable = true;
  // Without a lane there is nothing to look at the fleet for.
  if (lanes.length > 0) {
    const fleet = await observeAfresh(context, { withPanes: true });
    readable = fleet.roster.rows.ok && fleet.processes.ok;
    const index = new FleetIndex(fleet);
    const claims = claimsOf(readTasks(context.places.tasksDir).tasks);
    for (const lane of lanes) reports.push(await tickLane(context, index, claims, lane, { dryRun }));
  }
  for (const { lane, verdict, words } of observed ? reports : []) {
    if (['nudge', 'resend', 'expire'].includes(verdict.kind))
      logObserved(context, { rule: 'lanes', lane, kind: verdict.kind, words });
  }
  const document = {
    schema: 'session-fleet.lane-nudge.tick.v1',
    dryRun,
    readable,
    lanes: reports.map(({ lane, sid, verdict, result, words }) => ({
      lane,
      sid,
      verdict: verdict.kind,
      result: result ?? null,
      words,
    })),
    bad,
  };
  const shown = dryRun ? reports : reports.filter(({ result }) => result !== undefined);
  const text = shown.map(({ lane, verdict, words }) => `${lane}  ${verdict.kind}: ${safeText(words, 200)}`);
  print(output, invocation, document, invocation.quiet ? '' : text.join('\n'));
  sayBad(bad, invocation, output);
  if (reports.some(({ result }) => result === 'failed')) return EXIT.internal;
  if (!readable) return EXIT.unreadable;
  return bad.length > 0 ? EXIT.badData : EXIT.done;
};

function sayBad(bad: readonly BadLane[], { json }: Invocation, output: Output): void {
  if (json) return;
  for (const { file, field, problem } of bad)
    output.err(`lane-nudge: ${safeText(file, 300)}: ${field}: ${safeText(problem, 160)}\n`);
}
