import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decideFinalization, isCleanEnd } from '../../../src/lib/decide/claim/finalize.ts';
import { decideLease, type Lease, type LeaseFacts } from '../../../src/lib/decide/claim/lease.ts';
import { claimsIn, isClaimKey, taskOfKey } from '../../../src/lib/decide/claim/sidecar.ts';

const LEASE: Lease = {
  key: 'k',
  generation: 3,
  state: 'held',
  holder: { host: 'here', boot: 'b', pid: 7, procStart: 's', sid: undefined },
  ttlMs: 1000,
  renewals: 2,
  acquiredAt: 0,
  renewedAt: 0,
  renewedMono: 5000,
};
const HERE: LeaseFacts = { host: 'here', boot: 'b', mono: 5500, holderRuns: 'yes', observation: undefined };
const FAR: Lease = { ...LEASE, holder: { ...LEASE.holder, host: 'far', boot: 'fb' } };
const seen = (mono: number, over: object = {}) => ({ generation: 3, renewals: 2, boot: 'b', mono, ...over });

describe('a lease', () => {
  it.each<[string, Lease | undefined, Partial<LeaseFacts>, string]>([
    ['nobody’s', undefined, {}, 'free'],
    ['completed', { ...LEASE, state: 'completed' }, {}, 'free'],
    ['abandoned', { ...LEASE, state: 'abandoned' }, {}, 'free'],
    ['renewed half its time ago', LEASE, {}, 'held'],
    ['renewed its whole time ago', LEASE, { mono: 6000 }, 'lapsed expired'],
    ['its holder is gone', LEASE, { holderRuns: 'no' }, 'lapsed holder-gone'],
    ['whether its holder runs can’t be told', LEASE, { holderRuns: 'unknown' }, 'held'],
    ['of an earlier boot', LEASE, { boot: 'b2' }, 'lapsed rebooted'],
    ['a kernel clock below the last renewal', LEASE, { mono: 1 }, 'held'],
    ['of another host, seen for the first time', FAR, {}, 'held observe'],
    ['of another host, unchanged for half its time', FAR, { observation: seen(5000) }, 'held'],
    ['of another host, unchanged for its whole time', FAR, { observation: seen(4500) }, 'lapsed expired'],
    ['of another host, renewed since', FAR, { observation: seen(4500, { renewals: 1 }) }, 'held observe'],
    ['of another host, another generation since', FAR, { observation: seen(4500, { generation: 2 }) }, 'held observe'],
    ['of another host, seen before this boot', FAR, { observation: seen(4500, { boot: 'a' }) }, 'held observe'],
    [
      'of another host, whose boot is not ours',
      FAR,
      { boot: 'x', observation: seen(4500, { boot: 'x' }) },
      'lapsed expired',
    ],
  ])('%s', (_, lease, facts, expected) => {
    const verdict = decideLease(lease, { ...HERE, ...facts });
    const more =
      verdict.kind === 'lapsed' ? ` ${verdict.reason}` : verdict.kind === 'held' && verdict.observe ? ' observe' : '';
    expect(`${verdict.kind}${more}`).toBe(expected);
  });

  it('of a holder that runs never lapses before its time, whatever any clock says', () => {
    fc.assert(
      fc.property(fc.boolean(), fc.nat(999), fc.integer(), fc.integer(), (local, age, acquiredAt, renewedAt) => {
        const lease = { ...(local ? LEASE : FAR), acquiredAt, renewedAt };
        const facts = { ...HERE, mono: 5000 + age, observation: seen(5000) };
        expect(decideLease(lease, facts).kind).toBe('held');
      }),
    );
  });
});

