import {
  decideLease,
  type Holder,
  type Lease,
  type LeaseVerdict,
  type Observation,
  sameHolder,
} from '../decide/claim/lease.ts';
import type { Moment } from '../store/boot-clock.ts';
import type { ClaimsDatabase, Row, Statements } from './database.ts';
import { finishWithin } from './finish.ts';

/** Where and when a question is asked, and who can tell whether a process runs. */
export interface Asker {
  host: string;
  now: Moment;
  runs: (holder: Holder) => 'yes' | 'no' | 'unknown';
}

export interface AcquireRequest {
  key: string;
  ttlMs: number;
  holder: Holder;
  category?: string | undefined;
}

export type Acquired =
  | { ok: true; lease: Lease; how: 'acquired' | 'renewed' | 'taken-over'; words: string }
  | { ok: false; lease: Lease; words: string };

const COLUMNS =
  'claim_key, generation, state, host, boot, pid, proc_start, sid, category, ttl_ms, renewals, acquired_at, renewed_at, renewed_mono';

/**
 * Takes a lease, or says who has it. One's own is renewed. What is decided on is written only if the row is still the one
 * that was read (its generation and renewals), so of many who want one key one gets it, and no update is lost.
 */
export async function acquire(db: ClaimsDatabase, request: AcquireRequest, asker: Asker): Promise<Acquired> {
  for (;;) {
    const before = await leaseOf(db, request.key);
    if (before?.state === 'held' && sameHolder(before.holder, request.holder)) {
      const renewed = await renew(db, before, asker.now, request.ttlMs);
      if (renewed !== undefined)
        return { ok: true, lease: renewed, how: 'renewed', words: 'renewed: it was held already' };
      continue;
    }
    const verdict = await judge(db, before, asker);
    if (verdict.kind === 'held' && before !== undefined) return { ok: false, lease: before, words: verdict.words };
    const lease = await db.transaction(async (within) => {
      if (verdict.kind !== 'lapsed' || before === undefined) return take(within, request, asker, before);
      // The lease that lapsed has an end of its own, written with the next one's beginning.
      const gone = await finishWithin(within, before, {
        outcome: 'abandon',
        reason: verdict.reason,
        rawExitCode: undefined,
        source: 'acquire',
        host: asker.host,
        pid: request.holder.pid,
        at: asker.now.wall,
      });
      return gone === 'done' ? take(within, request, asker, { ...before, state: 'abandoned' }) : undefined;
    });
    // Undefined: somebody was faster; look again.
    if (lease === undefined) continue;
    return { ok: true, lease, how: verdict.kind === 'lapsed' ? 'taken-over' : 'acquired', words: verdict.words };
  }
}

/** Writes the next generation of a key, if its row is still as it was read. */
async function take(
  db: Statements,
  { key, ttlMs, holder, category }: AcquireRequest,
  { now }: Asker,
  before: Lease | undefined,
): Promise<Lease | undefined> {
  const { host, boot, pid, procStart, sid } = holder;
  const { wall, mono } = now;
  const values = [host, boot, pid, procStart, sid ?? null, category ?? null, ttlMs, 0, wall, wall, mono] as const;
  const [row] = await db.all(
    `INSERT INTO task_claims (${COLUMNS}) VALUES (?, 1, 'held', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (claim_key) DO UPDATE SET
       generation = task_claims.generation + 1, state = 'held', host = excluded.host, boot = excluded.boot,
       pid = excluded.pid, proc_start = excluded.proc_start, sid = excluded.sid, category = excluded.category,
       ttl_ms = excluded.ttl_ms, renewals = 0, acquired_at = excluded.acquired_at, renewed_at = excluded.renewed_at,
       renewed_mono = excluded.renewed_mono
     WHERE task_claims.generation = ? AND task_claims.renewals = ? AND task_claims.state = ?
     RETURNING ${COLUMNS}`,
    [key, ...values, before?.generation ?? 0, before?.renewals ?? 0, before?.state ?? ''],
  );
  return row === undefined ? undefined : leaseIn(row);
}

