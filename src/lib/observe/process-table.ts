import type { Sourced } from '../reading.ts';

/** One process, as one pass over the machine saw it. */
export interface ProcessInfo {
  pid: number;
  ppid: number;
  /** Opaque start time; with the pid it is the process's identity. */
  procStart: string;
  /** Resident set, bytes. Shared pages are counted in every process. */
  rssBytes: number;
  hasTty: boolean;
  zombie: boolean;
  /** Command name, as the kernel has it (Linux: at most 15 characters). */
  comm: string;
}

/** What one pass saw, with the questions that are asked of it. Built by linux-processes or macos-processes. */
export class ProcessTable {
  readonly byPid: ReadonlyMap<number, ProcessInfo>;
  readonly #children: Map<number, number[]>;
  readonly #argv: (pid: number) => string[] | undefined;
  readonly #environ: (pid: number) => Map<string, string> | undefined;

  constructor(
    processes: readonly ProcessInfo[],
    argv: (pid: number) => string[] | undefined,
    environ: (pid: number) => Map<string, string> | undefined,
  ) {
    this.byPid = new Map(processes.map((one) => [one.pid, one]));
    this.#children = new Map();
    for (const one of processes) {
      const siblings = this.#children.get(one.ppid);
      if (siblings) siblings.push(one.pid);
      else this.#children.set(one.ppid, [one.pid]);
    }
    this.#argv = argv;
    this.#environ = environ;
  }

  /** A process that still runs code; a zombie does not. */
  alive(pid: number): ProcessInfo | undefined {
    const one = this.byPid.get(pid);
    return one === undefined || one.zombie ? undefined : one;
  }

  /** Its words, or undefined when it is gone or not ours to read. */
  argv(pid: number): string[] | undefined {
    return this.#argv(pid);
  }

  /** The environment it was started with, or undefined when that can't be read. */
  environ(pid: number): Map<string, string> | undefined {
    return this.#environ(pid);
  }

  /** `pid` and all that descends from it, each once (a torn pass can hold a cycle). `stopAt` leaves out subtrees. */
  tree(pid: number, stopAt?: (pid: number) => boolean): number[] {
    const seen = new Set<number>();
    const open = [pid];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (seen.has(next) || !this.byPid.has(next)) continue;
      seen.add(next);
      for (const child of this.#children.get(next) ?? []) if (!stopAt?.(child)) open.push(child);
    }
    return [...seen];
  }

  /** Parent, grandparent, … of `pid`, nearest first. */
  ancestors(pid: number): number[] {
    const line: number[] = [];
    for (let at = this.byPid.get(pid)?.ppid; at !== undefined && at > 0 && !line.includes(at); ) {
      line.push(at);
      at = this.byPid.get(at)?.ppid;
    }
    return line;
  }

  /** Resident bytes of a whole process tree. */
  treeRssBytes(pid: number, stopAt?: (pid: number) => boolean): number {
    return this.tree(pid, stopAt).reduce((sum, one) => sum + (this.byPid.get(one)?.rssBytes ?? 0), 0);
  }
}

/** One pass over the process table of this machine. */
export async function scanProcesses(platform: NodeJS.Platform = process.platform): Promise<Sourced<ProcessTable>> {
  try {
    if (platform === 'linux') return { ok: true, value: (await import('./linux-processes.ts')).scanProc() };
    if (platform === 'darwin') return await (await import('./macos-processes.ts')).scanWithPs();
    return { ok: false, why: `no process reader for ${platform}` };
  } catch (error) {
    return { ok: false, why: `the process table could not be read: ${(error as Error).message}` };
  }
}