describe('the end of a run', () => {
  const end = (rawExitCode: number | undefined, over: object = {}) => ({ rawExitCode, timedOut: false, ...over });
  it.each<[string, ReturnType<typeof end>, string | undefined, string]>([
    ['clean, ready for review', end(0), 'ready_for_review', 'complete task-ready_for_review'],
    ['clean, done', end(0), 'done', 'complete task-done'],
    ['clean, backlog', end(0), 'backlog', 'abandon task-backlog'],
    ['clean, todo', end(0), 'todo', 'abandon task-todo'],
    ['clean, active', end(0), 'active', 'abandon task-active'],
    ['clean, working', end(0), 'working', 'abandon task-working'],
    ['clean, nobody can tell', end(0), undefined, 'abandon task-state-unknown'],
    ['timeout, though the task is done', end(124), 'done', 'abandon timeout'],
    ['the launcher’s own timeout', end(0, { timedOut: true }), 'done', 'abandon timeout'],
    ['another code, though the task is done', end(3), 'done', 'abandon exit-3'],
    ['stopped', end(143, { stoppedBy: 'SIGTERM' }), 'done', 'abandon stopped-sigterm'],
    ['nobody saw it', end(undefined), 'done', 'abandon launcher-lost'],
  ])('%s', (_, facts, state, expected) => {
    const { outcome, reason } = decideFinalization(facts, state);
    expect(`${outcome} ${reason}`).toBe(expected);
  });

  it('completes nothing but a clean end of a task that was handed off', () => {
    const facts = fc.record({
      rawExitCode: fc.option(fc.nat(255), { nil: undefined }),
      timedOut: fc.boolean(),
      stoppedBy: fc.option(fc.constant('SIGHUP'), { nil: undefined }),
    });
    fc.assert(
      fc.property(
        facts,
        fc.option(fc.constantFrom('done', 'ready_for_review', 'working', 'x'), { nil: undefined }),
        (run, state) => {
          const { outcome } = decideFinalization(run, state);
          expect(outcome === 'complete').toBe(isCleanEnd(run) && (state === 'done' || state === 'ready_for_review'));
        },
      ),
    );
  });
});

describe('a sidecar', () => {
  const line = (key: string, generation: number) => JSON.stringify({ at: 'x', event: 'acquired', key, generation });
  it.each<[string, string[], string[], number]>([
    ['nothing', [], [], 0],
    ['two claims', [line('a', 1), line('b', 2)], ['a 1', 'b 2'], 0],
    ['the same line twice', [line('a', 1), line('a', 1)], ['a 1'], 0],
    ['claimed again after it was completed and reopened', [line('a', 1), line('a', 2)], ['a 1', 'a 2'], 0],
    ['a torn last line', [line('a', 1), line('b', 2).slice(0, 20)], ['a 1'], 1],
    ['a torn line in the middle', [line('a', 1).slice(0, 9), line('b', 2)], ['b 2'], 1],
    [
      'odd lines',
      ['null', '[]', '{"key":1}', line('', 1), line('a b', 1), line('a', 0), line('a', 1.5), line('\u001b', 1)],
      [],
      8,
    ],
  ])('%s', (_, lines, claims, skipped) => {
    const read = claimsIn(lines);
    expect(read.claims.map(({ key, generation }) => `${key} ${generation}`)).toEqual(claims);
    expect(read.skipped).toBe(skipped);
  });

  it('a torn line loses no other', () => {
    const keys = fc.uniqueArray(fc.stringMatching(/^[a-z]{1,8}$/), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(keys, fc.string(), fc.nat(30), (names, garbage, at) => {
        const lines = names.map((name) => line(name, 1));
        lines.splice(at % (lines.length + 1), 0, garbage.replace(/\n/g, ''));
        expect(claimsIn(lines).claims.map(({ key }) => key)).toEqual(names);
      }),
    );
  });

  it('names the task of a key, where it is about one', () => {
    const tasks = ['cascade:task:42', 'task:42', 'a:b:task:x.y@z', 'cascade:task:', 'multitask:42', 'deploy:prod'].map(
      taskOfKey,
    );
    expect(tasks).toEqual(['42', '42', 'x.y@z', undefined, undefined, undefined]);
    expect(['a', 'cascade:task:1', 'ü', 'a b', '', 'x'.repeat(301)].map(isClaimKey)).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
  });
});
