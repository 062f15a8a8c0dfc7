import { timestampMs } from '../words/timestamp.ts';

/** One line of a log, and what stands in it; undefined for a line that is no JSON object. */
export interface LogLine {
  raw: string;
  record: Record<string, unknown> | undefined;
}

/** What a log keeps when it is compacted. */
export interface Retention {
  /** What is settled is kept for so long. */
  settledMs: number;
  /** What is not settled is kept for so long, and longer while its process runs. */
  openMs: number;
  /** Beyond so many bytes the oldest of what is settled goes, however young. */
  maxBytes: number;
  /** Whether one result of an intent says that nothing more can come of it. */
  settles: (result: Record<string, unknown>) => boolean;
  /** Whether a process runs, by pid and start time. */
  running: (pid: unknown, procStart: unknown) => boolean;
}

/**
 * The lines of a log of intents and results that are kept, in their order and as they stand. An intent and its results stay or go
 * together. A line without an id, a step or a time that can be read is somebody's and stays; a torn one says nothing and goes.
 */
export function linesToKeep(lines: readonly LogLine[], now: number, retention: Retention): string[] {
  const groups = new Map<string, Group>();
  const own: { raw: string; group: Group | undefined }[] = [];
  for (const { raw, record } of lines) {
    if (record === undefined) continue;
    const group = groupOf(record, groups);
    if (group !== undefined) take(group, raw, record, retention);
    own.push({ raw, group });
  }
  let bytes = own.reduce((sum, { raw, group }) => sum + (group === undefined ? raw.length + 1 : 0), 0);
  const byAge = [...groups.values()].filter((group) => lasts(group, now, retention)).sort((a, b) => b.at - a.at);
  const kept = new Set<Group>();
  for (const group of byAge.filter(({ open }) => open)) {
    kept.add(group);
    bytes += group.bytes;
  }
  for (const group of byAge.filter(({ open }) => !open)) {
    bytes += group.bytes;
    if (bytes > retention.maxBytes) break;
    kept.add(group);
  }
  return own.flatMap(({ raw, group }) => (group === undefined || kept.has(group) ? [raw] : []));
}

/** All lines of one id. */
interface Group {
  /** Time of the last line, ms since 1970. */
  at: number;
  bytes: number;
  /** No result since its last intent settles it. */
  open: boolean;
  running: boolean;
}

function groupOf({ id, step, at }: Record<string, unknown>, groups: Map<string, Group>): Group | undefined {
  if (typeof id !== 'string' || (step !== 'intent' && step !== 'result')) return undefined;
  if (timestampMs(at) === undefined) return undefined;
  const known = groups.get(id) ?? { at: 0, bytes: 0, open: false, running: false };
  groups.set(id, known);
  return known;
}

function take(group: Group, raw: string, record: Record<string, unknown>, { settles, running }: Retention): void {
  group.at = Math.max(group.at, timestampMs(record.at) ?? 0);
  group.bytes += raw.length + 1;
  if (record.step === 'result') group.open = group.open && !settles(record);
  else {
    group.open = true;
    group.running = running(record.pid, record.procStart);
  }
}

function lasts({ at, open, running }: Group, now: number, { settledMs, openMs }: Retention): boolean {
  return now - at <= (open ? openMs : settledMs) || (open && running);
}
