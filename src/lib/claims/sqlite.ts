import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { EXIT, FleetError, messageOf } from '../errors.ts';
import { makeFolder } from '../store/make-folder.ts';
import { type ClaimsDatabase, inTurn, type Row, type Value } from './database.ts';

/** As much of node:sqlite, and of libsql, as is used here. */
interface Sqlite {
  exec(sql: string): unknown;
  prepare(sql: string): { all(...params: Value[]): unknown[] };
  close(): unknown;
}

const BUSY_TIMEOUT_MS = 10_000;

/**
 * The claims in one SQLite file, in WAL mode: by Node's own module where it has one (22.13 on), else by libsql, which comes
 * prebuilt and needs no compiler. Throws FleetError 65 that names a file which is no intact database (nothing in it is changed),
 * 69 when no SQLite is to be had.
 */
export function openSqlite(file: string): ClaimsDatabase {
  makeFolder(dirname(file));
  const db = open(file);
  const statements = new Map<string, ReturnType<Sqlite['prepare']>>();
  const prepared = (sql: string) => {
    const known = statements.get(sql);
    if (known !== undefined) return known;
    const made = db.prepare(sql);
    statements.set(sql, made);
    return made;
  };
  const all = (sql: string, params: readonly Value[] = []): Row[] => {
    try {
      if (/^\s*(select|insert|update|delete)/i.test(sql)) return prepared(sql).all(...params) as Row[];
      db.exec(sql);
      return [];
    } catch (error) {
      throw named(error, file);
    }
  };
  return inTurn({
    all: async (sql, params) => all(sql, params),
    begin: async () => void all('BEGIN IMMEDIATE'),
    rollback: async () => {
      try {
        db.exec('ROLLBACK');
      } catch {
        // The database has rolled back by itself.
      }
    },
    close: async () => void db.close(),
  });
}

function open(file: string): Sqlite {
  const existed = existsSync(file);
  let db: Sqlite | undefined;
  try {
    db = library()(file);
    db.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    // Reads the header: what is no database says so here, before anything is written.
    db.prepare('SELECT COUNT(*) AS tables FROM sqlite_master').all();
    if (existed) checkIntact(db);
    db.exec('PRAGMA journal_mode = WAL');
    // A power cut may undo the last claims; it can't tear the file.
    db.exec('PRAGMA synchronous = NORMAL');
    return db;
  } catch (error) {
    db?.close();
    throw named(error, file);
  }
}

function checkIntact(db: Sqlite): void {
  const [row] = db.prepare('PRAGMA schema_version').all() as Row[];
  if (row === undefined) throw new Error('file is not a database');
}

function library(): (file: string) => Sqlite {
  const load = createRequire(`${__dirname}/`);
  try {
    const { DatabaseSync } = load('node:sqlite') as { DatabaseSync: new (file: string) => Sqlite };
    return (file) => new DatabaseSync(file);
  } catch {
    // A Node before 22.13.
  }
  try {
    const Libsql = load('libsql') as new (file: string, options: { timeout: number }) => Sqlite;
    return (file) => new Libsql(file, { timeout: BUSY_TIMEOUT_MS });
  } catch (error) {
    const what = `no SQLite: this Node (${process.version}) has none and libsql can’t be loaded (${messageOf(error)})`;
    throw new FleetError(EXIT.unreadable, `${what}; use Node 22.13 or later, or npm install -g libsql`);
  }
}

function named(error: unknown, file: string): unknown {
  if (error instanceof FleetError) return error;
  const words = messageOf(error);
  if (/not a database|malformed|corrupt|disk image/i.test(words)) {
    return new FleetError(
      EXIT.badData,
      `${file}: it is no intact database (${words}); nothing was changed: restore it, or move it away to begin anew`,
      { file },
    );
  }
  if (/locked|busy/i.test(words)) return new FleetError(EXIT.later, `${file}: ${words}; try again later`, { file });
  return new FleetError(EXIT.unreadable, `${file}: ${words}`, { file });
}
