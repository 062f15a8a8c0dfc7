import { lstatSync, readFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import type { InboxReading } from '../decide/message.ts';
import { errnoOf, messageOf } from '../errors.ts';
import { procStartOf } from '../store/process-identity.ts';
import type { Session } from './sessions.ts';

/**
 * Where a session takes messages: the socket named in Claude's own note on its process. The note outlives a killed process and
 * pids are used again, so pid, start time and session id in it must all be those of the live session, and the path
 * a socket of ours. Read right before each use.
 */
export function inboxOf(claudeDir: string, session: Session): InboxReading {
  const file = join(claudeDir, 'sessions', `${session.pid}.json`);
  let note: Record<string, unknown>;
  try {
    note = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if (errnoOf(error) === 'ENOENT')
      return { kind: 'none', why: 'Claude keeps no note on its process, so no inbox is known' };
    return { kind: 'unsure', why: `${file} can’t be read: ${messageOf(error)}` };
  }
  const unsure = (why: string): InboxReading => ({ kind: 'unsure', why: `${file} ${why}` });
  if (typeof note !== 'object' || note === null || note.pid !== session.pid) return unsure('names another process');
  if (note.sessionId !== session.sessionId) return unsure('names another session');
  if (note.procStart !== session.procStart || procStartOf(session.pid) !== session.procStart)
    return unsure('is of another process with the same pid');
  const path = note.messagingSocketPath;
  if (path === undefined || path === null) return { kind: 'none', why: 'it binds no inbox socket' };
  if (typeof path !== 'string' || !isAbsolute(path)) return unsure('names no path as its inbox');
  try {
    const stats = lstatSync(path);
    if (!stats.isSocket()) return { kind: 'unsure', why: `its inbox ${path} is no socket` };
    if (stats.uid !== process.getuid?.()) return { kind: 'unsure', why: `its inbox ${path} belongs to somebody else` };
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return { kind: 'none', why: 'its inbox socket is gone' };
    return { kind: 'unsure', why: `its inbox can’t be looked at: ${messageOf(error)}` };
  }
  return { kind: 'open', path };
}
