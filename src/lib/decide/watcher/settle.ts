import type { TickDecision, WatcherMemory } from './tick.ts';

/**
 * The memory once an act's outcome is known. A revival is counted before it is done; one that was refused (no slot), or that
 * was not needed any more, started nothing and is none: else a full machine would use up the day's five in five minutes.
 */
export function settled(
  memory: WatcherMemory,
  act: TickDecision['act'],
  result: 'done' | 'failed' | 'refused' | 'moved-on' | undefined,
): WatcherMemory {
  if (act.kind !== 'revive' || (result !== 'refused' && result !== 'moved-on')) return memory;
  return { ...memory, revivals: memory.revivals.slice(0, -1) };
}
