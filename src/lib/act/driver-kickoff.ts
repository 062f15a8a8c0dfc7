import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import type { Context } from '../context.ts';
import { identityFor } from '../decide/spawn-identity.ts';
import { briefProblem, plainBrief, type SpawnKind } from '../decide/spawn-plan.ts';
import { EXIT, FleetError, messageOf } from '../errors.ts';
import { driverReading } from '../observe/driver.ts';
import { observeAfresh } from '../observe/fleet.ts';
import { callRoster } from '../observe/roster.ts';
import { readTranscript } from '../observe/transcript.ts';
import { readTask, type TaskRecord, writeTask } from '../store/task-files.ts';
import { readBrief, taskFolder, writeKickoff } from '../store/task-folder.ts';
import { type Task, TERMINAL_STATES } from '../store/task-schema.ts';
import { safeText } from '../words/safe-text.ts';
import { releaseReservation, requestAdmission } from './admit.ts';
import { answerBeforehand } from './spawn/beforehand.ts';
import { recorded, recordUnplanned } from './spawn/record-start.ts';
import { startSession } from './spawn/start.ts';
import type { Start } from './spawn/start-request.ts';
import {
  type DriverOutcome,
  goOn,
  intentOf,
  lockSpawn,
  orReleased,
  outcomeOf,
  refusal,
  type SpawnIntent,
} from './start-driver.ts';

export interface KickoffRequest {
  task: string;
  by: string;
  /** Continue its conversation, begin a new one, or the first when its transcript is there. */
  mode: 'resume' | 'fresh' | 'auto';
  /** The prompt, or what makes it; default: the task's brief. */
  brief: string | ((conversation: 'resumed' | 'new') => string) | undefined;
  kind: SpawnKind | undefined;
  waitMs: number;
  /** It is a revival, and counts in the task's window of them. */
  countedRevival?: boolean;
  /** What an interrupted start left lives, and is not let go whatever it was told: somebody else may have brought it back. */
  keep?: boolean;
  /** Throws when it must not be done after all; asked right before the spawn. */
  confirm?: () => Promise<void>;
}

/**
 * Starts a Driver for a task that exists, in the conversation of its last one or in a new one. Refuses (73) while its Driver
 * lives and (69) when that can't be told; a terminal task (77) must be un-parked first. Otherwise like startDriver.
 */
export async function kickOff(context: Context, request: KickoffRequest): Promise<DriverOutcome> {
  const { places } = context;
  const lock = await lockSpawn(context, request.task);
  try {
    const record = existingTask(context, request.task);
    const { task } = record;
    const recovered = await recoverIntent(context, request, task);
    if (recovered?.kind === 'settled') return outcomeOf(recovered.outcome, true);
    const { next, prompt, start } = await orCounted(context, request, async () => {
      const { intent, prompt: told } = await planKickoff(context, request, record);
      return { next: intent, prompt: told, start: startOf(request, task, intent, told) };
    });
    const { kind, sid, name, tmuxSession } = next;
    const identity = { sid, name, tmuxSession };
    const admitted = await requestAdmission(context, {
      for: task.driverName ?? identity.name,
      ttlMs: request.waitMs + 60_000,
      callerPid: process.ppid,
    });
    if (admitted.token === undefined) return refusal(admitted.decision);
    const promptFile = await orReleased(context, admitted.token, async () => {
      // Before the guards are read again: it may wait for a lock and for git, and they must be right when it is spawned.
      await answerFirst(context, start);
      const file = writeKickoff(taskFolder(places, request.task), prompt);
      await writeTask(places.tasksDir, request.task, (document) => {
        document.spawnIntent = { ...next, at: new Date().toISOString() };
        document.launch = {
          ...(document.launch as object | undefined),
          kind,
          ...(kind === 'interactive' ? { tmuxSession: identity.tmuxSession } : {}),
        };
      });
      return file;
    });
    try {
      // Read again right before the spawn: whoever else revives Drivers had a second since the first look.
      await refuseIfAlive(context, task);
      await request.confirm?.();
    } catch (error) {
      await writeTask(places.tasksDir, request.task, (document) => {
        delete document.spawnIntent;
      });
      await releaseReservation(places, admitted.token);
      throw error;
    }
    return outcomeOf(await startSession(context, { ...start, token: admitted.token, promptFile }), false);
  } finally {
    lock.release();
  }
}

