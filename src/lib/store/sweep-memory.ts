import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeAtomic } from './atomic-write.ts';
import type { Moment } from './boot-clock.ts';
import type { Places } from './places.ts';

/** What one sweep tells the next. It is a memory of readings, not of deeds: those stand in the tasks. */
export interface SweepMemory {
  /** When the sweep before looked; undefined before the first. */
  at: Moment | undefined;
  /** Tasks whose Driver lived then. */
  alive: string[];
  /** The breaker that was tripped then, and for how many sweeps in a row. */
  tripped: { reason: string; sweeps: number } | undefined;
  /** The decision in the ledger about it. */
  alarm: { reason: string; decision: string } | undefined;
  /** Tasks for which a person said that a mass reading is right. */
  cleared: string[];
}

const NOTHING: SweepMemory = { at: undefined, alive: [], tripped: undefined, alarm: undefined, cleared: [] };

export function sweepMemoryFile({ ownDir }: Places): string {
  return join(ownDir, 'sweep.json');
}

/** The memory; one that is missing or torn is none: then the next sweep is careful, like the first. */
export function readSweepMemory(places: Places): SweepMemory {
  try {
    const value = JSON.parse(readFileSync(sweepMemoryFile(places), 'utf8')) as Partial<SweepMemory>;
    const { at, alive, tripped, alarm, cleared } = value;
    const moment =
      typeof at?.wall === 'number' && typeof at.mono === 'number' && typeof at.boot === 'string' ? at : undefined;
    return {
      at: moment,
      alive: words(alive),
      tripped:
        typeof tripped?.reason === 'string' && typeof tripped.sweeps === 'number'
          ? { reason: tripped.reason, sweeps: tripped.sweeps }
          : undefined,
      alarm:
        typeof alarm?.reason === 'string' && typeof alarm.decision === 'string'
          ? { reason: alarm.reason, decision: alarm.decision }
          : undefined,
      cleared: words(cleared),
    };
  } catch {
    return { ...NOTHING };
  }
}

/** Writes the memory. It is made anew each minute, so a power cut may lose it (then the next sweep is careful). */
export function writeSweepMemory(places: Places, memory: SweepMemory): void {
  writeAtomic(sweepMemoryFile(places), `${JSON.stringify(memory)}\n`, 'none');
}

function words(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((word): word is string => typeof word === 'string') : [];
}
