import { readFileSync } from 'node:fs';
import { totalmem } from 'node:os';
import type { Sourced } from '../reading.ts';
import { boundedRun, failureOf } from './bounded-run.ts';

export interface Memory {
  totalBytes: number;
  /** What could be had without swapping. */
  availableBytes: number;
}

/** MemTotal and MemAvailable of /proc/meminfo. */
export function parseMeminfo(text: string): Memory | undefined {
  const kib = (name: string) => new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1];
  const total = kib('MemTotal');
  const available = kib('MemAvailable');
  if (total === undefined || available === undefined) return undefined;
  return { totalBytes: Number(total) * 1024, availableBytes: Number(available) * 1024 };
}

/**
 * Available memory from macOS `vm_stat`: all but what is wired, compressed or anonymous and not purgeable, so that what
 * only swapping could free does not count. (`os.freemem()` counts the free list alone, next to nothing on a Mac that works.)
 */
export function parseVmStat(text: string, totalBytes: number): Memory | undefined {
  const pageBytes = /page size of (\d+) bytes/.exec(text)?.[1];
  const pages = (name: string) => new RegExp(`^"?${name}"?:\\s+(\\d+)\\.?$`, 'm').exec(text)?.[1];
  const wired = pages('Pages wired down');
  const compressed = pages('Pages occupied by compressor');
  const anonymous = pages('Anonymous pages');
  const purgeable = pages('Pages purgeable');
  if ([pageBytes, wired, compressed, anonymous, purgeable].includes(undefined)) return undefined;
  const used = (Number(wired) + Number(compressed) + Number(anonymous) - Number(purgeable)) * Number(pageBytes);
  return { totalBytes, availableBytes: Math.min(totalBytes, Math.max(0, totalBytes - used)) };
}

/** This machine's memory, or why it can't be read. */
export async function readMemory(platform: NodeJS.Platform = process.platform): Promise<Sourced<Memory>> {
  try {
    if (platform === 'linux') {
      const memory = parseMeminfo(readFileSync('/proc/meminfo', 'utf8'));
      return memory ? { ok: true, value: memory } : { ok: false, why: '/proc/meminfo has another shape' };
    }
    const outcome = await boundedRun('vm_stat', [], { timeoutMs: 5000 });
    if (outcome.kind !== 'ended' || outcome.code !== 0)
      return { ok: false, why: failureOf(outcome, 'vm_stat') ?? 'vm_stat failed' };
    const memory = parseVmStat(outcome.stdout, totalmem());
    return memory ? { ok: true, value: memory } : { ok: false, why: 'vm_stat has another shape' };
  } catch (error) {
    return { ok: false, why: `memory could not be read: ${(error as Error).message}` };
  }
}