/**
 * A revival that can't even be planned (a task that names no folder, a brief that can be no prompt) counts like one that failed: it
 * ends at the cap and with a person, not in a failure a minute.
 */
async function orCounted<T>(context: Context, request: KickoffRequest, plan: () => Promise<T>): Promise<T> {
  try {
    return await plan();
  } catch (error) {
    const wrong = error instanceof FleetError && [EXIT.badData, EXIT.noSuch].some((code) => code === error.exitCode);
    if (request.countedRevival && wrong) await recordUnplanned(context, request, messageOf(error));
    throw error;
  }
}

/** Answers the first-run questions. A revival that they keep from beginning counts like one that failed. */
async function answerFirst(context: Context, start: Start): Promise<void> {
  try {
    await answerBeforehand(context, start);
  } catch (error) {
    await recorded(context, start, { ok: false, why: messageOf(error), excerpt: '', stillThere: false });
    throw error;
  }
}

/**
 * How a Driver of this task would be started: in which conversation, told what. Throws FleetError 77 for a terminal task, 73 while
 * its Driver lives, 69 when that can't be told, 65 or 66 for a brief or conversation that is not there or can't be used.
 */
export async function planKickoff(context: Context, request: KickoffRequest, { task, file }: TaskRecord) {
  if (TERMINAL_STATES.has(task.state))
    throw new FleetError(EXIT.guard, `task ${request.task} is ${task.state}; un-park it first`, { file });
  await refuseIfAlive(context, task);
  const kind = request.kind ?? task.launch?.kind ?? 'background';
  const resume = request.mode === 'fresh' ? undefined : await resumable(context, request, task);
  const prompt = promptOf(context, request, resume === undefined ? 'new' : 'resumed');
  const revival = request.countedRevival ? { revivalAt: new Date().toISOString() } : {};
  const intent: SpawnIntent = { ...identityFor(request.task, randomUUID()), kind, ...resume, ...revival };
  return { intent, prompt };
}

/**
 * Finds what an interrupted start of a task has left, and starts nothing. Undefined when it left nothing: then the intent is
 * forgotten, and the task is as if that start had not been.
 */
export async function recoverDriver(context: Context, request: KickoffRequest): Promise<DriverOutcome | undefined> {
  const lock = await lockSpawn(context, request.task);
  try {
    const recovered = await recoverIntent(context, request, existingTask(context, request.task).task);
    if (recovered?.kind === 'settled') return outcomeOf(recovered.outcome, true);
    await writeTask(context.places.tasksDir, request.task, (document) => {
      delete document.spawnIntent;
    });
    return undefined;
  } finally {
    lock.release();
  }
}

async function recoverIntent(context: Context, request: KickoffRequest, task: Task) {
  const earlier = earlierKickoff(context, request, task);
  return earlier === undefined ? undefined : goOn(context, earlier);
}

/** The start of this task that was interrupted, if one was. */
export function earlierKickoff(context: Context, request: KickoffRequest, task: Task): Start | undefined {
  const intent = intentOf(task);
  return intent === undefined ? undefined : startOf(request, task, intent, storedPrompt(context, request, intent));
}

/** What the session is told. Throws FleetError 65 for a brief, written by hand perhaps, that can be no prompt. */
function promptOf({ places }: Context, { brief, task }: KickoffRequest, conversation: 'resumed' | 'new'): string {
  const folder = taskFolder(places, task);
  const text = typeof brief === 'function' ? brief(conversation) : (brief ?? readBrief(folder));
  const prompt = plainBrief(text);
  const problem = briefProblem(prompt);
  if (problem === undefined) return prompt;
  throw new FleetError(EXIT.badData, `${folder.brief}: ${safeText(problem, 200)}`, { file: folder.brief });
}

