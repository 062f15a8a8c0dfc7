import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Context } from '../context.ts';
import { identityFor, type SpawnIdentity } from '../decide/spawn-identity.ts';
import type { SpawnKind } from '../decide/spawn-plan.ts';
import { EXIT, FleetError } from '../errors.ts';
import { acquireLock } from '../store/lock.ts';
import { readTask, writeTask } from '../store/task-files.ts';
import { readBrief, taskFolder, writeBrief } from '../store/task-folder.ts';
import type { Task } from '../store/task-schema.ts';
import { releaseReservation, requestAdmission } from './admit.ts';
import { recoverStart } from './spawn/recover.ts';
import { answerBeforehand, type Start, type Started, startSession } from './spawn/start.ts';

export interface DriverRequest {
  task: string;
  by: string;
  cwd: string;
  kind: SpawnKind;
  args: readonly string[];
  name: string | undefined;
  title: string | undefined;
  brief: string;
  board: string | undefined;
  waitMs: number;
}

export type DriverOutcome =
  | { kind: 'started'; started: Extract<Started, { ok: true }>; recovered: boolean }
  | { kind: 'failed'; started: Extract<Started, { ok: false }> }
  | { kind: 'refused'; why: string; exitCode: 69 | 75 };

/** The identity that an interrupted start wrote down, with how it was to start. */
export interface SpawnIntent extends SpawnIdentity {
  kind: SpawnKind;
  resume?: string;
  fromByte?: number;
  /** Its conversation is a background session's, see spawnWords. */
  savedOptions?: boolean;
  /** It is a revival that counts in the task's window. ISO 8601. */
  revivalAt?: string;
}

/** One start of a task at a time, on the whole machine. */
export function lockSpawn({ places }: Context, task: string) {
  return acquireLock(join(places.ownDir, 'spawn', task), { waitMs: 0, what: `the start of task ${task}` });
}

/**
 * Makes a task and starts its Driver: admitted first (a refusal makes nothing), then brief, board and task.json with the intent,
 * then the spawn, then its verification. Called again after it was killed at any point it finds what the first call left and
 * goes on from there: never two Drivers. Throws FleetError 73 for a task that exists, 75 while another start of it runs.
 */
export async function startDriver(context: Context, request: DriverRequest): Promise<DriverOutcome> {
  const { places } = context;
  const lock = await lockSpawn(context, request.task);
  try {
    const existing = readTask(places.tasksDir, request.task);
    if (existing !== undefined && !('task' in existing)) {
      const { file, field, problem } = existing;
      throw new FleetError(EXIT.badData, `${file}: ${field}: ${problem}`, { file, field });
    }
    const intent = existing === undefined ? undefined : intentOf(existing.task);
    if (existing !== undefined && (intent === undefined || existing.task.driverSid !== undefined)) {
      throw new FleetError(EXIT.exists, `task ${request.task} exists; driver-kickoff starts a Driver for it`, {
        file: existing.file,
      });
    }
    let identity = intent ?? identityFor(request.task, randomUUID(), request.name);
    if (existing !== undefined && intent !== undefined) {
      // What the interrupted call was given counts, not what this one says: its brief may have been taken already.
      const recovered = await goOn(
        context,
        startOf(request, existing.task, intent, readBrief(taskFolder(places, request.task))),
      );
      if (recovered.kind === 'settled') return outcomeOf(recovered.outcome, true);
      if (recovered.used) identity = identityFor(request.task, randomUUID(), request.name);
    }
    const admitted = await requestAdmission(context, {
      for: identity.name,
      ttlMs: request.waitMs + 60_000,
      callerPid: process.ppid,
    });
    if (admitted.token === undefined) return refusal(admitted.decision);
    await orReleased(context, admitted.token, async () => {
      // Before anything of the task is made: a state file that can't be used leaves nothing behind.
      await answerBeforehand(context, request);
      await writeIntent(context, request, identity, existing !== undefined);
    });
    const start = startOf(request, undefined, { ...identity, kind: request.kind }, request.brief);
    return outcomeOf(
      await startSession(context, {
        ...start,
        answered: true,
        token: admitted.token,
        promptFile: taskFolder(places, request.task).brief,
      }),
      false,
    );
  } finally {
    lock.release();
  }
}

/** Gives the slot back when what stands between it and the spawn can't be done (a full disk, a folder of somebody else). */
export async function orReleased<T>({ places }: Context, token: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await releaseReservation(places, token).catch(() => undefined);
    throw error;
  }
}

/** The refusal of an admission, with its exit code. */
export function refusal({ reason, words }: { reason: string; words: string }): DriverOutcome {
  return { kind: 'refused', why: words, exitCode: reason.endsWith('unreadable') ? EXIT.unreadable : EXIT.later };
}

export function outcomeOf(started: Started, recovered: boolean): DriverOutcome {
  return started.ok ? { kind: 'started', started, recovered } : { kind: 'failed', started };
}

/** What an interrupted start has left; throws FleetError 69 when that can't be told. */
export async function goOn(context: Context, start: Start) {
  const recovered = await recoverStart(context, start);
  if (recovered.kind === 'unreadable')
    throw new FleetError(
      EXIT.unreadable,
      `an earlier start of ${start.task} was interrupted, and what it left can’t be told: ${recovered.why}`,
    );
  return recovered;
}

/** The intent in a task, if it has one that says enough. */
export function intentOf({ spawnIntent }: Task): SpawnIntent | undefined {
  if (spawnIntent === undefined) return undefined;
  const { sid, name, tmuxSession, kind, resume, fromByte, savedOptions, revivalAt } = spawnIntent as Record<
    string,
    unknown
  >;
  if (typeof sid !== 'string' || typeof name !== 'string' || typeof tmuxSession !== 'string') return undefined;
  if (kind !== 'interactive' && kind !== 'background') return undefined;
  return {
    sid,
    name,
    tmuxSession,
    kind,
    ...(typeof resume === 'string' ? { resume } : {}),
    ...(typeof fromByte === 'number' ? { fromByte } : {}),
    ...(typeof savedOptions === 'boolean' ? { savedOptions } : {}),
    ...(typeof revivalAt === 'string' && !Number.isNaN(Date.parse(revivalAt)) ? { revivalAt } : {}),
  };
}

function startOf(request: DriverRequest, task: Task | undefined, intent: SpawnIntent, prompt: string): Start {
  const { sid, name, tmuxSession, kind } = intent;
  return {
    task: request.task,
    by: request.by,
    kind,
    cwd: task?.cwd ?? request.cwd,
    args: task?.launch?.args ?? request.args,
    identity: { sid, name, tmuxSession },
    promptFile: '',
    prompt,
    token: '',
    waitMs: request.waitMs,
  };
}

async function writeIntent(
  { places }: Context,
  request: DriverRequest,
  identity: SpawnIdentity,
  exists: boolean,
): Promise<void> {
  const { task, brief, board, cwd, kind, args, title } = request;
  writeBrief(taskFolder(places, task), brief, board);
  const { sid, name, tmuxSession } = identity;
  const at = new Date().toISOString();
  await writeTask(
    places.tasksDir,
    task,
    (document) => {
      document.id ??= task;
      if (title !== undefined) document.title = title;
      document.state = 'working';
      document.createdAt ??= at;
      document.stateChangedAt ??= at;
      document.cwd = cwd;
      document.launch = { kind, args: [...args], ...(kind === 'interactive' ? { tmuxSession } : {}) };
      document.spawnIntent = { sid, name, tmuxSession, kind, at };
    },
    { create: !exists },
  );
}
