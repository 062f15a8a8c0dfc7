import { isAbsolute, join, resolve } from 'node:path';
import type { Context } from '../context.ts';
import { EXIT, FleetError, isFleetError, messageOf } from '../errors.ts';
import { type ClaimsDatabase, migrate } from './database.ts';
import { openSqlite } from './sqlite.ts';

/**
 * Opens the database of claims: the fleet's own SQLite file, another one (`sqlite:PATH`), or PostgreSQL (`postgres://…`), by
 * claims.url. Its tables are brought to what this version knows. The caller closes it.
 */
export async function openClaims({ places, policy }: Context): Promise<ClaimsDatabase> {
  const { url } = policy.claims;
  const db = await openAt(url ?? `sqlite:${join(places.ownDir, 'claims.db')}`);
  try {
    await migrate(db);
    return db;
  } catch (error) {
    await db.close();
    if (isFleetError(error)) throw error;
    throw new FleetError(EXIT.badData, `the claims: ${messageOf(error)}`);
  }
}

async function openAt(url: string): Promise<ClaimsDatabase> {
  if (/^postgres(ql)?:\/\//.test(url)) return (await import('./postgres.ts')).openPostgres(url);
  const path = /^sqlite:(?:\/\/(?=\/))?(.+)$/.exec(url)?.[1];
  if (path === undefined) {
    throw new FleetError(EXIT.config, 'claims.url is sqlite:PATH or postgres://…', { field: 'claims.url' });
  }
  return openSqlite(isAbsolute(path) ? path : resolve(path));
}

/** Opens the claims for one piece of work. */
export async function withClaims<T>(context: Context, work: (db: ClaimsDatabase) => Promise<T>): Promise<T> {
  const db = await openClaims(context);
  try {
    return await work(db);
  } finally {
    await db.close();
  }
}
