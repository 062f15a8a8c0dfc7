import { environment } from '../../src/lib/observe/linux-processes.ts';
import { type ProcessInfo, ProcessTable } from '../../src/lib/observe/process-table.ts';

export interface MadeProcess extends Partial<ProcessInfo> {
  pid: number;
  argv?: string[];
  env?: Record<string, string>;
}

/** A process table of processes that differ from a plain one only in what is given. */
export function tableOf(processes: readonly MadeProcess[]): ProcessTable {
  const made = new Map(processes.map((one) => [one.pid, one]));
  const infos = processes.map(({ argv, env, ...info }): ProcessInfo => {
    void env;
    return {
      ppid: 1,
      procStart: `s${info.pid}`,
      rssBytes: 1000,
      hasTty: true,
      zombie: false,
      comm: argv?.[0]?.split('/').at(-1) ?? 'sh',
      ...info,
    };
  });
  return new ProcessTable(
    infos,
    (pid) => made.get(pid)?.argv,
    (pid) => environment(Object.entries(made.get(pid)?.env ?? {}).map(([name, value]) => `${name}=${value}`)),
  );
}
