import type { ClaudeProcess } from './claude-processes.ts';
import { claudeProcesses } from './claude-processes.ts';
import type { ProcessTable } from './process-table.ts';
import type { RosterRow } from './roster-rows.ts';

/** One live session: a roster row whose process runs, or a session process that the roster does not list. */
export interface Session {
  pid: number;
  procStart: string;
  /** `unlisted`: it starts, or stands on a first-run dialog; it takes memory and a slot all the same. */
  listed: boolean;
  kind: 'interactive' | 'background' | 'unknown';
  sessionId?: string;
  shortId?: string;
  name?: string;
  cwd?: string;
  status?: string;
  waitingFor?: string;
  startedAt?: number;
  /** Resident bytes of its process tree, without the trees of other sessions in it. */
  rssBytes: number;
}

export interface FleetProcesses {
  sessions: Session[];
  /** Daemon, pty hosts, spares and the like: no sessions, but their memory counts. */
  helpers: ClaudeProcess[];
  /** Roster rows without a live process. */
  deadRows: RosterRow[];
}

export interface FleetScope {
  claudeDir: string;
  command: string;
}

/** Joins the roster with the process table. Pure. */
export function joinSessions(rows: readonly RosterRow[], table: ProcessTable, scope: FleetScope): FleetProcesses {
  const listed = new Map<number, RosterRow>();
  const deadRows: RosterRow[] = [];
  for (const row of rows) {
    if (row.pid !== undefined && table.alive(row.pid) !== undefined) listed.set(row.pid, row);
    else deadRows.push(row);
  }
  const processes = claudeProcesses(table, { ...scope, listed: new Set(listed.keys()) });
  const sessionPids = new Set(listed.keys());
  const candidates = processes.filter(
    ({ pid, role, hasTty }) => !listed.has(pid) && hasTty && (role === 'session' || role === 'background-session'),
  );
  for (const { pid } of candidates) sessionPids.add(pid);
  // An npm wrapper waits for the real binary, its child: one session, not two.
  const wrapped = (pid: number) =>
    [...sessionPids].some((other) => other !== pid && table.byPid.get(other)?.ppid === pid);
  const unlisted = candidates.filter(({ pid }) => !wrapped(pid));
  const otherSession = (pid: number) => sessionPids.has(pid);
  const sessions: Session[] = [];
  for (const [pid, row] of listed) {
    const process = table.alive(pid);
    if (process === undefined) continue;
    const { id, pid: _pid, state: _state, ...said } = row;
    sessions.push({
      ...said,
      ...(id === undefined ? {} : { shortId: id }),
      pid,
      procStart: process.procStart,
      listed: true,
      rssBytes: table.treeRssBytes(pid, otherSession),
    });
  }
  for (const { pid, procStart, role, args } of unlisted) {
    const sessionId = wordAfter(args, '--session-id');
    const name = wordAfter(args, '--name') ?? wordAfter(args, '-n');
    sessions.push({
      pid,
      procStart,
      listed: false,
      kind: role === 'session' ? 'interactive' : 'background',
      ...(sessionId === undefined ? {} : { sessionId }),
      ...(name === undefined ? {} : { name }),
      rssBytes: table.treeRssBytes(pid, otherSession),
    });
  }
  const helpers = processes.filter(
    ({ pid, role }) => !sessionPids.has(pid) && ['daemon', 'pty-host', 'spare', 'attach', 'agents-view'].includes(role),
  );
  return { sessions, helpers, deadRows };
}

function wordAfter(args: readonly string[], option: string): string | undefined {
  const at = args.indexOf(option);
  return at < 0 ? undefined : args[at + 1];
}
