import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Context } from '../../context.ts';
import { settled } from '../../decide/watcher/settle.ts';
import { continued, decideTick, newMemory, type TickDecision, type WatcherMemory } from '../../decide/watcher/tick.ts';
import { messageOf } from '../../errors.ts';
import { authoredStamp } from '../../observe/authored-state.ts';
import type { FleetIndex } from '../../observe/sweep/fleet-index.ts';
import { watcherClosed } from '../../observe/watcher-closed.ts';
import { lookForTick, type WatcherLook } from '../../observe/watcher-look.ts';
import { logObserved } from '../../observe-mode.ts';
import { type Heartbeat, readHeartbeat } from '../../store/heartbeat.ts';
import { withLock } from '../../store/lock.ts';
import { isTaskName, type TaskRecord } from '../../store/task-files.ts';
import { taskFolder } from '../../store/task-folder.ts';
import {
  readWatcherFile,
  removeWatcherFile,
  type WatcherFile,
  watchersDir,
  writeWatcherFile,
} from '../../store/watcher-file.ts';
import { uniqueWord } from '../../words/unique-word.ts';
import { type ActOutcome, appendClosed, nudge, recoverStartOf, reviveDriver } from './acts.ts';
import { probe, writeHeartbeatOf } from './probe.ts';
import { watcherPolicy } from './watcher-policy.ts';

/** What one tick of the embedded engine did for one task. */
export interface TickReport {
  task: string;
  kind: TickDecision['act']['kind'] | 'closed-before' | 'other-engine' | 'failed';
  words: string;
  outcome: ActOutcome | undefined;
}

/** By this a watcher of the embedded engine is told from a workflow. */
export const EMBEDDED = 'embedded';

let host: string | undefined;

/** The name of a task's embedded watcher on this host. */
export function embeddedId(task: string): string {
  host ??= hostname();
  return `${EMBEDDED}:${host}:${task}`;
}

/**
 * One tick for one task, one at a time on this machine. What goes wrong is reported, and stops no other. `known`: its file,
 * read just now.
 */
export async function tick(context: Context, index: FleetIndex, task: string, known?: TaskRecord): Promise<TickReport> {
  const report = (kind: TickReport['kind'], words: string, outcome?: ActOutcome): TickReport => ({
    task,
    kind,
    words,
    outcome,
  });
  try {
    if (!isTaskName(task)) return report('failed', 'it can be no task’s name');
    const beat = readHeartbeat(taskFolder(context.places, task));
    if (isOthers(beat, index.fleet.at, context.policy.revive.watcherFresh)) {
      return report('other-engine', `workflow ${beat?.workflowId} watches it`);
    }
    const quiet = await quietTick(context, index, task, known, beat);
    if (quiet !== undefined) return report('none', quiet);
    const lock = join(watchersDir(context.places), `${task}.tick`);
    // A revival takes its time, and runs under this lock: another tick of the task has nothing to do meanwhile.
    return await withLock(lock, () => tickUnderLock(context, index, task, report), {
      waitMs: 0,
      what: `the tick of ${task}`,
    });
  } catch (error) {
    return report('failed', messageOf(error));
  }
}

/** What a tick would do, for a fleet that is only observed: nothing is written but that. */
export async function observedTick(
  context: Context,
  index: FleetIndex,
  task: string,
  record?: TaskRecord,
): Promise<TickReport> {
  const look = await lookForTick(context, index, task, { record });
  const memory = readWatcherFile(context.places, task)?.memory ?? newMemory(index.fleet.at);
  const { act, words } = decideTick(look.facts, memory, index.fleet.at, watcherPolicy(context));
  if (act.kind !== 'none') logObserved(context, { rule: 'watch', task, kind: act.kind, words });
  return { task, kind: 'none', words: `observed only, by policy: ${act.kind}: ${words}`, outcome: undefined };
}

/** A fresh heartbeat of a watcher that is not the embedded one. */
export function isOthers(beat: Heartbeat | undefined, now: number, freshMs: number): boolean {
  return beat?.workflowId !== undefined && !beat.workflowId.startsWith(`${EMBEDDED}:`) && now - beat.tickAt < freshMs;
}

/**
 * The tick of a watcher that has nothing to do and nothing to remember, as almost all have: it needs no lock, and writes its
 * heartbeat alone. Undefined when there is more to it; the words of its reading otherwise.
 */
async function quietTick(
  context: Context,
  index: FleetIndex,
  task: string,
  record: TaskRecord | undefined,
  heartbeat: Heartbeat | undefined,
): Promise<string | undefined> {
  const known = readWatcherFile(context.places, task);
  if (known === undefined || known.closed !== undefined || known.nudge !== undefined) return undefined;
  const stamp = stampIn(context, task);
  if (stamp !== known.stamp) return undefined;
  const look = await lookForTick(context, index, task, { record, heartbeat, authored: known.memory.fingerprint });
  const { act, words, memory } = decideTick(look.facts, known.memory, index.fleet.at, watcherPolicy(context));
  if (act.kind !== 'none' || !sameMemory(memory, known.memory)) return undefined;
  writeHeartbeatOf(context, index, task, look, { workflowId: embeddedId(task), runId: known.runId }, heartbeat);
  return words;
}

