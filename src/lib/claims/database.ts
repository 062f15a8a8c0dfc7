/** A value of a row, as both databases give it. */
export type Value = string | number | null;
export type Row = Record<string, Value>;

/** Runs statements, which have `?` for each parameter. */
export interface Statements {
  /** Rows of a query, or of a statement with RETURNING. */
  all(sql: string, params?: readonly Value[]): Promise<Row[]>;
}

/** One connection to the claims, whichever database keeps them. Its callers come one after the other. */
export interface ClaimsDatabase extends Statements {
  /**
   * Runs `work` so that all of it happens or none. Writers of one database come one after the other. Inside, only the
   * statements it is given may be used.
   */
  transaction<T>(work: (within: Statements) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** What a database must be able to do, to be made a ClaimsDatabase. */
export interface RawConnection extends Statements {
  begin(): Promise<void>;
  rollback(): Promise<void>;
  close(): Promise<void>;
}

/** A connection whose callers, and their transactions, come one after the other. */
export function inTurn(raw: RawConnection): ClaimsDatabase {
  let last: Promise<unknown> = Promise.resolve();
  const next = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = last.then(work, work);
    last = turn.catch(() => undefined);
    return turn;
  };
  return {
    all: (sql, params) => next(() => raw.all(sql, params)),
    transaction: (work) =>
      next(async () => {
        await raw.begin();
        try {
          const value = await work(raw);
          await raw.all('COMMIT');
          return value;
        } catch (error) {
          await raw.rollback();
          throw error;
        }
      }),
    close: () => next(() => raw.close()),
  };
}

/** The steps that made the tables what they are; applied in order, each once. Both databases understand all of it. */
export const MIGRATIONS: readonly (readonly string[])[] = [
  [
    `CREATE TABLE task_claims (
      claim_key TEXT PRIMARY KEY,
      generation BIGINT NOT NULL,
      state TEXT NOT NULL,
      host TEXT NOT NULL,
      boot TEXT NOT NULL,
      pid BIGINT NOT NULL,
      proc_start TEXT NOT NULL,
      sid TEXT,
      category TEXT,
      ttl_ms BIGINT NOT NULL,
      renewals BIGINT NOT NULL,
      acquired_at BIGINT NOT NULL,
      renewed_at BIGINT NOT NULL,
      renewed_mono BIGINT NOT NULL
    )`,
    'CREATE INDEX task_claims_by_state ON task_claims (state)',
    `CREATE TABLE task_claim_observations (
      claim_key TEXT NOT NULL,
      observer TEXT NOT NULL,
      generation BIGINT NOT NULL,
      renewals BIGINT NOT NULL,
      boot TEXT NOT NULL,
      mono BIGINT NOT NULL,
      PRIMARY KEY (claim_key, observer)
    )`,
    `CREATE TABLE task_claim_finalizations (
      claim_key TEXT NOT NULL,
      generation BIGINT NOT NULL,
      outcome TEXT NOT NULL,
      reason TEXT NOT NULL,
      raw_exit_code BIGINT,
      source TEXT NOT NULL,
      finalized_at BIGINT NOT NULL,
      host TEXT NOT NULL,
      pid BIGINT NOT NULL,
      PRIMARY KEY (claim_key, generation)
    )`,
  ],
];

/** Brings the tables to what this version knows. Throws when they are of a newer one. */
export async function migrate(db: ClaimsDatabase): Promise<void> {
  await db.all('CREATE TABLE IF NOT EXISTS task_claims_schema (version BIGINT NOT NULL)');
  if ((await versionOf(db)) === MIGRATIONS.length) return;
  await db.transaction(async (within) => {
    const version = await versionOf(within);
    if (version > MIGRATIONS.length) {
      throw new Error(`its tables are of version ${version}, and this toolkit knows ${MIGRATIONS.length}`);
    }
    for (const step of MIGRATIONS.slice(version)) for (const sql of step) await within.all(sql);
    await within.all('DELETE FROM task_claims_schema');
    await within.all('INSERT INTO task_claims_schema (version) VALUES (?)', [MIGRATIONS.length]);
  });
}

async function versionOf(db: Statements): Promise<number> {
  const [row] = await db.all('SELECT MAX(version) AS version FROM task_claims_schema');
  return Number(row?.version ?? 0);
}
