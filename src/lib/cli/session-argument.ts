import { EXIT, FleetError } from '../errors.ts';
import { safeText } from '../words/safe-text.ts';
import { isSessionId, isShortId } from '../words/session-id.ts';

/** A word that can name a session; else FleetError 64. Ids become file names. */
export function sessionArgument(word = ''): string {
  if (isSessionId(word) || isShortId(word)) return word;
  throw new FleetError(
    EXIT.usage,
    `${safeText(word, 60)} is no session id (a full id, or the short id of a background session)`,
    { field: 'SESSION' },
  );
}
