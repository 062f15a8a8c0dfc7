import { join } from 'node:path';
import type { Context } from '../../context.ts';
import { answeredAs } from '../../decide/spawn-answer.ts';
import type { SpawnIdentity } from '../../decide/spawn-identity.ts';
import { type SpawnKind, spawnWords } from '../../decide/spawn-plan.ts';
import { meetingsIn, metAgain, type Standing } from '../../decide/stuck-start.ts';
import { messageOf } from '../../errors.ts';
import { monotonicMs } from '../../monotonic.ts';
import { observeAfresh } from '../../observe/fleet.ts';
import { callRoster, claudeCommand } from '../../observe/roster.ts';
import { standingOf } from '../../observe/start-standing.ts';
import { appendLine } from '../../store/json-lines.ts';
import type { Places } from '../../store/places.ts';
import { procStartOf } from '../../store/process-identity.ts';
import { writeTask } from '../../store/task-files.ts';
import { appendEvent, taskFolder } from '../../store/task-folder.ts';
import { releaseReservation } from '../admit.ts';
import { leave } from '../leave.ts';
import { answerBeforehand } from './beforehand.ts';
import { isOver } from './recover.ts';
import { launchSettings } from './settings.ts';
import { type Spawned, spawnSession } from './spawn.ts';
import { leaveStuck, letPaneClose } from './stuck.ts';
import { type Expected, type Verified, verifyStart } from './verify.ts';

/** A start that has been admitted and written down (spawnIntent in task.json). */
export interface Start {
  task: string;
  /** The command that starts, as it signs events. */
  by: string;
  kind: SpawnKind;
  cwd: string;
  args: readonly string[];
  identity: SpawnIdentity;
  /** The conversation to continue, and its transcript's size before. */
  resume?: { sessionId: string; fromByte: number; savedOptions: boolean };
  /** It is a revival that counts in the task's window. ISO 8601. */
  revivalAt?: string;
  /** What is found is not let go when it can't be verified. */
  keep?: boolean;
  /** Its first-run questions have been answered by whoever asks for it. */
  answered?: true;
  promptFile: string;
  prompt: string;
  token: string;
  waitMs: number;
}

export type Started =
  | { ok: true; sessionId: string; pid: number; shortId: string | undefined; name: string; pane: string | undefined }
  /** `copy`: claude made a copy of a session that runs; it counts as nothing. `kept`: see Start.keep. */
  | { ok: false; why: string; excerpt: string; stillThere: boolean; copy?: true; kept?: true };

/** How long what is no Driver may take to leave. */
const LET_GO_MS = 20_000;

/** Where spawns are logged: an intent before, a result after, with the screen of a failed one. */
export function spawnsFile(places: Places): string {
  return join(places.ownDir, 'spawns.jsonl');
}

/**
 * Spawns a session for a task, verifies it, and writes down what came of it: the Driver's identity into task.json, or an
 * event `spawn-failed` with a screen excerpt. A failed start is never called a Driver: what stands there is let go by its own
 * door, and the slot is given back either way.
 */
export async function startSession(context: Context, start: Start): Promise<Started> {
  const { places } = context;
  try {
    if (!start.answered) await answerBeforehand(context, start);
  } catch (error) {
    // Nothing was spawned: the intent must not stand, nor the slot, and a revival that can't begin counts like one that failed.
    await recorded(context, start, { ok: false, why: messageOf(error), excerpt: '', stillThere: false });
    await releaseReservation(places, start.token);
    throw error;
  }
  appendLine(spawnsFile(places), {
    at: new Date().toISOString(),
    step: 'intent',
    task: start.task,
    ...start.identity,
    kind: start.kind,
    resume: start.resume?.sessionId ?? null,
  });
  const words = spawnWords({
    kind: start.kind,
    claude: claudeCommand(context.env),
    sessionId: start.identity.sid,
    name: start.identity.name,
    args: start.args,
    ...(start.resume === undefined ? {} : { resume: start.resume.sessionId, savedOptions: start.resume.savedOptions }),
    ...launchSettings(start.args, start.cwd),
  });
  const { kind, promptFile, cwd, token, identity } = start;
  const spawned = await spawnSession(context, {
    kind,
    words,
    promptFile,
    cwd,
    token,
    waitMs: start.waitMs,
    tmuxSession: identity.tmuxSession,
  });
  const outcome = await outcomeOfSpawn(context, start, spawned);
  await releaseReservation(places, token);
  return outcome;
}

async function outcomeOfSpawn(context: Context, start: Start, spawned: Spawned): Promise<Started> {
  if (spawned.ok) return settleAndRecord(context, start, expectedOf(start, spawned.shortId), spawned.said);
  if (!spawned.doubtful)
    return recorded(context, start, { ok: false, why: spawned.why, excerpt: '', stillThere: false });
  // It never answered, and may have started something all the same: that is looked for by its identity.
  const outcome = await settle(context, start, expectedOf(start, undefined), '');
  return recorded(context, start, outcome.ok ? outcome : { ...outcome, why: `${spawned.why}; ${outcome.why}` });
}

/** Verifies what was spawned, lets go of what is no Driver, and writes down what came of it. */
export async function settleAndRecord(
  context: Context,
  start: Start,
  expected: Expected,
  said: string,
): Promise<Started> {
  return recorded(context, start, await settle(context, start, expected, said));
}

