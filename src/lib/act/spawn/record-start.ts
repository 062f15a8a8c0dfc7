import { join } from 'node:path';
import type { Context } from '../../context.ts';
import { meetingsIn, metAgain, type Standing } from '../../decide/stuck-start.ts';
import { observeAfresh } from '../../observe/fleet.ts';
import { standingOf } from '../../observe/start-standing.ts';
import { isRecord } from '../../record.ts';
import { appendLine } from '../../store/json-lines.ts';
import type { Places } from '../../store/places.ts';
import { procStartOf } from '../../store/process-identity.ts';
import { writeTask } from '../../store/task-files.ts';
import { appendEvent, taskFolder } from '../../store/task-folder.ts';
import type { Start, Started } from './start-request.ts';

/** Where spawns are logged: an intent before, a result after, with the screen of a failed one. */
export function spawnsFile(places: Places): string {
  return join(places.ownDir, 'spawns.jsonl');
}

/** Writes down what came of a start, in the task and in the log, and gives it back. */
export async function recorded(context: Context, start: Start, outcome: Started): Promise<Started> {
  await record(context, start, outcome);
  const { identity, task } = start;
  appendLine(spawnsFile(context.places), {
    at: new Date().toISOString(),
    step: 'result',
    task,
    ...identity,
    ...outcome,
  });
  return outcome;
}

/** Writes what came of a start into the task. */
async function record(context: Context, start: Start, outcome: Started): Promise<void> {
  const { places } = context;
  const folder = taskFolder(places, start.task);
  if (outcome.ok) {
    const procStart = procStartOf(outcome.pid) ?? '';
    await writeTask(places.tasksDir, start.task, (document) => {
      // Driver-first: the Driver does the work, in its own sub-agents.
      document.driverSid = outcome.sessionId;
      document.workerSid = outcome.sessionId;
      document.driverName = outcome.name;
      document.driverSeen = { pid: outcome.pid, procStart };
      delete document.deadSince;
      delete document.spawnIntent;
      countRevival(document, start);
    });
    appendEvent(folder, start.by, 'driver-started', { sid: outcome.sessionId, pid: outcome.pid, launch: start.kind });
    return;
  }
  // What is still there may yet take its brief: as long as its identity is written down, the next start finds it and makes no second.
  // One that is kept in its own old conversation is found by its Driver's id.
  const remains = outcome.stillThere && !outcome.copy && !(outcome.kept && start.resume !== undefined);
  const standing = remains ? await standingNow(context, start) : undefined;
  await writeTask(places.tasksDir, start.task, (document) => {
    if (remains) markMet(document.spawnIntent, standing);
    else delete document.spawnIntent;
    // A failed start counts too, so that one that can't succeed ends at the cap and not in a storm.
    if (!outcome.copy && !outcome.kept) countRevival(document, start);
  });
  appendEvent(folder, start.by, 'spawn-failed', {
    why: outcome.why,
    excerpt: outcome.excerpt,
    stillThere: outcome.stillThere,
  });
}

/** Writes down that a revival could not be begun, for what is wrong with its task. */
export async function recordUnplanned(
  { places }: Context,
  { task, by }: Pick<Start, 'task' | 'by'>,
  why: string,
): Promise<void> {
  await writeTask(places.tasksDir, task, (document) => countRevival(document, { revivalAt: new Date().toISOString() }));
  appendEvent(taskFolder(places, task), by, 'spawn-failed', { why, excerpt: '', stillThere: false });
}

/** A start that was met and is still under way is written down as that, so that it is not met so without end. */
export async function recordMeeting(context: Context, start: Start): Promise<void> {
  const standing = await standingNow(context, start);
  await writeTask(context.places.tasksDir, start.task, ({ spawnIntent }) => {
    if (isRecord(spawnIntent)) meet(spawnIntent, standing);
  });
}

async function standingNow(context: Context, { identity }: Start): Promise<Standing | undefined> {
  return standingOf(identity, await observeAfresh(context, { withPanes: true }));
}

function meet(intent: Record<string, unknown>, standing: Standing | undefined): void {
  const met = metAgain(meetingsIn(intent), standing);
  if (met !== undefined) intent.met = met;
}

/** An intent that stands after its revival was counted must not be counted again. */
function markMet(intent: unknown, standing: Standing | undefined): void {
  if (!isRecord(intent)) return;
  delete intent.revivalAt;
  meet(intent, standing);
}

/** How many times of revivals a task remembers: more than any window asks for. */
const KEPT_TIMES = 100;

/** Counts a revival: its time in the window, and one more in the lifetime count, which is for display only (ADR 0035 decision 6). */
function countRevival(document: Record<string, unknown>, { revivalAt }: Pick<Start, 'revivalAt'>): void {
  if (revivalAt === undefined) return;
  const times = Array.isArray(document.driverRespawnTimes) ? document.driverRespawnTimes : [];
  document.driverRespawnTimes = [...times, revivalAt].slice(-KEPT_TIMES);
  document.driverRespawns = (typeof document.driverRespawns === 'number' ? document.driverRespawns : 0) + 1;
}
