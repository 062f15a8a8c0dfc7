import { closeSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs';
import { type ProcessInfo, ProcessTable } from './process-table.ts';

/**
 * One line of /proc/PID/stat. The command name stands in parentheses and may hold anything, parentheses and newlines
 * too, so fields are counted from the last `)`.
 */
export function parseStat(stat: string, pageBytes = 4096): ProcessInfo | undefined {
  const open = stat.indexOf('(');
  const close = stat.lastIndexOf(')');
  if (open < 0 || close < open) return undefined;
  const pid = Number(stat.slice(0, open));
  const state = stat.charCodeAt(close + 2);
  // Fields 4, 7, 22 and 24, walked to rather than split out: a thousand processes make a lot of garbage otherwise.
  const ppid = fieldFrom(stat, close + 2, 1);
  const tty = fieldFrom(stat, ppid.end, 3);
  const start = fieldFrom(stat, tty.end, 15);
  const rss = fieldFrom(stat, start.end, 2);
  const procStart = stat.slice(start.at, start.end);
  if (!Number.isInteger(pid) || rss.at < 0 || !/^\d+$/.test(procStart)) return undefined;
  return {
    pid,
    ppid: Number(stat.slice(ppid.at, ppid.end)),
    procStart,
    rssBytes: Number(stat.slice(rss.at, rss.end)) * pageBytes,
    hasTty: stat.slice(tty.at, tty.end) !== '0',
    zombie: state === 0x5a || state === 0x58,
    comm: stat.slice(open + 1, close),
  };
}

/** Where the field stands that comes `skip` spaces after `from`; `at` is -1 when there is none. */
function fieldFrom(text: string, from: number, skip: number): { at: number; end: number } {
  let at = from;
  for (let n = 0; n < skip && at >= 0; n++) {
    const space = text.indexOf(' ', at);
    at = space < 0 ? -1 : space + 1;
  }
  if (at < 0) return { at: -1, end: text.length };
  const end = text.indexOf(' ', at);
  return { at, end: end < 0 ? text.length : end };
}

/** Walks /proc once. A process that ends meanwhile is left out; argv and environment are read when asked for. */
export function scanProc(root = '/proc'): ProcessTable {
  const pageBytes = pageSize(root);
  const processes: ProcessInfo[] = [];
  for (const name of readdirSync(root)) {
    const first = name.charCodeAt(0);
    if (first < 0x30 || first > 0x39) continue;
    const one = readStat(`${root}/${name}/stat`, pageBytes);
    if (one !== undefined) processes.push(one);
  }
  return new ProcessTable(
    processes,
    (pid) => words(`${root}/${pid}/cmdline`),
    (pid) => environment(words(`${root}/${pid}/environ`)),
  );
}

/** The kernel's page size (4 KiB, but 16 or 64 on some ARM machines): our own size in KiB over our own size in pages. */
function pageSize(root: string): number {
  try {
    const pages = Number(readFileSync(`${root}/self/statm`, 'utf8').split(' ')[0]);
    const kib = Number(/^VmSize:\s+(\d+) kB/m.exec(readFileSync(`${root}/self/status`, 'utf8'))?.[1]);
    const bytes = (kib * 1024) / pages;
    return [4096, 16384, 65536].find((size) => Math.abs(size - bytes) < size / 4) ?? 4096;
  } catch {
    return 4096;
  }
}

// Shared by every read: at a thousand processes, a buffer and an option object each are most of the cost.
const buffer = Buffer.alloc(4096);

function readStat(file: string, pageBytes: number): ProcessInfo | undefined {
  let fd: number;
  try {
    fd = openSync(file, 'r');
  } catch {
    return undefined;
  }
  try {
    return parseStat(buffer.toString('latin1', 0, readSync(fd, buffer, 0, 4096, 0)), pageBytes);
  } catch {
    return undefined;
  } finally {
    closeSync(fd);
  }
}

function words(file: string): string[] | undefined {
  try {
    const text = readFileSync(file, 'utf8');
    return text === '' ? undefined : text.replace(/\0$/, '').split('\0');
  } catch {
    return undefined;
  }
}

/** Name → value of `NAME=value` words. */
export function environment(pairs: readonly string[] | undefined): Map<string, string> | undefined {
  if (pairs === undefined) return undefined;
  const out = new Map<string, string>();
  for (const pair of pairs) {
    const cut = pair.indexOf('=');
    if (cut > 0) out.set(pair.slice(0, cut), pair.slice(cut + 1));
  }
  return out;
}

/** Proportional set size of a process in bytes (shared pages divided among their users), or undefined. Slow: the kernel walks its pages. */
export function pssBytesOf(pid: number, root = '/proc'): number | undefined {
  try {
    const hit = /^Pss:\s+(\d+) kB/m.exec(readFileSync(`${root}/${pid}/smaps_rollup`, 'utf8'));
    return hit ? Number(hit[1]) * 1024 : undefined;
  } catch {
    return undefined;
  }
}
