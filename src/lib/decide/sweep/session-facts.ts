import type { Reading } from '../../reading.ts';

/** What was read of a Driver's live session beyond the roster row. */
export interface SessionFacts {
  status: string | undefined;
  waitingFor: string | undefined;
  /** Since the last write of its transcript or of any sub-agent's, ms. */
  silence: { ok: true; idleMs: number } | { ok: false; why: string };
  /** Somebody looks at it. Read only for the exit ladder. */
  attached?: Reading;
  /** Messages in its queue; undefined when that can't be told. Read only for the exit ladder. */
  queued?: number | undefined;
}
