import type { Sourced } from '../reading.ts';
import { boundedRun, failureOf } from './bounded-run.ts';
import { environment } from './linux-processes.ts';
import { type ProcessInfo, ProcessTable } from './process-table.ts';

/** The columns of our `ps` call; the free text stands last. */
export const PS_ARGS = ['-Awwo', 'pid=,ppid=,rss=,state=,tty=,lstart=,command='] as const;

const LINE = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\S+)\s+(\w{3} +\w{3} +\d+ [\d:]{8} \d{4})\s+(.*)$/;

/** One line of that call; undefined for one of another shape. `rss` is in KiB and leaves out compressed pages. */
export function parsePsLine(line: string): { info: ProcessInfo; command: string } | undefined {
  const hit = LINE.exec(line);
  if (!hit) return undefined;
  const [, pid, ppid, rss, state = '', tty = '', lstart = '', command = ''] = hit;
  const first = command.split(' ', 1)[0] ?? '';
  return {
    info: {
      pid: Number(pid),
      ppid: Number(ppid),
      procStart: lstart,
      rssBytes: Number(rss) * 1024,
      hasTty: tty !== '??' && tty !== '-',
      zombie: state.startsWith('Z'),
      comm: first.slice(first.lastIndexOf('/') + 1),
    },
    command,
  };
}

/** One `ps` over all processes. Environments come from a second `ps -E`, made once and only when one is asked for. */
export async function scanWithPs(): Promise<Sourced<ProcessTable>> {
  const env = { ...process.env, LC_ALL: 'C', TZ: 'UTC' };
  const outcome = await boundedRun('ps', [...PS_ARGS], { timeoutMs: 10_000, env });
  if (outcome.kind !== 'ended' || outcome.code !== 0)
    return { ok: false, why: failureOf(outcome, 'ps') ?? 'ps failed' };
  // The owner's processes with their environments appended to the command: `command NAME=value …`.
  const withEnv = await boundedRun('ps', ['-xEwwo', 'pid=,command='], { timeoutMs: 10_000, env });
  return { ok: true, value: tableOfPs(outcome.stdout, withEnv.kind === 'ended' ? withEnv.stdout : '') };
}

/** The table of two recorded `ps` outputs. ps separates words by spaces, so a word with a space in it comes apart. */
export function tableOfPs(listing: string, withEnvironment: string): ProcessTable {
  const parsed = listing.split('\n').flatMap((line) => parsePsLine(line) ?? []);
  const commands = new Map(parsed.map(({ info, command }) => [info.pid, command]));
  const environments = new Map<number, string>();
  for (const line of withEnvironment.split('\n')) {
    const hit = /^\s*(\d+)\s+(.*)$/.exec(line);
    if (hit) environments.set(Number(hit[1]), hit[2] ?? '');
  }
  return new ProcessTable(
    parsed.map(({ info }) => info),
    (pid) => commands.get(pid)?.split(' '),
    (pid) =>
      environment(
        environments
          .get(pid)
          ?.split(/ (?=[A-Za-z_][A-Za-z0-9_]*=)/)
          .slice(1),
      ),
  );
}
