import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
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
    const { respawnFlags, sessionId: noted } = JSON.parse(
      readSmall(join(claudeDir, 'jobs', shortId, 'state.json')),
    ) as Record<string, unknown>;
    if (noted !== sessionId || !Array.isArray(respawnFlags)) return [];
    return respawnFlags.filter((word): word is string => typeof word === 'string');
  } catch {
    return [];
  }
}

function readSmall(file: string): string {
  const fd = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const { size } = fstatSync(fd);
    if (size > MAX_BYTES) throw new Error('too large');
    const bytes = Buffer.alloc(size);
    return bytes.toString('utf8', 0, readSync(fd, bytes, 0, size, 0));
  } finally {
    closeSync(fd);
  }
}
