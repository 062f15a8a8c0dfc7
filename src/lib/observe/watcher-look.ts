import type { Context } from '../context.ts';
import type { TickFacts } from '../decide/watcher/tick.ts';
import { type Heartbeat, readHeartbeat } from '../store/heartbeat.ts';
import { readTask, type TaskRecord } from '../store/task-files.ts';
import { taskFolder } from '../store/task-folder.ts';
import { TERMINAL_STATES } from '../store/task-schema.ts';
import { authoredState } from './authored-state.ts';
import { stuckStart } from './start-standing.ts';
import type { FleetIndex } from './sweep/fleet-index.ts';
import { readHold } from './sweep/hold-look.ts';
import { lookForDriver } from './sweep/liveness-look.ts';

/** What a watcher reads of its task in one tick, and whose Driver it is. */
export interface WatcherLook {
  facts: TickFacts;
  record: TaskRecord | undefined;
  /** The Driver's session id, as this reading knows it. */
  sid: string | undefined;
  rosterOk: boolean;
  /** The Driver was found alive. */
  found: boolean;
}

/** Reads one task for its watcher: its Driver by session id first, and by name second. `known`: its file, and
 * the fingerprint of its authored state, when they have just been read. */
export async function lookForTick(
  context: Context,
  index: FleetIndex,
  name: string,
  known: { record?: TaskRecord | undefined; authored?: string | undefined; heartbeat?: Heartbeat | undefined } = {},
): Promise<WatcherLook> {
  const { env, places } = context;
  const { fleet } = index;
  const rosterOk = fleet.roster.rows.ok;
  const read = known.record ?? readTask(places.tasksDir, name);
  if (read === undefined || !('task' in read)) {
    return { facts: unreadFacts(read === undefined), record: undefined, sid: undefined, rosterOk, found: false };
  }
  const { task } = read;
  const folder = taskFolder(places, name);
  const liveness = await lookForDriver(
    { task, heartbeat: known.heartbeat ?? readHeartbeat(folder), claimedBy: () => undefined },
    index,
    env,
  );
  const live = liveness.kind === 'alive' || liveness.kind === 'adopt' ? liveness.session : undefined;
  const session = live === undefined ? undefined : index.byPid(live.pid);
  const silence = session === undefined ? undefined : index.silenceOf(session, places.claudeDir);
  const facts: TickFacts = {
    state: task.state,
    terminal: TERMINAL_STATES.has(task.state),
    gone: false,
    liveness,
    byName: (fleet.joined?.sessions ?? []).some(({ name: own }) => own !== undefined && own === task.driverName),
    background: task.launch?.kind === 'background' || (liveness.kind === 'absent' && liveness.daemonRow),
    status: session?.status,
    silentMs: silence?.ok ? silence.idleMs : undefined,
    authored: known.authored ?? authoredState(read.file, folder),
    interrupted: task.spawnIntent !== undefined,
    stuckStart: stuckStart(task.spawnIntent, fleet),
    hold: liveness.kind === 'absent' && readHold(context, task, fleet.at).kind === 'hold',
  };
  const sid = live?.sessionId ?? task.driverSid;
  return { facts, record: read, sid, rosterOk, found: live !== undefined };
}

function unreadFacts(gone: boolean): TickFacts {
  return {
    state: undefined,
    terminal: false,
    gone,
    liveness: { kind: 'unknown', words: gone ? 'the task is gone' : 'the task file can’t be read' },
    byName: false,
    background: false,
    status: undefined,
    silentMs: undefined,
    authored: undefined,
    interrupted: false,
    hold: false,
  };
}
