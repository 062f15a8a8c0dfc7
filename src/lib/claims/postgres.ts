import type { Client as PgClient } from 'pg';
import { EXIT, FleetError, messageOf } from '../errors.ts';
import { type ClaimsDatabase, inTurn, type Row, type Value } from './database.ts';

const CONNECT_TIMEOUT_MS = 10_000;
const STATEMENT_TIMEOUT_MS = 20_000;

/** The claims in PostgreSQL, for hosts that share a queue. Throws FleetError 69 when it can't be reached (without the password). */
export async function openPostgres(url: string): Promise<ClaimsDatabase> {
  const { default: pg } = await import('pg');
  // Counts and times are well below 2^53: they are given as numbers, as SQLite gives them.
  pg.types.setTypeParser(20, Number);
  const client: PgClient = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    application_name: 'session-fleet',
  });
  // A connection that is lost between two statements is said by the next one.
  client.on('error', () => undefined);
  try {
    await client.connect();
  } catch (error) {
    throw new FleetError(EXIT.unreadable, `${safeUrl(url)}: ${messageOf(error)}`);
  }
  const all = async (sql: string, params: readonly Value[] = []): Promise<Row[]> => {
    try {
      const { rows } = await client.query(numbered(sql), [...params]);
      return rows as Row[];
    } catch (error) {
      throw new FleetError(EXIT.unreadable, `${safeUrl(url)}: ${messageOf(error)}`);
    }
  };
  return inTurn({
    all,
    begin: async () => {
      await all('BEGIN');
      // Writers come one after the other, as in SQLite; it is let go at the end of the transaction.
      await all('SELECT pg_advisory_xact_lock(7309468)');
    },
    rollback: async () => {
      await client.query('ROLLBACK').catch(() => undefined);
    },
    close: () => client.end(),
  });
}

/** `?` → `$1`, `$2`, …; no statement here has a question mark of another kind. */
function numbered(sql: string): string {
  let count = 0;
  return sql.replace(/\?/g, () => `$${++count}`);
}

/** The URL without what must not be in a log. */
function safeUrl(url: string): string {
  try {
    const { protocol, host, pathname } = new URL(url);
    return `${protocol}//${host}${pathname}`;
  } catch {
    return 'claims.url';
  }
}
