import { appendFileSync, mkdirSync } from 'node:fs';
import { configDir } from './places.cjs';

/** Notes a signal that a session was sent in `<config dir>/sim/signals.jsonl`: a fleet must never cause one. */
export function noteSignal(session, signal) {
  mkdirSync(`${configDir}/sim`, { recursive: true });
  appendFileSync(
    `${configDir}/sim/signals.jsonl`,
    `${JSON.stringify({ pid: process.pid, sid: session.sid, signal })}\n`,
  );
}
