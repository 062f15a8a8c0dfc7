import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AdmissionFacts, decideAdmission } from '../../src/lib/decide/admission.ts';
import { ceilingFor } from '../../src/lib/decide/ceiling.ts';
import { sortReservations } from '../../src/lib/decide/reservations.ts';
import type { Reservation } from '../../src/lib/store/admission-book.ts';

const GIB = 2 ** 30;
const facts = (fields: Partial<AdmissionFacts>): AdmissionFacts => ({
  live: { ok: true, value: 0 },
  unlisted: 0,
  reserved: 0,
  memory: { ok: true, value: { totalBytes: 64 * GIB, availableBytes: 32 * GIB } },
  ceiling: 35,
  memoryFloor: 0.1,
  ...fields,
});

it.each([
  [64, 35],
  [16, 8],
  [8, 4],
  [2, 2],
  [128, 70],
])('the ceiling of %d GiB is %d', (gib, ceiling) => expect(ceilingFor(gib * GIB)).toBe(ceiling));

describe('admission', () => {
  it.each([
    ['an empty fleet', {}, 'admit', 'below-ceiling'],
    ['one below the ceiling', { live: { ok: true, value: 34 } }, 'admit', 'below-ceiling'],
    ['at the ceiling', { live: { ok: true, value: 35 } }, 'refuse', 'at-ceiling'],
    ['above it', { live: { ok: true, value: 36 } }, 'refuse', 'at-ceiling'],
    ['reservations count', { live: { ok: true, value: 30 }, reserved: 5 }, 'refuse', 'at-ceiling'],
    ['a session on a dialog counts', { live: { ok: true, value: 34 }, unlisted: 1 }, 'refuse', 'at-ceiling'],
    ['no roster', { live: { ok: false, why: 'hung' } }, 'refuse', 'roster-unreadable'],
    ['no memory reading', { memory: { ok: false, why: 'x' } }, 'refuse', 'memory-unreadable'],
    [
      'at the floor',
      { memory: { ok: true, value: { totalBytes: 100, availableBytes: 10 } } },
      'admit',
      'below-ceiling',
    ],
    [
      'below the floor',
      { memory: { ok: true, value: { totalBytes: 100, availableBytes: 9 } } },
      'refuse',
      'below-memory-floor',
    ],
  ] as const)('%s: %o', (_, fields, kind, reason) => {
    expect(decideAdmission(facts(fields as Partial<AdmissionFacts>))).toMatchObject({ kind, reason });
  });

  it('never admits to more than the ceiling, nor on a failed reading', () => {
    const count = fc.nat({ max: 60 });
    fc.assert(
      fc.property(count, count, count, count, fc.boolean(), (live, unlisted, reserved, ceiling, readable) => {
        const decision = decideAdmission(
          facts({ live: readable ? { ok: true, value: live } : { ok: false, why: 'x' }, unlisted, reserved, ceiling }),
        );
        if (decision.kind === 'admit') expect(readable && live + unlisted + reserved + 1 <= ceiling).toBe(true);
      }),
    );
  });
});

describe('reservations', () => {
  const moment = { wall: 1000, mono: 1000, boot: 'b' };
  const reservation = (fields: Partial<Reservation>): Reservation => ({
    token: 't',
    for: 'n',
    takenAt: moment,
    ttlMs: 100,
    caller: { pid: 1, procStart: 's' },
    ...fields,
  });
  const sort = (list: Reservation[], sessions: Parameters<typeof sortReservations>[1], elapsed = 50) =>
    sortReservations(list, sessions, () => elapsed);

  it.each([
    ['nothing seen yet', {}, [], 'pending'],
    ['its token', {}, [{ pid: 5, lineage: [5], token: 't' }], 'appeared'],
    ['another’s token', {}, [{ pid: 5, lineage: [5], token: 'u', name: 'n', startedAt: 2000 }], 'pending'],
    ['its name, begun after it', {}, [{ pid: 5, lineage: [5], name: 'n', startedAt: 1000 }], 'appeared'],
    ['its name, but older', {}, [{ pid: 5, lineage: [5], name: 'n', startedAt: 999 }], 'pending'],
    ['its name, start not known', {}, [{ pid: 5, lineage: [5], name: 'n' }], 'pending'],
    ['no name is no match', { for: '' }, [{ pid: 5, lineage: [5], startedAt: 2000 }], 'pending'],
    [
      'grown under what run started',
      { child: { pid: 4, procStart: 's' } },
      [{ pid: 5, lineage: [5, 4, 1] }],
      'appeared',
    ],
    ['a stranger', {}, [{ pid: 5, lineage: [5, 4], name: 'other', startedAt: 2000 }], 'pending'],
    [
      'launched in the background from the folder of run',
      { launch: { cwd: '/w' } },
      [{ pid: 5, lineage: [5], backgroundCwd: '/w', startedAt: 1000 }],
      'appeared',
    ],
    [
      'begun long after the command of run has ended',
      { launch: { cwd: '/w', endedAt: 2000 } },
      [{ pid: 5, lineage: [5], backgroundCwd: '/w', startedAt: 12_001 }],
      'pending',
    ],
    [
      'launched in the background from another folder',
      { launch: { cwd: '/w' } },
      [{ pid: 5, lineage: [5], backgroundCwd: '/w2', startedAt: 2000 }],
      'pending',
    ],
    [
      'an interactive session in the folder of run',
      { launch: { cwd: '/w' } },
      [{ pid: 5, lineage: [5], startedAt: 2000 }],
      'pending',
    ],
  ] as const)('%s', (_, fields, sessions, where) => {
    const sorted = sort([reservation(fields as Partial<Reservation>)], sessions as never);
    expect(sorted[where as 'pending' | 'appeared']).toHaveLength(1);
  });

  it('end at their ttl, unless their session appeared', () => {
    expect(sort([reservation({})], [], 100).expired).toHaveLength(1);
    expect(sort([reservation({})], [{ pid: 5, lineage: [5], token: 't' }], 100).appeared).toHaveLength(1);
  });

  it('are each sorted once, and one session ends one at the most', () => {
    const names = fc.constantFrom('a', 'b', '');
    fc.assert(
      fc.property(
        fc.array(fc.record({ token: fc.uuid(), for: names, ttlMs: fc.nat(200) }), { maxLength: 12 }),
        fc.uniqueArray(fc.record({ pid: fc.integer({ min: 2, max: 30 }), name: names }), {
          selector: ({ pid }) => pid,
          maxLength: 12,
        }),
        (list, seen) => {
          const sorted = sort(
            list.map(reservation),
            seen.map(({ pid, name }) => ({ pid, name, lineage: [pid], startedAt: 2000 })),
            100,
          );
          expect(sorted.pending.length + sorted.appeared.length + sorted.expired.length).toBe(list.length);
          expect(new Set(sorted.appeared.map(({ pid }) => pid)).size).toBe(sorted.appeared.length);
        },
      ),
    );
  });
});
