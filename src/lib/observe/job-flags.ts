import { join } from 'node:path';
import { readSmallFile } from '../store/small-file.ts';
import type { Session } from './sessions.ts';

const MAX_BYTES = 4 << 20;

/**
 * The words that a background session was started with, from Claude Code's own note on its job (`jobs/<short id>/state.json`,
 * `respawnFlags`; seen on 2.1.328): its process may be a spare that shows none. Empty when there is no such note, or it is
 * about another session.
 */
export function jobFlags(claudeDir: string, { kind, shortId, sessionId }: Session): string[] {
  if (kind !== 'background' || shortId === undefined || sessionId === undefined) return [];
  try {
    const note = readSmallFile(join(claudeDir, 'jobs', shortId, 'state.json'), MAX_BYTES) ?? '{}';
    const { respawnFlags, sessionId: noted } = JSON.parse(note) as Record<string, unknown>;
    if (noted !== sessionId || !Array.isArray(respawnFlags)) return [];
    return respawnFlags.filter((word): word is string => typeof word === 'string');
  } catch {
    return [];
  }
}
