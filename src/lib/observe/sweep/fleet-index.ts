import type { SeenSession } from '../../decide/sweep/liveness.ts';
import type { Fleet } from '../fleet.ts';
import type { Session } from '../sessions.ts';
import { type Silence, silenceOf } from '../silence.ts';
import type { Pane } from '../tmux.ts';

/** One look at the fleet, by what a sweep asks of it: made once, asked for every task. */
export class FleetIndex {
  readonly fleet: Fleet;
  readonly #bySid = new Map<string, Session[]>();
  readonly #byPid = new Map<number, Session>();
  readonly #panesBySession = new Map<string, Pane[]>();
  readonly #daemonRows: ReadonlySet<string>;
  readonly #silences = new Map<number, Silence>();
  #words: Map<string, number[]> | undefined;

  constructor(fleet: Fleet) {
    this.fleet = fleet;
    for (const session of fleet.joined?.sessions ?? []) {
      this.#byPid.set(session.pid, session);
      if (session.sessionId !== undefined) push(this.#bySid, session.sessionId, session);
    }
    for (const panes of fleet.panes.values()) {
      if (panes.ok) for (const pane of panes.value) push(this.#panesBySession, pane.session, pane);
    }
    const rows = fleet.joined?.deadRows ?? [];
    this.#daemonRows = new Set(rows.flatMap(({ kind, sessionId }) => (kind === 'background' ? (sessionId ?? []) : [])));
  }

  /** Live sessions under an id. */
  bySid(sessionId: string): readonly Session[] {
    return this.#bySid.get(sessionId) ?? [];
  }

  byPid(pid: number): Session | undefined {
    return this.#byPid.get(pid);
  }

  /** Live panes of the tmux sessions of that name, on every server. */
  panesOf(tmuxSession: string): readonly Pane[] {
    return (this.#panesBySession.get(tmuxSession) ?? []).filter(({ dead }) => !dead);
  }

  /** Sessions that run in the process tree of a pane. */
  sessionsIn(pane: Pane): Session[] {
    if (!this.fleet.processes.ok) return [];
    return this.fleet.processes.value.tree(pane.pid).flatMap((pid) => this.#byPid.get(pid) ?? []);
  }

  /** How long a session has been silent, by a glance: read once, however many tasks it drives. */
  silenceOf(session: Session, claudeDir: string): Silence {
    const known = this.#silences.get(session.pid);
    if (known !== undefined) return known;
    const silence = silenceOf(session, claudeDir, this.fleet.at, { glance: true });
    this.#silences.set(session.pid, silence);
    return silence;
  }

  /** The roster lists it as a background job without a process. */
  hasDaemonRow(sessionId: string): boolean {
    return this.#daemonRows.has(sessionId);
  }

  /** Processes (not our own) that have a session id among their words. Read once, when the first task needs it. */
  naming(sessionId: string): number[] {
    this.#words ??= this.#readWords();
    return this.#words.get(sessionId) ?? [];
  }

  #readWords(): Map<string, number[]> {
    const words = new Map<string, number[]>();
    if (!this.fleet.processes.ok) return words;
    const table = this.fleet.processes.value;
    const own = new Set([process.pid, ...table.ancestors(process.pid)]);
    for (const [pid, { zombie }] of table.byPid) {
      if (zombie || own.has(pid)) continue;
      for (const word of table.argv(pid) ?? []) if (word.length === 36 && word[8] === '-') push(words, word, pid);
    }
    return words;
  }
}

/** A session as liveness needs it. */
export function seenSession(session: Session): SeenSession {
  const { pid, procStart, sessionId, listed, kind, status, waitingFor, startedAt } = session;
  return { pid, procStart, sessionId, listed, kind, status, waitingFor, startedAt };
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const there = map.get(key);
  if (there === undefined) map.set(key, [value]);
  else there.push(value);
}
