import type { Context } from '../context.ts';
import type { Sourced } from '../reading.ts';
import type { Environment, Places } from '../store/places.ts';
import { type Memory, readMemory } from './memory.ts';
import { type ProcessTable, scanProcesses } from './process-table.ts';
import { claudeCommand } from './roster.ts';
import { type FleetProcesses, joinSessions, type Session } from './sessions.ts';
import { ownRoster, type RosterSnapshot, sharedRoster } from './shared-roster.ts';
import { type Pane, readPanes } from './tmux.ts';
import { tmuxSockets } from './tmux-sockets.ts';

/** One look at the fleet, shared by every decision made on it: one roster call, one process scan, one tmux call a socket. */
export interface Fleet {
  /** Wall clock when the look began, ms. */
  at: number;
  roster: RosterSnapshot;
  processes: Sourced<ProcessTable>;
  memory: Sourced<Memory>;
  /** Undefined when the roster or the processes could not be read. */
  joined: FleetProcesses | undefined;
  /** Panes by socket; empty when not asked for. */
  panes: Map<string, Sourced<Pane[]>>;
}

export interface ObserveOptions {
  env: Environment;
  places: Places;
  rosterTimeoutMs: number;
  /** How old a shared roster answer may be, ms. */
  rosterMaxAgeMs: number;
  generation?: () => number;
  withPanes?: boolean;
  withMemory?: boolean;
  /** The roster call is shared with no other command, and leaves no file. */
  traceless?: boolean;
}

/** Looks at the fleet. Never throws for what can't be read: each part says so itself. */
export async function observeFleet(options: ObserveOptions): Promise<Fleet> {
  const { env, places, rosterTimeoutMs: timeoutMs, rosterMaxAgeMs: maxAgeMs, generation = () => 0 } = options;
  const at = Date.now();
  // While the roster command runs, everything else is read: both take their time, on two processors.
  const calling = (options.traceless ? ownRoster : sharedRoster)({ env, places, timeoutMs, maxAgeMs, generation });
  const usual = options.withPanes ? tmuxSockets(env, []) : [];
  const early = Promise.all(usual.map((socket) => readPanes(env, socket)));
  let processes = await scanProcesses();
  const memory = options.withMemory ? await readMemory() : { ok: false as const, why: 'not asked' };
  const roster = await calling;
  if (missesAny(processes, roster)) processes = await scanProcesses();
  const joined =
    roster.rows.ok && processes.ok
      ? joinSessions(roster.rows.value, processes.value, { claudeDir: places.claudeDir, command: claudeCommand(env) })
      : undefined;
  const panes = new Map<string, Sourced<Pane[]>>();
  if (options.withPanes) {
    // Servers that only the sessions' own TMUX variables tell of.
    const others = tmuxSockets(env, tmuxVariables(joined?.sessions ?? [], processes)).filter(
      (one) => !usual.includes(one),
    );
    const read = [...(await early), ...(await Promise.all(others.map((socket) => readPanes(env, socket))))];
    for (const [index, socket] of [...usual, ...others].entries()) {
      panes.set(socket, read[index] ?? { ok: false, why: 'not read' });
    }
  }
  return { at, roster, processes, memory, joined, panes };
}

/** A look that begins now, for whoever is about to act: no answer from before it serves. */
export function observeAfresh(context: Context, { withPanes = false } = {}): Promise<Fleet> {
  const { env, places, policy, traceless = false } = context;
  return observeFleet({ env, places, rosterTimeoutMs: policy.roster.timeout, rosterMaxAgeMs: 0, withPanes, traceless });
}

/** Whether the roster lists a process that began after the scan (or that is gone). */
function missesAny(processes: Sourced<ProcessTable>, { rows }: RosterSnapshot): boolean {
  if (!rows.ok || !processes.ok) return false;
  const { byPid } = processes.value;
  return rows.value.some(({ pid }) => pid !== undefined && !byPid.has(pid));
}

function tmuxVariables(sessions: readonly Session[], processes: Sourced<ProcessTable>): string[] {
  if (!processes.ok) return [];
  return sessions.flatMap(({ kind, pid }) =>
    kind === 'background' ? [] : (processes.value.environ(pid)?.get('TMUX') ?? []),
  );
}

/**
 * The pane whose process tree holds `pid`. Unknown when a socket that it may be on could not be read, or when more than
 * one pane claims it; a `no` needs every socket read.
 */
export function paneOf(
  pid: number,
  fleet: Pick<Fleet, 'panes' | 'processes'>,
): { answer: 'yes'; pane: Pane } | { answer: 'no' | 'unknown'; why: string } {
  if (!fleet.processes.ok) return { answer: 'unknown', why: fleet.processes.why };
  const lineage = new Set([pid, ...fleet.processes.value.ancestors(pid)]);
  const holding: Pane[] = [];
  const failed: string[] = [];
  for (const panes of fleet.panes.values()) {
    if (!panes.ok) failed.push(panes.why);
    else holding.push(...panes.value.filter((pane) => !pane.dead && lineage.has(pane.pid)));
  }
  const [first, second] = holding;
  if (second !== undefined)
    return { answer: 'unknown', why: `panes ${first?.paneId} and ${second.paneId} both hold process ${pid}` };
  if (first !== undefined) return { answer: 'yes', pane: first };
  if (failed.length > 0) return { answer: 'unknown', why: failed.join('; ') };
  return {
    answer: 'no',
    why: `no pane of ${fleet.panes.size} tmux server${fleet.panes.size === 1 ? '' : 's'} holds process ${pid}`,
  };
}
