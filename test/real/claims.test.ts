import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { ClaimsDatabase } from '../../src/lib/claims/database.ts';
import { MIGRATIONS, migrate } from '../../src/lib/claims/database.ts';
import { finalizationOf, finishLease } from '../../src/lib/claims/finish.ts';
import { type Asker, acquire, judge, leaseOf, listLeases, renew } from '../../src/lib/claims/leases.ts';
import { openPostgres } from '../../src/lib/claims/postgres.ts';
import { openSqlite } from '../../src/lib/claims/sqlite.ts';
import type { Holder } from '../../src/lib/decide/claim/lease.ts';
import { tempFolder } from '../support/script.ts';

const folder = tempFolder();
afterAll(folder.remove);
const postgres = process.env.SESSION_FLEET_TEST_POSTGRES;

const holder = (pid: number, host = 'here', boot = 'b1'): Holder => ({
  host,
  boot,
  pid,
  procStart: `s${pid}`,
  sid: undefined,
});
const asker = (mono: number, over: Partial<Asker> & { boot?: string; wall?: number } = {}): Asker => ({
  host: 'here',
  now: { wall: over.wall ?? mono, mono, boot: over.boot ?? 'b1' },
  runs: () => 'yes',
  ...over,
});
const END = { outcome: 'complete', reason: 'r', rawExitCode: 0, source: 't', host: 'here', pid: 1, at: 5 } as const;

/** A database of its own for each test: a new file, or a schema of its own. */
const openers: Record<string, () => Promise<ClaimsDatabase>> = {
  sqlite: async () => openSqlite(join(folder.path, `${randomBytes(6).toString('hex')}.db`)),
  ...(postgres === undefined
    ? {}
    : {
        postgres: async () => {
          const db = await openPostgres(postgres);
          const schema = `t${randomBytes(6).toString('hex')}`;
          await db.all(`CREATE SCHEMA ${schema}`);
          await db.all(`SET search_path TO ${schema}`);
          return db;
        },
      }),
};

describe.each(Object.keys(openers))('claims in %s', (kind) => {
  let db: ClaimsDatabase;
  beforeEach(async () => {
    db = (await openers[kind]?.()) as ClaimsDatabase;
    await migrate(db);
    return () => db.close();
  });
  const take = (key: string, who: Holder, at: Asker, ttlMs = 1000) => acquire(db, { key, ttlMs, holder: who }, at);

  it('one holder a key; the next generation only when it has ended', async () => {
    expect(await take('k', holder(1), asker(0))).toMatchObject({ ok: true, how: 'acquired', lease: { generation: 1 } });
    expect(await take('k', holder(2), asker(1))).toMatchObject({ ok: false, lease: { holder: { pid: 1 } } });
    expect(await take('k', holder(1), asker(2))).toMatchObject({
      ok: true,
      how: 'renewed',
      lease: { generation: 1, renewals: 1 },
    });
    expect(await finishLease(db, { key: 'k', generation: 1 }, END)).toBe('done');
    expect(await finishLease(db, { key: 'k', generation: 1 }, END)).toBe('done-before');
    expect(await take('k', holder(2), asker(3))).toMatchObject({ ok: true, how: 'acquired', lease: { generation: 2 } });
    expect(await finalizationOf(db, { key: 'k', generation: 1 })).toMatchObject({ outcome: 'complete', reason: 'r' });
    expect(await finalizationOf(db, { key: 'k', generation: 2 })).toBeUndefined();
  });

  it('an old holder, whose lease was taken over, is refused at every write', async () => {
    const { lease } = await take('k', holder(1), asker(0));
    expect(await take('k', holder(2), asker(1000))).toMatchObject({
      ok: true,
      how: 'taken-over',
      lease: { generation: 2 },
    });
    expect(await renew(db, lease, asker(1001).now)).toBeUndefined();
    expect(await finishLease(db, lease, END)).toBe('lost');
    expect(await leaseOf(db, 'k')).toMatchObject({ state: 'held', generation: 2, holder: { pid: 2 } });
    expect(await finalizationOf(db, lease), 'and its own lease has an end').toMatchObject({
      outcome: 'abandon',
      reason: 'expired',
    });
    expect(await finishLease(db, { key: 'k', generation: 3 }, END)).toBe('unknown');
    expect(await finishLease(db, { key: 'other', generation: 1 }, END)).toBe('unknown');
  });

  it('a holder that is gone, or of an earlier boot, holds nothing', async () => {
    await take('k', holder(1), asker(0));
    expect(await take('k', holder(2), asker(1, { runs: () => 'no' }))).toMatchObject({ how: 'taken-over' });
    expect(await take('k', holder(3), asker(2, { boot: 'b2' }))).toMatchObject({ how: 'taken-over' });
    await take('u', holder(1), asker(0));
    expect(await take('u', holder(2), asker(999, { runs: () => 'unknown' }))).toMatchObject({ ok: false });
  });

  it('a wall clock that is set, and a machine that sleeps, end no lease', async () => {
    await take('k', holder(1), asker(0, { wall: 1000 }));
    expect(await take('k', holder(2), asker(500, { wall: 10 ** 12 }))).toMatchObject({ ok: false });
    expect(await take('k', holder(2), asker(500, { wall: 0 }))).toMatchObject({ ok: false });
  });

  it('another host’s lease lapses only when it was seen unchanged for its ttl', async () => {
    await take('k', holder(1, 'far', 'fb'), { ...asker(77), host: 'far', now: { wall: 0, mono: 77, boot: 'fb' } });
    expect(await take('k', holder(2), asker(100_000))).toMatchObject({ ok: false });
    expect(await take('k', holder(2), asker(100_999))).toMatchObject({ ok: false });
    // Renewed meanwhile: seen anew.
    await renew(db, { key: 'k', generation: 1 }, { wall: 0, mono: 500, boot: 'fb' });
    expect(await take('k', holder(2), asker(101_100))).toMatchObject({ ok: false });
    expect(await take('k', holder(2), asker(102_000))).toMatchObject({ ok: false });
    // This host was started anew: its own clock began again, and so does its patience.
    expect(await take('k', holder(2), asker(200_000, { boot: 'b2' }))).toMatchObject({ ok: false });
    expect(await take('k', holder(2), asker(201_000, { boot: 'b2' }))).toMatchObject({ ok: true, how: 'taken-over' });
  });

  it('renewing makes its time begin anew, and can change it', async () => {
    const { lease } = await take('k', holder(1), asker(0));
    await renew(db, lease, asker(900).now);
    expect(await take('k', holder(2), asker(1800))).toMatchObject({ ok: false });
    expect(await renew(db, lease, asker(1800).now, 60_000)).toMatchObject({ ttlMs: 60_000 });
    expect(await take('k', holder(2), asker(50_000))).toMatchObject({ ok: false });
  });

  it('many at once in one process: one wins, each generation once', async () => {
    const all = await Promise.all(Array.from({ length: 20 }, (_, at) => take('k', holder(at + 1), asker(0))));
    expect(all.filter(({ ok }) => ok)).toHaveLength(1);
    expect(await listLeases(db)).toMatchObject([{ key: 'k', generation: 1 }]);
  });

  it('what goes wrong in the middle leaves nothing half done', async () => {
    await take('other', holder(1), asker(0));
    const failing = db.transaction(async (within) => {
      await within.all("UPDATE task_claims SET claim_key = 'k' WHERE claim_key = 'other'");
      throw new Error('stop');
    });
    await expect(failing).rejects.toThrow('stop');
    expect(await leaseOf(db, 'k')).toBeUndefined();
    expect(await take('k', holder(1), asker(0))).toMatchObject({ ok: true });
  });

  it('migrates once, also when many begin at once, and refuses tables of a newer version', async () => {
    await Promise.all(Array.from({ length: 5 }, () => migrate(db)));
    expect(await db.all('SELECT version FROM task_claims_schema')).toEqual([
      expect.objectContaining({ version: MIGRATIONS.length }),
    ]);
    await db.all('UPDATE task_claims_schema SET version = ?', [MIGRATIONS.length + 1]);
    await expect(migrate(db)).rejects.toThrow(/of version/);
  });

  it('judges without changing: a list reads', async () => {
    await take('k', holder(1), asker(0));
    const lease = await leaseOf(db, 'k');
    expect(await judge(db, lease, asker(2000))).toMatchObject({ kind: 'lapsed', reason: 'expired' });
    expect(await leaseOf(db, 'k')).toEqual(lease);
  });

  it('a thousand acquisitions a second, and a hundred ends', async () => {
    // No time limit here, the bench has it: only that they all are what they should be.
    for (let at = 0; at < 1000; at++) await take(`k${at}`, holder(1), asker(at));
    expect(await listLeases(db)).toHaveLength(1000);
  });
});