function stampIn({ places }: Context, task: string): string {
  const folder = taskFolder(places, task);
  return authoredStamp(join(folder.dir, 'task.json'), folder);
}

function sameMemory(one: WatcherMemory, other: WatcherMemory): boolean {
  const names = Object.keys({ ...one, ...other }) as (keyof WatcherMemory)[];
  return names.every((name) => JSON.stringify(one[name]) === JSON.stringify(other[name]));
}

async function tickUnderLock(
  context: Context,
  index: FleetIndex,
  task: string,
  report: (kind: TickReport['kind'], words: string, outcome?: ActOutcome) => TickReport,
): Promise<TickReport> {
  const { places } = context;
  const now = index.fleet.at;
  const known = readWatcherFile(places, task);
  if (known?.closed !== undefined) {
    finishClosing(context, task, known);
    return report('closed-before', `closed ${known.closed.status}: ${known.closed.reason}`);
  }
  const elsewhere = known === undefined ? closedElsewhere(context, task) : undefined;
  if (elsewhere !== undefined) return report('closed-before', elsewhere);
  const file: WatcherFile = known ?? { runId: uniqueWord(), memory: newMemory(now) };
  // Taken before the reading: what is written in between is read anew by the next tick.
  const stamp = stampIn(context, task);
  const look = await probe(context, index, task, { workflowId: embeddedId(task), runId: file.runId });
  const { act, words, memory } = decideTick(look.facts, file.memory, now, watcherPolicy(context));
  const next: WatcherFile = { ...file, memory, stamp };
  if (act.kind === 'continue-as-new') {
    writeWatcherFile(places, task, { ...next, runId: uniqueWord(), memory: continued(memory, now) });
    return report(act.kind, words);
  }
  if (act.kind === 'close') {
    const closed = { at: new Date(now).toISOString(), status: act.status, reason: act.reason, eventWritten: false };
    writeWatcherFile(places, task, { ...next, closed });
    finishClosing(context, task, { ...next, closed });
    return report('close', `${act.status}: ${act.reason}`);
  }
  if (act.kind === 'nudge') next.nudge = { messageId: `nudge-${uniqueWord()}` };
  // What is about to be done is written first: a tick that is ended in between has counted it.
  const reading = act.kind === 'none';
  if (JSON.stringify(next) !== JSON.stringify(known)) writeWatcherFile(places, task, next, { reading });
  const outcome = await perform(context, task, next, look, act.kind);
  const after = settled(memory, act, outcome?.result);
  if (after !== memory) writeWatcherFile(places, task, { ...next, memory: after });
  return report(act.kind, words, outcome);
}

async function perform(
  context: Context,
  task: string,
  file: WatcherFile,
  look: WatcherLook,
  kind: TickDecision['act']['kind'],
): Promise<ActOutcome | undefined> {
  if (kind === 'revive') return reviveDriver(context, task);
  if (kind === 'recover') return recoverStartOf(context, task);
  // A wake that an earlier tick wrote down and may not have sent is sent again, under the same id.
  if (file.nudge === undefined) return undefined;
  const outcome = await nudge(context, task, look.sid ?? '', file.nudge.messageId);
  writeWatcherFile(context.places, task, { ...file, nudge: undefined });
  return outcome;
}

/** A workflow that watched the task has closed, and nobody has started it again: then this engine does not begin by itself. */
function closedElsewhere({ places }: Context, task: string): string | undefined {
  const folder = taskFolder(places, task);
  const beat = readHeartbeat(folder);
  if (!isOthers(beat, 0, Number.POSITIVE_INFINITY)) return undefined;
  const closed = watcherClosed(folder, {});
  if (closed === undefined || closed.status === 'COMPLETED' || closed.atMs < (beat?.tickAt ?? 0)) return undefined;
  return `closed ${closed.status}: ${closed.reason ?? ''}`;
}

/** The end of a watcher stands in its own file first, then in the task's events; this writes what is missing. */
function finishClosing(context: Context, task: string, file: WatcherFile): void {
  const { closed } = file;
  if (closed === undefined || closed.eventWritten) return;
  const { status, reason } = closed;
  if (existsSync(taskFolder(context.places, task).dir)) {
    appendClosed(context, task, { id: file.runId, status, reason });
  }
  // Of a task that is over nothing needs to be remembered; one that is open must not be watched anew by itself.
  if (status === 'COMPLETED') removeWatcherFile(context.places, task);
  else writeWatcherFile(context.places, task, { ...file, closed: { ...closed, eventWritten: true } });
}
