import type { Sourced } from '../../reading.ts';
import type { Verdict } from './verdict.ts';

/** A live session as liveness needs it. */
export interface SeenSession {
  pid: number;
  procStart: string;
  sessionId: string | undefined;
  /** In the roster; one that is not starts, or stands on a dialog. */
  listed: boolean;
  kind: 'interactive' | 'background' | 'unknown';
  status: string | undefined;
  waitingFor: string | undefined;
  startedAt: number | undefined;
}

/** What was read of one task's Driver, in one look. */
export interface LivenessFacts {
  driverSid: string | undefined;
  /** The id that an unfinished start of it was given: what stands under that is judged by who finishes the start. */
  intendedSid?: string | undefined;
  roster: Sourced<unknown>;
  processes: Sourced<unknown>;
  /** Live sessions under driverSid. */
  bySid: readonly SeenSession[];
  /** The process the task saw last, when it runs (pid and start time), and the session it is now. */
  seen: { pid: number; session: SeenSession | undefined } | undefined;
  /** Live sessions under the id that the watcher's heartbeat names, when that is another one. */
  byHeartbeat: readonly SeenSession[];
  /** Processes that were started under driverSid and are no session. */
  named: readonly number[];
  /** The task's own pane: does its process tree hold a claude? With the session it holds, and the dialog on its screen. */
  pane: { answer: 'yes' | 'no' | 'unknown'; evidence: string; session?: SeenSession; dialog?: string };
  /** Claude's own daemon lists the session without a process: it may bring it back. */
  daemonRow: boolean;
  /** Open tasks, other than this one, by the session ids they name. */
  claimedBy: (sessionId: string) => string | undefined;
}

export type Liveness =
  | { kind: 'alive'; by: 'session id' | 'process'; session: SeenSession | undefined; words: string }
  /** Alive under an id the task does not know: after /clear, or revived by the watcher. */
  | { kind: 'adopt'; by: 'cleared' | 'watcher'; session: SeenSession; sessionId: string; words: string }
  | { kind: 'twins'; pids: number[]; words: string }
  | { kind: 'blocked'; pid: number; dialog: string; words: string }
  | { kind: 'unknown'; words: string }
  /** Roster, processes and pane were all read and all say no. */
  | { kind: 'absent'; daemonRow: boolean; words: string }
  /** It never had a Driver. */
  | { kind: 'none'; words: string };

/**
 * Whether a task's Driver lives (design §4, ADR 0035 decision 5): by session id, names are labels; dead only if roster,
 * processes and pane were all read and all say no. One source that can't be read, without a yes elsewhere, is unknown.
 */
export function decideLiveness(facts: LivenessFacts): Liveness {
  const { driverSid, intendedSid, roster, processes, bySid, seen, byHeartbeat, named, pane, claimedBy } = facts;
  if (!processes.ok) return unknown(processes.why);
  const [own] = bySid;
  if (bySid.length > 1) return twins(bySid, 'one session id');
  if (own?.listed) return { kind: 'alive', by: 'session id', session: own, words: wordsOf(own) };
  if (own !== undefined) return standing(own.pid, pane);
  if (seen !== undefined) return bySeen(seen, facts);
  if (!roster.ok) return unknown(roster.why);
  const [moved] = byHeartbeat;
  if (byHeartbeat.length > 1) return twins(byHeartbeat, 'the session id that its watcher names');
  if (moved?.sessionId !== undefined && moved.listed) {
    const other = claimedBy(moved.sessionId);
    if (other !== undefined)
      return unknown(`its watcher names session ${moved.sessionId}, which task ${other} names too`);
    const words = `its watcher revived it as session ${moved.sessionId}`;
    return { kind: 'adopt', by: 'watcher', session: moved, sessionId: moved.sessionId, words };
  }
  if (named[0] !== undefined) return standing(named[0], pane);
  if (pane.answer === 'unknown') return unknown(pane.evidence);
  const starting = pane.session?.listed && intendedSid !== undefined && pane.session.sessionId === intendedSid;
  if (pane.answer === 'yes' && !starting) {
    if (pane.session?.listed) return unknown(`its pane holds another session: ${pane.evidence}`);
    return standing(pane.session?.pid ?? 0, pane);
  }
  if (driverSid === undefined) return { kind: 'none', words: 'it has had no Driver' };
  const row = facts.daemonRow ? '; Claude’s daemon lists it without a process' : '';
  return { kind: 'absent', daemonRow: facts.daemonRow, words: `no process of session ${driverSid}${row}` };
}

/** The process that the task saw last runs: the Driver lives, whatever id it has now (`/clear` changes it; facts, "Identity"). */
function bySeen(seen: NonNullable<LivenessFacts['seen']>, { roster, driverSid, claimedBy }: LivenessFacts): Liveness {
  const { pid, session } = seen;
  const sessionId = session?.sessionId;
  if (!roster.ok || session === undefined || sessionId === undefined || sessionId === driverSid) {
    return { kind: 'alive', by: 'process', session: undefined, words: `process ${pid} that it was seen as runs` };
  }
  const other = claimedBy(sessionId);
  if (other !== undefined) return unknown(`its process ${pid} is now session ${sessionId}, which task ${other} names`);
  const words = `process ${pid} is now session ${sessionId}: /clear`;
  return { kind: 'adopt', by: 'cleared', session, sessionId, words };
}

/** A process that is no session in the roster: on a dialog it is blocked at launch, else it starts (or nobody knows). */
function standing(pid: number, { dialog }: LivenessFacts['pane']): Liveness {
  if (dialog === undefined) return unknown(`process ${pid} is not in the roster: it starts, or stands on a dialog`);
  return { kind: 'blocked', pid, dialog, words: `process ${pid} stands on a dialog at launch: ${dialog}` };
}

function twins(sessions: readonly SeenSession[], what: string): Liveness {
  const pids = sessions.map(({ pid }) => pid).sort((left, right) => left - right);
  return { kind: 'twins', pids, words: `processes ${pids.join(' and ')} have ${what}` };
}

function wordsOf({ sessionId, pid, status, waitingFor }: SeenSession): string {
  const doing = status === undefined ? '' : `, ${status}${waitingFor === undefined ? '' : ` (${waitingFor})`}`;
  return `session ${sessionId} runs as process ${pid}${doing}`;
}

const unknown = (words: string): Liveness => ({ kind: 'unknown', words });

/** The liveness as a verdict: it fires when the task must learn of it. */
export function livenessVerdict(liveness: Liveness): Verdict<Liveness['kind']> {
  const fires = liveness.kind === 'adopt' || liveness.kind === 'twins' || liveness.kind === 'blocked';
  return { rule: 'liveness', kind: liveness.kind, fires, words: liveness.words };
}
