import type { WatchState } from '../../decide/watcher/state.ts';
import { watchStateOf } from '../../observe/watch-state.ts';
import { formatDuration } from '../../words/duration.ts';
import { type Finding, ok, wrong } from '../finding.ts';
import { type DoctorLook, SWEEP_FRESH_MS } from '../look.ts';

/** The last sweep is young. */
export function checkSweep({ sweepAgeMs, sweeps }: DoctorLook): Finding[] {
  const mend = 'fleet-schedule install (or, by hand, supervisor-sweep --every 60s)';
  if (sweeps && sweepAgeMs !== undefined) return [ok('sweep', `the last one was ${formatDuration(sweepAgeMs)} ago`)];
  const words =
    sweepAgeMs === undefined ? 'none since this boot' : `the last one was ${formatDuration(sweepAgeMs)} ago`;
  const means = `no Driver is woken, released or let go; more than ${formatDuration(SWEEP_FRESH_MS)} is too old`;
  return [wrong('sweep', words, means, mend)];
}

/**
 * For every open task: its watcher, and who owns the revival of its Driver, and why. "Watcher closed while the task is open" is a
 * failure with its name, never OK (ADR 0035 decision 8).
 */
export function checkWatchers(look: DoctorLook): Finding[] {
  const { context, fleet, open, sweeps } = look;
  return open.map((record) => {
    const { kind, words } = watchStateOf(context, record, fleet.at);
    const task = record.name;
    const owner = ownerOf(kind, sweeps);
    const mend = `task-watcher start ${task}`;
    if (kind === 'closed')
      return wrong('watcher', words, `${owner}; the Supervisor copies that into its STATE.md`, mend, { task });
    if (kind === 'stale') return wrong('watcher', words, owner, `${mend} (and its timer or worker)`, { task });
    if (!sweeps && kind === 'unwatched') {
      return wrong('watcher', 'neither a watcher nor a sweep is at work', owner, 'supervisor-sweep --every 60s', {
        task,
      });
    }
    return ok('watcher', `${words}; ${owner}`, { task });
  });
}

function ownerOf(kind: WatchState['kind'], sweeps: boolean): string {
  if (kind === 'no-driver') return 'there is nothing to revive';
  if (kind === 'ticking') {
    return sweeps
      ? 'a death is its watcher’s for 15 minutes, then the Supervisor’s'
      : 'a death is its watcher’s alone: nobody sweeps';
  }
  return sweeps ? 'a death is the Supervisor’s' : 'nobody would revive its Driver';
}

/** Starts that were written down and not settled: the next sweep finds what they left. */
export function checkStarts({ open, fleet, sweeps }: DoctorLook): Finding[] {
  return open.flatMap(({ name, task }) => {
    const at = task.spawnIntent?.at;
    const age = at === undefined ? 0 : fleet.at - Date.parse(at);
    if (task.spawnIntent === undefined || age < 10 * 60_000) return [];
    const means = sweeps ? 'the sweeps can’t settle it' : 'nobody sweeps, so nobody finds what it left';
    return [
      wrong('start', `a start has been open for ${formatDuration(age)}`, means, `supervisor-sweep --explain ${name}`, {
        task: name,
      }),
    ];
  });
}
