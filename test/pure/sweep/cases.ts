import type { Liveness } from '../../../src/lib/decide/sweep/liveness.ts';
import type { SessionFacts } from '../../../src/lib/decide/sweep/session-facts.ts';
import { no } from '../../../src/lib/reading.ts';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const NOW = 1_800_000_000_000;

export const ALIVE: Liveness = { kind: 'alive', by: 'session id', session: undefined, words: 'it lives' };
export const ABSENT: Liveness = { kind: 'absent', daemonRow: false, words: 'it is dead' };

/** An idle session that nobody looks at, silent for an hour. */
export const QUIET: SessionFacts = {
  status: 'idle',
  waitingFor: undefined,
  silence: { ok: true, idleMs: HOUR },
  attached: no('tmux', 'no client'),
  queued: 0,
};
