import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Context } from '../context.ts';
import type { AdmissionDecision } from '../decide/admission.ts';
import { identityFor, type SpawnIdentity } from '../decide/spawn-identity.ts';
import type { SpawnKind } from '../decide/spawn-plan.ts';
import { refusalExit } from '../decide/start-preview.ts';
import { EXIT, FleetError } from '../errors.ts';
import { acquireLock, heldNow } from '../store/lock.ts';
import { readTask, writeTask } from '../store/task-files.ts';
import { readBrief, taskFolder, writeBrief } from '../store/task-folder.ts';
import type { Task } from '../store/task-schema.ts';
import { releaseReservation, requestAdmission } from './admit.ts';
import { answerBeforehand } from './spawn/beforehand.ts';
import { recoverStart } from './spawn/recover.ts';
import { startSession } from './spawn/start.ts';
import type { Start, Started } from './spawn/start-request.ts';

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
  return acquireLock(join(places.ownDir, 'spawn', task), { waitMs: 0, what: whatStarts(task) });
}

/** The error of who would start a task at this moment, while another start of it runs. */
export function spawnLocked({ places }: Context, task: string): FleetError | undefined {
  return heldNow(join(places.ownDir, 'spawn', task), whatStarts(task));
}

const whatStarts = (task: string) => `the start of task ${task}`;

/**
 * Makes a task and starts its Driver: admitted first (a refusal makes nothing), then brief, board and task.json with the intent,
 * then the spawn, then its verification. Called again after it was killed at any point it finds what the first call left and
 * goes on from there: never two Drivers. Throws FleetError 73 for a task that exists, 75 while another start of it runs.
 */
export async function startDriver(context: Context, request: DriverRequest): Promise<DriverOutcome> {
  const { places } = context;
  const lock = await lockSpawn(context, request.task);
  try {
    const earlier = earlierStart(context, request);
    let identity: SpawnIdentity = earlier?.identity ?? identityFor(request.task, randomUUID(), request.name);
    if (earlier !== undefined) {
      const recovered = await goOn(context, earlier);
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
      await writeIntent(context, request, identity, earlier !== undefined);
    });
    const start = firstStart(request, identity);
    return outcomeOf(
      await startSession(context, {
        ...start,
        token: admitted.token,
        promptFile: taskFolder(places, request.task).brief,
      }),
      false,
    );
  } finally {
    lock.release();
  }
}

/**
 * The start of this task that was interrupted, if one was. What it was given counts, not what this call says: its brief may have
 * been taken already. Throws FleetError 73 for any other task that exists, 65 for one whose file is bad.
 */
export function earlierStart({ places }: Context, request: DriverRequest): Start | undefined {
  const existing = readTask(places.tasksDir, request.task);
  if (existing === undefined) return undefined;
  if (!('task' in existing)) {
    const { file, field, problem } = existing;
    throw new FleetError(EXIT.badData, `${file}: ${field}: ${problem}`, { file, field });
  }
  const { task, file } = existing;
  const intent = intentOf(task);
  if (intent === undefined || task.driverSid !== undefined)
    throw new FleetError(EXIT.exists, `task ${request.task} exists; driver-kickoff starts a Driver for it`, { file });
  return startOf(request, task, intent, readBrief(taskFolder(places, request.task)));
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
export function refusal({ reason, words }: AdmissionDecision): DriverOutcome {
  return { kind: 'refused', why: words, exitCode: refusalExit({ reason }) };
}

export function outcomeOf(started: Started, recovered: boolean): DriverOutcome {
  return started.ok ? { kind: 'started', started, recovered } : { kind: 'failed', started };
}

/** What an interrupted start has left; throws FleetError 69 when that can't be told. */
export async function goOn(context: Context, start: Start) {
  const recovered = await recoverStart(context, start);
  if (recovered.kind === 'unreadable') throw cantTell(start, recovered.why);
  return recovered;
}

/** What an interrupted start has left can't be told. */
export function cantTell({ task }: Start, why: string): FleetError {
  return new FleetError(
    EXIT.unreadable,
    `an earlier start of ${task} was interrupted, and what it left can’t be told: ${why}`,
  );
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

/** The start that a request asks for. */
export function firstStart(request: DriverRequest, { sid, name, tmuxSession }: SpawnIdentity): Start {
  return startOf(request, undefined, { sid, name, tmuxSession, kind: request.kind }, request.brief);
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