/** The task that a kickoff is for. Throws FleetError 66, or 65 with file and field. */
export function existingTask({ places }: Context, name: string): TaskRecord {
  const record = readTask(places.tasksDir, name);
  if (record === undefined) throw new FleetError(EXIT.noSuch, `no such task: ${name}`);
  if ('task' in record) return record;
  const { file, field, problem } = record;
  throw new FleetError(EXIT.badData, `${file}: ${field}: ${problem}`, { file, field });
}

/** The prompt that an interrupted kickoff wrote down, else this one's. */
function storedPrompt(context: Context, request: KickoffRequest, intent: SpawnIntent): string {
  const folder = taskFolder(context.places, request.task);
  try {
    return readBrief({ ...folder, brief: folder.kickoff });
  } catch {
    return promptOf(context, request, intent.resume === undefined ? 'new' : 'resumed');
  }
}

async function refuseIfAlive(context: Context, task: Task): Promise<void> {
  const fleet = await observeAfresh(context);
  const reading = driverReading(task, fleet);
  if (reading.answer === 'yes') throw new FleetError(EXIT.exists, `its Driver lives: ${reading.evidence}`);
  if (reading.answer === 'unknown')
    throw new FleetError(EXIT.unreadable, `whether its Driver lives can’t be told: ${reading.evidence}`);
}

/**
 * The conversation to continue: its id, its transcript's size, and whether it is a background session's. Undefined for a new
 * one. Throws FleetError 66 when it was asked for and is gone, 69 when the finished sessions can't be listed.
 */
async function resumable(
  { env, places, policy }: Context,
  request: KickoffRequest,
  task: Task,
): Promise<Pick<SpawnIntent, 'resume' | 'fromByte' | 'savedOptions'> | undefined> {
  const { driverSid } = task;
  const transcript =
    driverSid === undefined ? undefined : readTranscript(places.claudeDir, driverSid, task.cwd, { glance: true });
  if (driverSid !== undefined && transcript?.kind === 'found') {
    const all = await callRoster({ env, timeoutMs: policy.roster.timeout, all: true });
    if (!all.ok) throw new FleetError(EXIT.unreadable, `nothing started: ${all.why}`);
    const savedOptions = all.value.some(({ kind, sessionId }) => kind === 'background' && sessionId === driverSid);
    return { resume: driverSid, fromByte: statSync(transcript.file).size, savedOptions };
  }
  if (request.mode === 'resume') {
    const words = `no transcript of ${driverSid ?? 'a Driver'} to resume; --fresh begins a new conversation`;
    throw new FleetError(EXIT.noSuch, words);
  }
  return undefined;
}

/** A start of a task by an intent. Throws FleetError 65 for a task that names no folder. */
export function startOf(request: KickoffRequest, task: Task, intent: SpawnIntent, prompt: string): Start {
  const { sid, name, tmuxSession, kind, resume, fromByte = 0, savedOptions = false, revivalAt } = intent;
  if (task.cwd === undefined)
    throw new FleetError(EXIT.badData, `task ${request.task} names no cwd to start in`, { field: 'cwd' });
  return {
    task: request.task,
    by: request.by,
    kind,
    cwd: task.cwd,
    args: task.launch?.args ?? [],
    identity: { sid, name, tmuxSession },
    ...(resume === undefined ? {} : { resume: { sessionId: resume, fromByte, savedOptions } }),
    ...(revivalAt === undefined ? {} : { revivalAt }),
    ...(request.keep ? { keep: true } : {}),
    promptFile: '',
    prompt,
    token: '',
    waitMs: request.waitMs,
  };
}