/** What a lease is, to this host, now; remembers what is seen for the first time. */
export async function judge(db: ClaimsDatabase, lease: Lease | undefined, asker: Asker): Promise<LeaseVerdict> {
  const { host, now, runs } = asker;
  const local = lease?.holder.host === host;
  const observation = lease === undefined || local ? undefined : await observationOf(db, lease.key, host);
  const verdict = decideLease(lease, {
    host,
    boot: now.boot,
    mono: now.mono,
    holderRuns: lease !== undefined && local ? runs(lease.holder) : 'unknown',
    observation,
  });
  if (lease !== undefined && verdict.kind === 'held' && verdict.observe) await observe(db, lease, host, now);
  return verdict;
}

/** Renews a lease that is still that generation; the lease as it is then, or undefined: it is somebody else's, or over. */
export async function renew(
  db: ClaimsDatabase,
  { key, generation }: Pick<Lease, 'key' | 'generation'>,
  now: Moment,
  ttlMs?: number,
): Promise<Lease | undefined> {
  const [row] = await db.all(
    `UPDATE task_claims SET renewals = renewals + 1, renewed_at = ?, renewed_mono = ?, ttl_ms = COALESCE(?, ttl_ms)
     WHERE claim_key = ? AND generation = ? AND state = 'held' RETURNING ${COLUMNS}`,
    [now.wall, now.mono, ttlMs ?? null, key, generation],
  );
  return row === undefined ? undefined : leaseIn(row);
}

/** The row of a key. */
export async function leaseOf(db: ClaimsDatabase, key: string): Promise<Lease | undefined> {
  const [row] = await db.all(`SELECT ${COLUMNS} FROM task_claims WHERE claim_key = ?`, [key]);
  return row === undefined ? undefined : leaseIn(row);
}

/** Leases, oldest first; the held ones alone unless `all`. */
export async function listLeases(db: ClaimsDatabase, { all = false } = {}): Promise<Lease[]> {
  const where = all ? '' : "WHERE state = 'held'";
  return (await db.all(`SELECT ${COLUMNS} FROM task_claims ${where} ORDER BY acquired_at, claim_key`)).map(leaseIn);
}

async function observationOf(db: ClaimsDatabase, key: string, observer: string): Promise<Observation | undefined> {
  const [row] = await db.all(
    'SELECT generation, renewals, boot, mono FROM task_claim_observations WHERE claim_key = ? AND observer = ?',
    [key, observer],
  );
  if (row === undefined) return undefined;
  const { generation, renewals, boot, mono } = row;
  return { generation: Number(generation), renewals: Number(renewals), boot: String(boot), mono: Number(mono) };
}

async function observe(db: ClaimsDatabase, lease: Lease, observer: string, now: Moment): Promise<void> {
  await db.all(
    `INSERT INTO task_claim_observations (claim_key, observer, generation, renewals, boot, mono) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (claim_key, observer) DO UPDATE SET generation = excluded.generation, renewals = excluded.renewals,
       boot = excluded.boot, mono = excluded.mono
     WHERE task_claim_observations.generation <> excluded.generation
       OR task_claim_observations.renewals <> excluded.renewals OR task_claim_observations.boot <> excluded.boot`,
    [lease.key, observer, lease.generation, lease.renewals, now.boot, now.mono],
  );
}

function leaseIn(row: Row): Lease {
  const number = (name: string) => Number(row[name]);
  const state = row.state === 'completed' || row.state === 'abandoned' ? row.state : 'held';
  return {
    key: String(row.claim_key),
    generation: number('generation'),
    state,
    holder: {
      host: String(row.host),
      boot: String(row.boot),
      pid: number('pid'),
      procStart: String(row.proc_start),
      sid: row.sid === null || row.sid === undefined ? undefined : String(row.sid),
    },
    ttlMs: number('ttl_ms'),
    renewals: number('renewals'),
    acquiredAt: number('acquired_at'),
    renewedAt: number('renewed_at'),
    renewedMono: number('renewed_mono'),
  };
}