describe('a file that is no intact database', () => {
  it.each([
    ['text', () => Buffer.from('this is no database, and never was one, whatever its name says'.repeat(50))],
    ['a database whose middle was overwritten', () => torn()],
  ])('%s: one clear line, and nothing is changed', async (_, bytes) => {
    const file = join(folder.path, `${randomBytes(4).toString('hex')}.db`);
    const before = await bytes();
    writeFileSync(file, before);
    const open = async () => {
      const db = openSqlite(file);
      try {
        await migrate(db);
        await listLeases(db, { all: true });
      } finally {
        await db.close();
      }
    };
    await expect(open()).rejects.toMatchObject({ exitCode: 65, message: expect.stringContaining(file) });
    const { readFileSync } = await import('node:fs');
    expect(readFileSync(file).subarray(0, before.length).equals(before)).toBe(true);
  });

  async function torn(): Promise<Buffer> {
    const file = join(folder.path, `${randomBytes(4).toString('hex')}.db`);
    const db = openSqlite(file);
    await migrate(db);
    for (let at = 0; at < 200; at++) await acquire(db, { key: `k${at}`, ttlMs: 1, holder: holder(1) }, asker(0));
    await db.all('PRAGMA wal_checkpoint(TRUNCATE)');
    await db.close();
    const { readFileSync } = await import('node:fs');
    const bytes = readFileSync(file);
    for (let at = 4096; at < bytes.length; at++) bytes[at] = at % 251;
    return bytes;
  }

  it('a folder that can’t be made, and a path that is a folder, are said', () => {
    writeFileSync(join(folder.path, 'plain'), '');
    expect(() => openSqlite(join(folder.path, 'plain', 'x.db'))).toThrow();
    mkdirSync(join(folder.path, 'dir.db'));
    expect(() => openSqlite(join(folder.path, 'dir.db'))).toThrow(/dir\.db/);
  });
});

it.skipIf(postgres === undefined)('PostgreSQL, which SESSION_FLEET_TEST_POSTGRES names, was tried', () => {
  expect(Object.keys(openers)).toContain('postgres');
});

it('PostgreSQL that is not there is said, without its password', async () => {
  const opening = openPostgres('postgres://me:secret@127.0.0.1:1/claims');
  await expect(opening).rejects.toMatchObject({ exitCode: 69, message: expect.not.stringContaining('secret') });
});
