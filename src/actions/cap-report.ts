import { join, resolve } from 'node:path';
import { refusalsFile } from '../lib/act/admit.ts';
import { type Handler, print } from '../lib/cli/output.ts';
import { EXIT, FleetError, messageOf } from '../lib/errors.ts';
import { sparkline } from '../lib/report/series.ts';
import { type AwaitingTask, type LoggedEvent, type Summary, summarize } from '../lib/report/summary.ts';
import { writeAtomic } from '../lib/store/atomic-write.ts';
import { readRecords } from '../lib/store/compacted-log.ts';
import { exitsFile } from '../lib/store/exit-log.ts';
import { readTail } from '../lib/store/json-lines.ts';
import type { Places } from '../lib/store/places.ts';
import { readSamples } from '../lib/store/samples.ts';
import { readTasks } from '../lib/store/task-files.ts';
import { formatBytes } from '../lib/words/bytes.ts';
import { formatDuration } from '../lib/words/duration.ts';
import { safeText } from '../lib/words/safe-text.ts';

const LOG_BYTES = 16 << 20;

/** `session-cap report`. */
export const report: Handler = async ({ places }, invocation, output) => {
  const { since, html } = invocation.options;
  const now = Date.now();
  const wanted = now - (typeof since === 'number' ? since : 7 * 86_400_000);
  const sampled = readSamples(places, wanted);
  const first = sampled.samples[0];
  if (first === undefined)
    throw new FleetError(EXIT.finding, 'there are no samples in that time; run session-cap sample every five minutes');
  // A young fleet’s report begins with its first sample, not with an empty week.
  const from = Math.max(wanted, Date.parse(first.at));
  const summary = summarize(sampled, loggedEvents(places), from, now, awaitingTasks(places));
  let page: string | null = null;
  if (typeof html === 'string') {
    const { reportPage } = await import('../lib/report/html.ts');
    page = resolve(html);
    try {
      writeAtomic(page, reportPage(summary));
    } catch (error) {
      throw new FleetError(EXIT.exists, `${page} could not be made: ${messageOf(error)}`, { file: page });
    }
  }
  const document = reportDocument(summary, page);
  print(output, invocation, document, invocation.quiet ? '' : page === null ? reportText(summary) : page);
  return EXIT.done;
};

/** Refusals, exits, wakes and revivals, as events. */
function loggedEvents(places: Places): LoggedEvent[] {
  const events: LoggedEvent[] = [];
  for (const { at, words } of readTail(refusalsFile(places), LOG_BYTES).records) {
    if (typeof at === 'string') events.push({ at: Date.parse(at), kind: 'refusal', words: String(words ?? '') });
  }
  for (const { at, step, verdict, words } of readRecords(exitsFile(places))) {
    if (step !== 'result' || typeof at !== 'string') continue;
    events.push({ at: Date.parse(at), kind: verdict === 'left' ? 'exit' : 'exit-failed', words: String(words ?? '') });
  }
  for (const log of ['supervisor.jsonl', 'watcher.jsonl']) {
    for (const { at, kind, result, words } of readTail(join(places.ownDir, log), LOG_BYTES).records) {
      if (result !== 'done' || typeof at !== 'string' || (kind !== 'wake' && kind !== 'revive')) continue;
      events.push({ at: Date.parse(at), kind: kind === 'wake' ? 'wake' : 'revival', words: String(words ?? '') });
    }
  }
  return events;
}

/** Tasks that wait for a person. A bad task file is said elsewhere. */
function awaitingTasks({ tasksDir }: Places): AwaitingTask[] {
  const { tasks } = readTasks(tasksDir, ({ state }) => state !== 'awaiting-human');
  return tasks.map(({ name, task }) => ({
    task: name,
    title: task.title,
    since: task.stateChangedAt === undefined ? undefined : Date.parse(task.stateChangedAt),
    driverSid: task.driverSid,
  }));
}

function reportDocument(summary: Summary, page: string | null) {
  const count = (kind: LoggedEvent['kind']) => summary.events.filter((event) => event.kind === kind).length;
  return {
    schema: 'session-fleet.session-cap.report.v1',
    from: new Date(summary.from).toISOString(),
    to: new Date(summary.to).toISOString(),
    samples: summary.samples,
    skippedLines: summary.skippedLines,
    peakCounted: summary.peakCounted,
    lowestAvailableBytes: summary.lowestAvailable,
    refusals: count('refusal'),
    exits: count('exit'),
    exitsFailed: count('exit-failed'),
    wakes: count('wake'),
    revivals: count('revival'),
    awaiting: summary.awaiting.map(({ task, title, since, rssBytes }) => ({
      task,
      title: title ?? null,
      since: since === undefined ? null : new Date(since).toISOString(),
      rssBytes,
    })),
    silence: summary.silence,
    silenceUnknown: summary.silenceUnknown,
    page,
  };
}

function reportText(summary: Summary): string {
  const { from, to, counted, ceiling, sessionsRss, available, totalBytes } = summary;
  const width = Math.min(60, Math.max(20, (process.stdout.columns ?? 80) - 40));
  const top = Math.max(1, ...[...counted, ...ceiling].map(({ value }) => value ?? 0));
  const memoryTop = totalBytes ?? Math.max(1, ...available.map(({ value }) => value ?? 0));
  const last = (points: Summary['counted']) => points.at(-1)?.value ?? null;
  const bytes = (value: number | null) => (value === null ? '-' : formatBytes(value));
  const count = (kind: LoggedEvent['kind']) => summary.events.filter((event) => event.kind === kind).length;
  return [
    `${new Date(from).toISOString()} to ${new Date(to).toISOString()}, ${summary.samples} samples`,
    `sessions   ${sparkline(counted, from, to, width, top)}  now ${last(counted) ?? '-'}, most ${summary.peakCounted ?? '-'}, ceiling ${last(ceiling) ?? '-'}`,
    `their RSS  ${sparkline(sessionsRss, from, to, width, memoryTop)}  now ${bytes(last(sessionsRss))}`,
    `available  ${sparkline(available, from, to, width, memoryTop)}  now ${bytes(last(available))}, least ${bytes(summary.lowestAvailable)}`,
    `silence    ${summary.silence.map(({ label, count: size }) => `${label}: ${size}`).join(', ')}`,
    `events     ${count('refusal')} refused, ${count('exit')} left, ${count('exit-failed')} asked and did not, ${count('wake')} woken, ${count('revival')} revived`,
    ...awaitingText(summary),
  ].join('\n');
}

function awaitingText({ awaiting, to }: Summary): string[] {
  if (awaiting.length === 0) return [];
  const held = awaiting.reduce((sum, { rssBytes }) => sum + (rssBytes ?? 0), 0);
  const [longest] = [...awaiting].sort((left, right) => (left.since ?? to) - (right.since ?? to));
  const since =
    longest?.since === undefined
      ? ''
      : `; longest ${safeText(longest.task, 40)}, ${formatDuration(to - longest.since)}`;
  return [`awaiting   ${awaiting.length} tasks wait for a person, holding ${formatBytes(held)}${since}`];
}
