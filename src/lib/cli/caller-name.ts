import { userInfo } from 'node:os';
import type { Environment } from '../store/places.ts';
import { isSessionId } from '../words/session-id.ts';
import type { OptionValues } from './spec.ts';

/**
 * Who calls: what `--by` says, else the Claude Code session it is called from (so that no session passes for a person
 * by saying nothing), else the user.
 */
export function callerName(env: Environment, { by }: OptionValues): string {
  if (typeof by === 'string') return by;
  const session = env.CLAUDE_CODE_SESSION_ID;
  if (session !== undefined && isSessionId(session)) return `session ${session}`;
  return env.USER || env.LOGNAME || accountName();
}

function accountName(): string {
  try {
    return userInfo().username;
  } catch {
    // An account without an entry in the user database.
    return 'unknown';
  }
}
