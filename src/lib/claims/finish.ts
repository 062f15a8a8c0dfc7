import type { Finalization } from '../decide/claim/finalize.ts';
import type { Lease } from '../decide/claim/lease.ts';
import type { ClaimsDatabase, Statements } from './database.ts';

export interface FinishRequest extends Finalization {
  rawExitCode: number | undefined;
  /** What finalizes: `task-claim`, `session-run`, `reap`. */
  source: string;
  host: string;
  pid: number;
  /** Wall clock, ms since 1970. */
  at: number;
}

/** `done-before`: this very lease was finalized already. `lost`: somebody else holds the key by now. `unknown`: there is none. */
export type Finished = 'done' | 'done-before' | 'lost' | 'unknown';

/**
 * Ends one lease, by its generation (the fencing token), once: its state and the row that says why are written together. An
 * old holder, whose lease was taken over, is refused.
 */
export function finishLease(
  db: ClaimsDatabase,
  lease: Pick<Lease, 'key' | 'generation'>,
  request: FinishRequest,
): Promise<Finished> {
  return db.transaction((within) => finishWithin(within, lease, request));
}

/** The same, inside a transaction of the caller's. */
export async function finishWithin(
  db: Statements,
  { key, generation }: Pick<Lease, 'key' | 'generation'>,
  request: FinishRequest,
): Promise<Finished> {
  const { outcome, reason, rawExitCode, source, host, pid, at } = request;
  const state = outcome === 'complete' ? 'completed' : 'abandoned';
  const ended = await db.all(
    "UPDATE task_claims SET state = ? WHERE claim_key = ? AND generation = ? AND state = 'held' RETURNING claim_key",
    [state, key, generation],
  );
  if (ended.length === 0) return whyNot(db, key, generation);
  await db.all(
    `INSERT INTO task_claim_finalizations
       (claim_key, generation, outcome, reason, raw_exit_code, source, finalized_at, host, pid)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (claim_key, generation) DO NOTHING`,
    [key, generation, outcome, reason, rawExitCode ?? null, source, at, host, pid],
  );
  return 'done';
}

async function whyNot(db: Statements, key: string, generation: number): Promise<Finished> {
  const [row] = await db.all('SELECT generation FROM task_claims WHERE claim_key = ?', [key]);
  if (row === undefined || Number(row.generation) < generation) return 'unknown';
  return Number(row.generation) === generation ? 'done-before' : 'lost';
}

/** How a lease was finalized; undefined when it was not. */
export async function finalizationOf(
  db: Statements,
  { key, generation }: Pick<Lease, 'key' | 'generation'>,
): Promise<(Finalization & { source: string; at: number; rawExitCode: number | undefined }) | undefined> {
  const [row] = await db.all(
    `SELECT outcome, reason, source, finalized_at, raw_exit_code FROM task_claim_finalizations
     WHERE claim_key = ? AND generation = ?`,
    [key, generation],
  );
  if (row === undefined) return undefined;
  return {
    outcome: row.outcome === 'complete' ? 'complete' : 'abandon',
    reason: String(row.reason),
    source: String(row.source),
    at: Number(row.finalized_at),
    rawExitCode: row.raw_exit_code === null ? undefined : Number(row.raw_exit_code),
  };
}
