import type { Context } from '../context.ts';
import type { ExpireFacts } from '../decide/expire.ts';
import { type ProtectingTask, protectionOf, type UnreadTask } from '../decide/protection.ts';
import { messageOf } from '../errors.ts';
import { readTasks, type TaskRecord } from '../store/task-files.ts';
import { TERMINAL_STATES } from '../store/task-schema.ts';
import { attachmentOf } from './attachment.ts';
import { type Fleet, paneOf } from './fleet.ts';
import { silenceOf } from './silence.ts';

/** What expire decides on, for every live session. */
export function expireFacts(context: Context, fleet: Fleet): Promise<ExpireFacts[]> {
  const sessions = fleet.joined?.sessions ?? [];
  const { tasks, unread } = protectors(context.places.tasksDir);
  const { pinned } = context.policy.expire;
  const facts = sessions.map(async (session): Promise<ExpireFacts> => {
    const found = session.kind === 'background' ? undefined : paneOf(session.pid, fleet);
    const pane = found?.answer === 'yes' ? found.pane : undefined;
    const silence = silenceOf(session, context.places.claudeDir, fleet.at);
    const { sessionId, shortId, pid, procStart, name, status } = session;
    return {
      sessionId,
      pid,
      name,
      status,
      silence,
      protection: protectionOf({ sessionId, pid, procStart, name, tmuxSession: pane?.session }, tasks, unread),
      pinned: [sessionId, shortId, name].some((word) => word !== undefined && pinned.includes(word)),
      attached: await attachmentOf(session, fleet, context.env),
      queued: silence.ok && silence.transcript.kind === 'found' ? silence.transcript.queued : undefined,
      twins: sessions.filter((other) => other.sessionId === sessionId).length > 1,
    };
  });
  return Promise.all(facts);
}

/** The tasks as protection needs them. A tasks folder that can't be read protects everybody. */
function protectors(tasksDir: string): { tasks: ProtectingTask[]; unread: UnreadTask[] } {
  try {
    const { tasks, bad } = readTasks(tasksDir);
    return {
      tasks: tasks.map(protector),
      unread: bad.map(({ name, field, problem, text }) => ({ name, problem: `${field}: ${problem}`, text })),
    };
  } catch (error) {
    return { tasks: [], unread: [{ name: tasksDir, problem: messageOf(error), text: undefined }] };
  }
}

function protector({ name, task }: TaskRecord): ProtectingTask {
  return {
    name,
    state: task.state,
    terminal: TERMINAL_STATES.has(task.state),
    sids: [task.driverSid, task.workerSid, task.spawnIntent?.sid].filter((sid) => sid !== undefined),
    driverName: task.driverName,
    tmuxSession: task.launch?.tmuxSession,
    driverSeen: task.driverSeen,
  };
}
