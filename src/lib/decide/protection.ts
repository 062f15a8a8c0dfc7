import { no, type Reading, unknown, yes } from '../reading.ts';

/** A task as far as protection needs it. */
export interface ProtectingTask {
  name: string;
  /** Terminal tasks protect nobody. */
  terminal: boolean;
  state: string;
  sids: readonly string[];
  driverName?: string | undefined;
  tmuxSession?: string | undefined;
  driverSeen?: { pid: number; procStart: string } | undefined;
}

/** A task file that can't be understood; `text` is what of it could be read. */
export interface UnreadTask {
  name: string;
  problem: string;
  text: string | undefined;
}

export interface ProtectedSession {
  sessionId: string | undefined;
  pid: number;
  procStart: string;
  name: string | undefined;
  tmuxSession: string | undefined;
}

/**
 * Whether an open task protects a session. By session id (a driver, worker or announced one), by the very process the task
 * saw last (it may have changed its id by /clear), and by the labels name and tmux session, which may protect but never
 * expose. `awaiting-human` protects like any open state: that lane is held for a person. A task file that can't be read
 * may name any session, so it protects all of them, until somebody mends it.
 */
export function protectionOf(
  session: ProtectedSession,
  tasks: readonly ProtectingTask[],
  unread: readonly UnreadTask[],
): Reading {
  for (const task of tasks) {
    if (task.terminal) continue;
    const how = boundBy(session, task);
    if (how !== undefined) return yes('tasks', `task ${task.name} (${task.state}) by ${how}`);
  }
  const [first] = unread;
  if (first !== undefined) return unknown('tasks', `task ${first.name} can’t be read: ${first.problem}`);
  return no('tasks', 'no open task names it');
}

function boundBy(session: ProtectedSession, task: ProtectingTask): string | undefined {
  if (session.sessionId !== undefined && task.sids.includes(session.sessionId)) return 'session id';
  if (task.driverSeen?.pid === session.pid && task.driverSeen.procStart === session.procStart) return 'process';
  if (session.name !== undefined && session.name === task.driverName) return 'name';
  if (session.tmuxSession !== undefined && session.tmuxSession === task.tmuxSession) return 'tmux session';
  return undefined;
}
