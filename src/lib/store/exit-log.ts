import { join } from 'node:path';
import { uniqueWord } from '../words/unique-word.ts';
import { appendCompacted, type CompactedLog, readRecords } from './compacted-log.ts';
import type { Places } from './places.ts';
import type { ProcessIdentity } from './process-identity.ts';

/** How a session is asked to leave. */
export type ExitPath = 'stop' | 'typed';

export interface ExitIntent extends ProcessIdentity {
  sessionId: string;
  path: ExitPath;
  pane?: string;
  socket?: string;
}

/** Where exits are logged: an intent before the act, its steps, its result after it. */
export function exitsFile(places: Places): string {
  return join(places.ownDir, 'exits.jsonl');
}

const MONTH_MS = 30 * 86_400_000;

/** What of it is kept: a `/exit` that may still stand in a box for as long as that session runs, the rest for the report. */
function exitLog(places: Places): CompactedLog {
  return {
    file: exitsFile(places),
    settledMs: MONTH_MS,
    openMs: MONTH_MS,
    maxBytes: 4 << 20,
    settles: ({ cleared }) => cleared === true,
  };
}

/** Writes what is about to be done, and returns the id under which its result is written. */
export async function logExitIntent(places: Places, intent: ExitIntent): Promise<string> {
  const id = uniqueWord();
  await appendCompacted(exitLog(places), { at: new Date().toISOString(), id, step: 'intent', ...intent });
  return id;
}

/** Writes what came of it. `cleared`: nothing that we typed stands in the pane any more. */
export function logExitResult(
  places: Places,
  id: string,
  result: { verdict: string; cleared: boolean; words?: string },
): Promise<void> {
  return appendCompacted(exitLog(places), { at: new Date().toISOString(), id, step: 'result', ...result });
}

/**
 * Whether the last typed exit of that very process has no result, or one that left our text standing: then a `/exit` in
 * its box is ours (we were killed between typing it and taking it back) and no person's draft.
 */
export function ownTextMayStand(places: Places, who: ProcessIdentity): boolean {
  let open: string | undefined;
  for (const record of readRecords(exitsFile(places))) {
    if (
      record.step === 'intent' &&
      record.pid === who.pid &&
      record.procStart === who.procStart &&
      record.path === 'typed'
    ) {
      open = typeof record.id === 'string' ? record.id : undefined;
    } else if (record.step === 'result' && record.id === open && record.cleared === true) open = undefined;
  }
  return open !== undefined;
}
