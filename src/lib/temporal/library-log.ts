import { messageOf } from '../errors.ts';
import { monotonicMs } from '../monotonic.ts';
import type { Say } from './say.ts';

/** A line of Temporal's library, as its logger hands it over. */
export interface LibraryEntry {
  level: string;
  message: string;
  meta?: Record<string, unknown> | undefined;
}

const QUIET_MS = 60_000;
const REMEMBERED = 50;

/**
 * What of the library's own log is said: warnings, but not its polling of a server that is away (each of twenty pollers tells of
 * every try; the worker says that once), and nothing twice in a minute, whatever numbers stand in it.
 */
export function libraryLog(say: Say, now: () => number = monotonicMs): (entry: LibraryEntry) => void {
  const lastSaid = new Map<string, number>();
  return ({ level, message, meta }) => {
    if (meta?.sdkComponent === 'core' && (level !== 'ERROR' || message.startsWith('gRPC call'))) return;
    const error = meta?.error === undefined ? '' : `: ${messageOf(meta.error)}`;
    const task = typeof meta?.task === 'string' ? `${meta.task}: ` : '';
    const words = `${task}${message}${error}`;
    const kind = words.replace(/\d+/g, '');
    const at = now();
    if (at - (lastSaid.get(kind) ?? Number.NEGATIVE_INFINITY) < QUIET_MS) return;
    if (lastSaid.size >= REMEMBERED) lastSaid.clear();
    lastSaid.set(kind, at);
    say(words, 'trouble');
  };
}
