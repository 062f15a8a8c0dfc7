import type { Session } from './sessions.ts';
import { readTranscript, type TranscriptReading } from './transcript.ts';

/** How long a session has been silent, or why that can't be told. A session without a transcript has said nothing yet. */
export type Silence = { ok: true; idleMs: number; transcript: TranscriptReading } | { ok: false; why: string };

/**
 * ms since the last write of the transcript or a sub-agent's. A write in the future (the clock was stepped back) is no
 * silence that could be measured. `glance` for a list, see readTranscript.
 */
export function silenceOf(session: Session, claudeDir: string, now: number, { glance = false } = {}): Silence {
  if (session.sessionId === undefined) return { ok: false, why: 'no session id' };
  const transcript = readTranscript(claudeDir, session.sessionId, session.cwd, { glance });
  if (transcript.kind === 'unknown') return { ok: false, why: transcript.why };
  if (transcript.kind === 'none') return { ok: false, why: 'no transcript found' };
  if (transcript.lastWriteMs > now + 2000)
    return { ok: false, why: 'its transcript was written in the future (a stepped clock?)' };
  return { ok: true, idleMs: Math.max(0, now - transcript.lastWriteMs), transcript };
}
