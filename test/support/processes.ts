import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

/** True while a process of that id exists (a zombie does not count). */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return process.platform !== 'linux';
  }
}

/** The processes whose environment carries this HOME: a world's own, however they were started. */
export function pidsWithHome(home: string): number[] {
  return process.platform === 'linux' ? fromProc(home) : fromPs(home);
}

function fromProc(home: string): number[] {
  const entry = `HOME=${home}`;
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(entry) && isAlive(pid);
      } catch {
        return false;
      }
    });
}

function fromPs(home: string): number[] {
  const listing = execFileSync('ps', ['-Aww', '-E', '-o', 'pid=,command='], { encoding: 'utf8' });
  return listing
    .split('\n')
    .filter((line) => ` ${line} `.includes(` HOME=${home} `))
    .map((line) => Number.parseInt(line, 10))
    .filter((pid) => pid > 0 && pid !== process.pid);
}

/** Ends every process of that HOME, gently first, and returns those that would not go. */
export async function endAllOf(home: string): Promise<number[]> {
  for (const signal of ['SIGTERM', 'SIGKILL', 'SIGKILL'] as const) {
    const left = pidsWithHome(home);
    for (const pid of left) signalQuietly(pid, signal);
    for (let i = 0; i < 20 && pidsWithHome(home).length > 0; i++) await pause(50);
  }
  return pidsWithHome(home);
}

/** Sends a signal; a process that has just gone is not an error. */
export function signalQuietly(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {}
}