async function recorded(context: Context, start: Start, outcome: Started): Promise<Started> {
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

/** What the session of a start must look like. */
export function expectedOf(start: Start, shortId: string | undefined): Expected {
  const { kind, identity, resume, prompt } = start;
  return {
    kind,
    sessionId: resume?.sessionId ?? (kind === 'interactive' ? identity.sid : undefined),
    shortId,
    name: identity.name,
    tmuxSession: identity.tmuxSession,
    prompt,
    fromByte: resume?.fromByte ?? 0,
  };
}

/** Verifies a spawned session, and lets go of one that is none. */
async function settle(context: Context, start: Start, expected: Expected, said: string): Promise<Started> {
  const answered = await answerOf(context, start, expected, said);
  if (answered === 'copy') return letCopyGo(context, start, expected.shortId ?? '', said);
  const sought = answered === 'new-id' ? { ...expected, sessionId: undefined, fromByte: 0, anywhere: true } : expected;
  const verified = await verifyStart(context, sought, start.waitMs);
  if (verified.ok) {
    const { session, sessionId, pane } = verified;
    if (pane !== undefined) await letPaneClose(context, pane);
    return {
      ok: true,
      sessionId,
      pid: session.pid,
      shortId: session.shortId,
      name: session.name ?? start.identity.name,
      pane: pane?.paneId,
    };
  }
  if (start.keep) return { ok: false, why: verified.why, excerpt: verified.excerpt, stillThere: true, kept: true };
  const gone = await letGo(context, sought, verified);
  return { ok: false, why: verified.why, excerpt: verified.excerpt, stillThere: !gone };
}

/** What a background resume came to, by the id it answered with; the session it continues is looked for only when that differs. */
async function answerOf(context: Context, start: Start, { shortId }: Expected, said: string) {
  if (start.kind !== 'background' || start.resume === undefined || shortId === undefined) return 'same';
  const { sessionId: resumed } = start.resume;
  if (resumed.startsWith(shortId)) return 'same';
  // Words of processes don't count here: what has just been started for it may still show its id.
  const { joined } = await observeAfresh(context);
  const lives = joined?.sessions.some(({ sessionId }) => sessionId === resumed);
  const oldLives = lives === undefined ? 'unknown' : lives ? 'yes' : 'no';
  return answeredAs({ resumed, shortId, said, oldLives });
}

/** A copy is stopped, and counted as nothing. */
async function letCopyGo(context: Context, start: Start, shortId: string, said: string): Promise<Started> {
  const left = await leaveWhenIdle(context, shortId, start.waitMs);
  const why = `claude answered with another id, ${shortId}: a copy${said === '' ? '' : ` (${said})`}`;
  return { ok: false, why, excerpt: '', stillThere: !left, copy: true };
}

async function letGo(context: Context, expected: Expected, failed: Extract<Verified, { ok: false }>): Promise<boolean> {
  const { session, pane } = failed;
  if (session?.listed && session.sessionId !== undefined) return leaveWhenIdle(context, session.sessionId, LET_GO_MS);
  if (pane !== undefined) return leaveStuck(context, pane);
  if (expected.kind === 'background') return leaveUnseen(context, expected);
  return session === undefined;
}

/**
 * Lets a background job go that did not become a session in time: it still may, and would work on the brief as a second
 * Driver. Only a list of all jobs that shows none of its identity, or that it is over, says that there is nothing to let go.
 */
async function leaveUnseen(context: Context, { shortId, sessionId, name }: Expected): Promise<boolean> {
  const { env, policy } = context;
  const until = monotonicMs() + LET_GO_MS;
  for (;;) {
    const all = await callRoster({ env, timeoutMs: policy.roster.timeout, all: true });
    if (all.ok) {
      const own = all.value.filter((row) =>
        shortId !== undefined ? row.id === shortId : row.name === name || row.sessionId === sessionId,
      );
      const left = own.filter(({ pid, state }) => pid !== undefined || !isOver(state));
      if (left.length === 0) return true;
      const [id] = left.flatMap(({ pid, id: short }) => (pid === undefined || short === undefined ? [] : [short]));
      if (id !== undefined && (await leaveWhenIdle(context, id, Math.max(0, until - monotonicMs())))) return true;
    }
    if (monotonicMs() >= until) return false;
    await new Promise((done) => setTimeout(done, 500));
  }
}

/** Asks a session to leave, again while it is busy with its first turn. True once it has left. */
async function leaveWhenIdle(context: Context, id: string, waitMs: number): Promise<boolean> {
  const until = monotonicMs() + waitMs;
  for (;;) {
    const { verdict } = await leave(context, id, { waitMs: 10_000, dryRun: false });
    if (verdict === 'left') return true;
    if (monotonicMs() >= until) return false;
    await new Promise((done) => setTimeout(done, 500));
  }
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
    if (isRecord(spawnIntent)) spawnIntent.met = metAgain(meetingsIn(spawnIntent), standing);
  });
}

async function standingNow(context: Context, { identity }: Start): Promise<Standing> {
  return standingOf(identity, await observeAfresh(context, { withPanes: true })) ?? 'none';
}

/** An intent that stands after its revival was counted must not be counted again. */
function markMet(intent: unknown, standing: Standing = 'none'): void {
  if (!isRecord(intent)) return;
  delete intent.revivalAt;
  intent.met = metAgain(meetingsIn(intent), standing);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
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
