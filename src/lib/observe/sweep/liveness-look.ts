import { decideLiveness, type Liveness, type LivenessFacts } from '../../decide/sweep/liveness.ts';
import type { Heartbeat } from '../../store/heartbeat.ts';
import type { Environment } from '../../store/places.ts';
import type { Task } from '../../store/task-schema.ts';
import { readScreen } from '../screen.ts';
import type { Pane } from '../tmux.ts';
import { captureScreen } from '../tmux-screen.ts';
import { type FleetIndex, seenSession } from './fleet-index.ts';

export interface LivenessInput {
  task: Task;
  heartbeat: Heartbeat | undefined;
  /** The open task, other than this one, that names a session. */
  claimedBy: (sessionId: string) => string | undefined;
}

/** Reads whether a task's Driver lives. A screen is looked at only when a process stands where no session is listed. */
export async function lookForDriver(
  { task, heartbeat, claimedBy }: LivenessInput,
  index: FleetIndex,
  env: Environment,
): Promise<Liveness> {
  const { fleet } = index;
  const { driverSid } = task;
  const bySid = driverSid === undefined ? [] : index.bySid(driverSid).map(seenSession);
  const other = heartbeat?.sid === driverSid ? undefined : heartbeat?.sid;
  const facts: LivenessFacts = {
    driverSid,
    intendedSid: task.spawnIntent?.sid,
    roster: fleet.roster.rows,
    processes: fleet.processes,
    bySid,
    seen: seenProcess(task, index),
    byHeartbeat: other === undefined ? [] : index.bySid(other).map(seenSession),
    named: [],
    pane: { answer: 'no', evidence: 'not looked for' },
    daemonRow: driverSid !== undefined && index.hasDaemonRow(driverSid),
    claimedBy,
  };
  const early = decideLiveness(facts);
  // The rest costs more, and matters only where nothing has been found: or where something stands that is not listed.
  const settled =
    early.kind !== 'absent' && early.kind !== 'none' && !(bySid.length === 1 && bySid[0]?.listed === false);
  if (settled) return early;
  if (driverSid !== undefined) facts.named = index.naming(driverSid);
  facts.pane = await lookAtPane(task, index, env);
  return decideLiveness(facts);
}

function seenProcess({ driverSeen }: Task, index: FleetIndex): LivenessFacts['seen'] {
  const { processes } = index.fleet;
  if (driverSeen === undefined || !processes.ok) return undefined;
  const { pid, procStart } = driverSeen;
  if (processes.value.alive(pid)?.procStart !== procStart) return undefined;
  const session = index.byPid(pid);
  return { pid, session: session === undefined ? undefined : seenSession(session) };
}

/** The pane that the task's session was started in. A background Driver has none. */
async function lookAtPane({ launch }: Task, index: FleetIndex, env: Environment): Promise<LivenessFacts['pane']> {
  const name = launch?.tmuxSession;
  if (name === undefined || launch?.kind === 'background')
    return { answer: 'no', evidence: 'it has no pane of its own' };
  const failed = [...index.fleet.panes.values()].find((panes) => !panes.ok);
  const panes = index.panesOf(name);
  for (const pane of panes) {
    const [session] = index.sessionsIn(pane);
    if (session === undefined) continue;
    const evidence = `pane ${pane.paneId} holds process ${session.pid}${session.sessionId === undefined ? '' : ` (session ${session.sessionId})`}`;
    const dialog = session.listed ? undefined : await dialogOn(pane, env);
    return { answer: 'yes', evidence, session: seenSession(session), ...(dialog === undefined ? {} : { dialog }) };
  }
  if (failed !== undefined && !failed.ok) return { answer: 'unknown', evidence: failed.why };
  const evidence = panes.length === 0 ? `no pane of tmux session ${name}` : `tmux session ${name} holds no claude`;
  return { answer: 'no', evidence };
}

async function dialogOn(pane: Pane, env: Environment): Promise<string | undefined> {
  const screen = await captureScreen(env, pane.socket, pane.paneId);
  if (!screen.ok) return undefined;
  const reading = readScreen(screen.value);
  return reading.kind === 'dialog' ? reading.title : undefined;
}
