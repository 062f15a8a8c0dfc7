import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { liveSessions } from './roster.cjs';
import { transcriptPath } from './slug.mjs';

/** How a sid is in use: `background`, `interactive`, or not at all. */
export function sidInUse(sid) {
  const session = liveSessions().find((candidate) => candidate.sessionId === sid);
  return session && (session.kind === 'bg' ? 'background' : 'interactive');
}

/** Copies a conversation under a new sid. */
export function copyTranscript(cwd, from, to) {
  const file = transcriptPath(cwd, to);
  let text = '';
  try {
    text = readFileSync(transcriptPath(cwd, from), 'utf8');
  } catch {
    return;
  }
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text.replaceAll(from, to), { mode: 0o600 });
}
