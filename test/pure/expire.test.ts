import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decideExpire, type ExpireFacts, isMassVerdict } from '../../src/lib/decide/expire.ts';
import { type ProtectingTask, protectionOf } from '../../src/lib/decide/protection.ts';
import { no, unknown, yes } from '../../src/lib/reading.ts';

const HOUR = 3_600_000;
const DUE: ExpireFacts = {
  sessionId: 'sid',
  pid: 5,
  name: 'n',
  protection: no('tasks', ''),
  pinned: false,
  status: 'idle',
  silence: { ok: true, idleMs: 48 * HOUR },
  attached: no('tmux', ''),
  queued: 0,
  twins: false,
};

it.each<[string, Partial<ExpireFacts>, string]>([
  ['silent for two days and nobody’s', {}, 'silent'],
  ['a minute short', { silence: { ok: true, idleMs: 48 * HOUR - 60_000 } }, 'not-silent'],
  ['an open task', { protection: yes('tasks', 'task a (awaiting-human)') }, 'protected'],
  ['a task file that can’t be read', { protection: unknown('tasks', 'torn') }, 'protection-unknown'],
  ['pinned', { pinned: true }, 'pinned'],
  ['busy', { status: 'busy' }, 'not-idle'],
  ['waiting', { status: 'waiting' }, 'not-idle'],
  ['not in the roster', { status: undefined }, 'not-idle'],
  ['no transcript', { silence: { ok: false, why: 'none' } }, 'silence-unknown'],
  ['attached', { attached: yes('tmux', '') }, 'attached'],
  ['attachment not known', { attached: unknown('tmux', '') }, 'attachment-unknown'],
  ['mail', { queued: 1 }, 'inbox'],
  ['mail not known', { queued: undefined }, 'inbox-unknown'],
  ['twins', { twins: true }, 'twins'],
  ['no id', { sessionId: undefined }, 'no-session-id'],
])('%s', (_, fields, reason) => {
  const verdict = decideExpire({ ...DUE, ...fields }, 48 * HOUR);
  expect(verdict.reason).toBe(reason);
  expect(verdict.kind).toBe(reason === 'silent' ? 'expire' : 'keep');
});

it('one answer short of certain keeps a session, whatever the others say', () => {
  const answer = fc.constantFrom(yes('x', ''), no('x', ''), unknown('x', ''));
  fc.assert(
    fc.property(
      fc.record({
        protection: answer,
        attached: answer,
        queued: fc.option(fc.nat(2), { nil: undefined }),
        idleMs: fc.nat(100 * HOUR),
        known: fc.boolean(),
        status: fc.constantFrom('idle', 'busy', undefined),
      }),
      ({ protection, attached, queued, idleMs, known, status }) => {
        const verdict = decideExpire(
          {
            ...DUE,
            protection,
            attached,
            queued,
            status,
            silence: known ? { ok: true, idleMs } : { ok: false, why: '' },
          },
          48 * HOUR,
        );
        const certain =
          protection.answer === 'no' &&
          attached.answer === 'no' &&
          queued === 0 &&
          known &&
          idleMs >= 48 * HOUR &&
          status === 'idle';
        expect(verdict.kind === 'expire').toBe(certain);
      },
    ),
    { numRuns: 2000 },
  );
});

it.each([
  [4, 4, false],
  [5, 5, true],
  [5, 10, false],
  [6, 10, true],
  [0, 0, false],
])('%d of %d at once is a misreading: %s', (expiring, live, mass) => {
  expect(isMassVerdict(expiring, live, { minDeaths: 5, share: 0.5 })).toBe(mass);
});

describe('protection', () => {
  const session = { sessionId: 'sid', pid: 5, procStart: 's', name: 'n', tmuxSession: 'tm' };
  const task = (fields: Partial<ProtectingTask>): ProtectingTask => ({
    name: 't',
    terminal: false,
    state: 'working',
    sids: [],
    ...fields,
  });

  it.each<[string, Partial<ProtectingTask>, string]>([
    ['its driver', { sids: ['sid'] }, 'yes'],
    ['its driver, waiting for a person', { sids: ['sid'], state: 'awaiting-human' }, 'yes'],
    ['its driver, but done', { sids: ['sid'], terminal: true }, 'no'],
    ['the process it saw, after /clear', { driverSeen: { pid: 5, procStart: 's' } }, 'yes'],
    ['a process of the same number, later', { driverSeen: { pid: 5, procStart: 'other' } }, 'no'],
    ['its name', { driverName: 'n' }, 'yes'],
    ['its tmux session', { tmuxSession: 'tm' }, 'yes'],
    ['another’s', { sids: ['other'], driverName: 'x', tmuxSession: 'y' }, 'no'],
    ['a task that names nobody', {}, 'no'],
  ])('%s', (_, fields, answer) => expect(protectionOf(session, [task(fields)], []).answer).toBe(answer));

  it('a file that can’t be read protects everybody, and says its name', () => {
    const reading = protectionOf(session, [], [{ name: 'broken', problem: 'not JSON', text: '' }]);
    expect(reading).toMatchObject({ answer: 'unknown', evidence: expect.stringContaining('broken') });
  });

  it('nameless sessions and nameless tasks do not meet', () => {
    const nameless = { sessionId: undefined, pid: 5, procStart: 's', name: undefined, tmuxSession: undefined };
    expect(protectionOf(nameless, [task({})], []).answer).toBe('no');
  });
});
