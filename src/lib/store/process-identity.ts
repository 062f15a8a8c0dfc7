import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * A process is its pid and its start time: pids are used again. `procStart` is an opaque word that is equal only for
 * the same start: field 22 of /proc/PID/stat on Linux (clock ticks since boot, as Claude Code writes it too), the
 * `lstart` of ps on macOS.
 */
export interface ProcessIdentity {
  pid: number;
  procStart: string;
}

/** Start time from the text of /proc/PID/stat. The command name may hold spaces and parentheses, so read from the last `)`. */
export function procStartOfStat(stat: string): string | undefined {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const start = fields[19];
  return start !== undefined && /^\d+$/.test(start) ? start : undefined;
}

/** Start time of a live process; undefined when there is none (a zombie counts as gone: it runs nothing more). Throws when it can't be read. */
export function procStartOf(pid: number, platform = process.platform): string | undefined {
  if (platform === 'linux') {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      return /^[ZX]/.test(stat.slice(stat.lastIndexOf(')') + 2)) ? undefined : procStartOfStat(stat);
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      if (code === 'ENOENT' || code === 'ESRCH') return undefined;
      throw error;
    }
  }
  return psStart(pid);
}

function psStart(pid: number): string | undefined {
  try {
    const out = execFileSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], {
      encoding: 'utf8',
      timeout: 5000,
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' },
    }).trim();
    const [, state = '', start = ''] = /^(\S+)\s+(.*)$/.exec(out) ?? [];
    return start === '' || state.startsWith('Z') ? undefined : start;
  } catch (error) {
    // ps exits 1 without output when the pid is not there.
    if ((error as { status?: number }).status === 1) return undefined;
    throw error;
  }
}

/** Whether that very process (pid and start time) still runs. Throws when it can't be read. */
export function isRunning(who: ProcessIdentity): boolean {
  return procStartOf(who.pid) === who.procStart;
}

/** The same of what a file says: what is no identity runs nowhere. */
export function processRuns(pid: unknown, procStart: unknown): boolean {
  return (
    typeof pid === 'number' &&
    Number.isSafeInteger(pid) &&
    typeof procStart === 'string' &&
    isRunning({ pid, procStart })
  );
}

let own: ProcessIdentity | undefined;

/** This process. */
export function ownIdentity(): ProcessIdentity {
  own ??= { pid: process.pid, procStart: procStartOf(process.pid) ?? '' };
  return own;
}
