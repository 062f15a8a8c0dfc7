import { type Verdict, verdictsOf } from './verdict.ts';

/** What the watcher wrote when it ended: the last `closed` event. */
export interface WatcherClosed {
  /** ISO 8601, as it was written, and as ms since 1970. */
  at: string;
  atMs: number;
  status: string;
  reason: string | undefined;
}

/** The watcher in task.json. `health`: the named failure, while there is one. */
export interface KnownWatcher {
  status?: string | undefined;
  closedAt?: string | undefined;
  reason?: string | undefined;
  health?: unknown;
}

export interface MirrorFacts {
  terminal: boolean;
  closed: WatcherClosed | undefined;
  /** Its last tick, ms since 1970. */
  tickAtMs: number | undefined;
  /** What task.json says of it already. */
  known: KnownWatcher | undefined;
}

export type MirrorKind = 'no-watcher' | 'same' | 'copy';

/** `watcher`: what task.json shall say. `failure`: the named health failure. `line`: the health line of STATE.md. */
export type MirrorVerdict = Verdict<MirrorKind> & {
  watcher?: { status: string; closedAt?: string; reason?: string; health?: string };
  failure?: 'watcher-closed-while-open';
  line?: string;
};

const { fires, rests } = verdictsOf<MirrorKind>('mirror');

/**
 * Copies the watcher's end into the task (ADR 0035 decision 8). It never changes the task's state: only the finisher does.
 * A watcher that closed while the task is open is a failure with a name, never OK; one that ticked after that runs again.
 */
export function decideMirror({ terminal, closed, tickAtMs, known }: MirrorFacts): MirrorVerdict {
  if (closed === undefined) return rests('no-watcher', 'no watcher of it has closed');
  const again = tickAtMs !== undefined && tickAtMs > closed.atMs;
  const watcher: NonNullable<MirrorVerdict['watcher']> = again
    ? { status: 'running' }
    : { status: closed.status, closedAt: closed.at, ...(closed.reason === undefined ? {} : { reason: closed.reason }) };
  const open = !again && !terminal;
  if (open) watcher.health = 'watcher-closed-while-open';
  const end = `${closed.status} at ${closed.at}${closed.reason === undefined ? '' : `: ${closed.reason}`}`;
  const words = again ? 'its watcher runs again' : `its watcher closed (${end})`;
  const line = open ? `FAILED: the watcher closed while the task is open (${end})` : `ok: ${words}`;
  const more = { watcher, line, ...(open ? { failure: 'watcher-closed-while-open' as const } : {}) };
  const same =
    known?.status === watcher.status &&
    known.closedAt === watcher.closedAt &&
    known.reason === watcher.reason &&
    known.health === watcher.health;
  return { ...(same ? rests('same', words) : fires('copy', words)), ...more };
}
