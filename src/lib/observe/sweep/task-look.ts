import type { Context } from '../../context.ts';
import type { Liveness } from '../../decide/sweep/liveness.ts';
import type { TaskFacts } from '../../decide/sweep/plan.ts';
import type { SessionFacts } from '../../decide/sweep/session-facts.ts';
import { readHeartbeat } from '../../store/heartbeat.ts';
import type { TaskRecord } from '../../store/task-files.ts';
import { taskFolder } from '../../store/task-folder.ts';
import { type Task, TERMINAL_STATES } from '../../store/task-schema.ts';
import { attachmentOf } from '../attachment.ts';
import { authoredState } from '../authored-state.ts';
import type { Session } from '../sessions.ts';
import { silenceOf } from '../silence.ts';
import { stuckStart } from '../start-standing.ts';
import { watcherClosed } from '../watcher-closed.ts';
import type { FleetIndex } from './fleet-index.ts';
import { lookForDriver } from './liveness-look.ts';

/** A task with all that was read of it. */
export interface TaskLook {
  record: TaskRecord;
  facts: TaskFacts;
  /** Its live session, when it has just one. */
  session: Session | undefined;
}

/** Which open tasks name a session, by its id. */
export type Claims = (sessionId: string, except: string) => string | undefined;

/** An index of the sessions that open tasks name. */
export function claimsOf(records: readonly TaskRecord[]): Claims {
  const named = new Map<string, string[]>();
  for (const { name, task } of records) {
    if (TERMINAL_STATES.has(task.state)) continue;
    for (const sid of new Set([task.driverSid, task.workerSid, task.spawnIntent?.sid])) {
      if (sid !== undefined) named.set(sid, [...(named.get(sid) ?? []), name]);
    }
  }
  return (sessionId, except) => named.get(sessionId)?.find((name) => name !== except);
}

/** Reads everything the rules ask of one task. What a rule can't need is not read. */
export async function lookAtTask(
  context: Context,
  index: FleetIndex,
  record: TaskRecord,
  claims: Claims,
): Promise<TaskLook> {
  const { env, places, policy } = context;
  const { name, task } = record;
  const folder = taskFolder(places, name);
  const now = index.fleet.at;
  const terminal = TERMINAL_STATES.has(task.state);
  const heartbeat = readHeartbeat(folder);
  const claimedBy = (sid: string) => claims(sid, name);
  const liveness = await lookForDriver({ task, heartbeat, claimedBy }, index, env);
  const session = sessionOf(liveness, index);
  const sessionFacts = session && (await readSession(context, index, session, terminal));
  const quiet = sessionFacts?.silence.ok === true && sessionFacts.silence.idleMs >= policy.wake.quiet;
  const mayWake = !terminal && task.state !== 'awaiting-human' && (quiet || liveness.kind === 'absent');
  const facts: TaskFacts = {
    name,
    state: task.state,
    terminal,
    liveness,
    session: sessionFacts,
    background: task.launch?.kind === 'background' || (liveness.kind === 'absent' && liveness.daemonRow),
    releasedAt: task.releasedAt,
    latches: latchesOf(task),
    protectedBy: task.driverSid === undefined ? undefined : claimedBy(task.driverSid),
    interrupted: task.spawnIntent !== undefined,
    stuckStart: stuckStart(task.spawnIntent, index.fleet),
    startName: typeof task.spawnIntent?.name === 'string' ? task.spawnIntent.name : undefined,
    deadSince: deadSinceOf(task, liveness, now),
    stopped: false,
    heartbeatAt: heartbeat?.tickAt,
    revivals: (task.driverRespawnTimes ?? []).map((at) => Date.parse(at)),
    hold: { kind: 'free' },
    lastWake: lastWakeOf(task),
    authored: mayWake ? authoredState(record.file, folder) : undefined,
    closed: watcherClosed(folder, task),
    watcher: task.watcher,
  };
  return { record, facts, session };
}

function sessionOf(liveness: Liveness, index: FleetIndex): Session | undefined {
  if (liveness.kind !== 'alive' && liveness.kind !== 'adopt') return undefined;
  return liveness.session === undefined ? undefined : index.byPid(liveness.session.pid);
}

async function readSession(
  { env, places }: Context,
  index: FleetIndex,
  session: Session,
  terminal: boolean,
): Promise<SessionFacts> {
  const { status, waitingFor } = session;
  const { fleet } = index;
  // The exit ladder wants to know whether the inbox is drained; a wake only how long it has been quiet.
  if (!terminal) return { status, waitingFor, silence: index.silenceOf(session, places.claudeDir) };
  const silence = silenceOf(session, places.claudeDir, fleet.at);
  const queued = silence.ok && silence.transcript.kind === 'found' ? silence.transcript.queued : undefined;
  const attached = status === 'idle' ? await attachmentOf(session, fleet, env) : undefined;
  return { status, waitingFor, silence, queued, ...(attached === undefined ? {} : { attached }) };
}

/** When it was first read dead; now, when this is the first reading (or an earlier one lies in the future). */
function deadSinceOf({ deadSince }: Task, liveness: Liveness, now: number): number | undefined {
  if (liveness.kind !== 'absent') return undefined;
  const since = deadSince === undefined ? now : Date.parse(deadSince);
  return Math.min(since, now);
}

function latchesOf(task: Task): TaskFacts['latches'] {
  const at = (word: string | undefined) => (word === undefined ? undefined : Date.parse(word));
  return {
    releasedAt: at(task.releasedAt),
    askedAt: at(task.exitAskedAt),
    askPending: task.exitAsk?.pending === true,
    requestedAt: at(task.exitRequestedAt),
    requests: task.exitRequests ?? 0,
    exited: task.exitedAt !== undefined,
    gaveUp: task.exitGaveUpAt !== undefined,
  };
}

function lastWakeOf({ wake }: Task): TaskFacts['lastWake'] {
  if (wake?.at === undefined) return undefined;
  const { at, step = 1, fingerprint, pending = false } = wake;
  return { at: Date.parse(at), step, fingerprint, pending };
}
