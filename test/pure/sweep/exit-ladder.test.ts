import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decideExitLadder, type ExitLadderFacts } from '../../../src/lib/decide/sweep/exit-ladder.ts';
import { decideRelease } from '../../../src/lib/decide/sweep/release.ts';
import { DEFAULT_POLICY } from '../../../src/lib/policy.ts';
import { no, unknown, yes } from '../../../src/lib/reading.ts';
import { ABSENT, ALIVE, MINUTE, NOW, QUIET } from './cases.ts';

const RIPE: ExitLadderFacts = {
  terminal: true,
  releasedAt: NOW - 15 * MINUTE,
  askedAt: undefined,
  askPending: false,
  requestedAt: undefined,
  requests: 0,
  exited: false,
  gaveUp: false,
  liveness: ALIVE,
  session: QUIET,
  deadForMs: 0,
  daemonGraceMs: 0,
  interrupted: false,
  protectedBy: undefined,
};
const ASKED = { ...RIPE, askedAt: NOW - 10 * MINUTE };

it.each<[string, ExitLadderFacts, string, boolean]>([
  ['an open task', { ...RIPE, terminal: false }, 'not-terminal', false],
  ['not released', { ...RIPE, releasedAt: undefined }, 'not-released', false],
  ['all the evidence', RIPE, 'ask', true],
  ['just released', { ...RIPE, releasedAt: NOW - 14 * MINUTE }, 'settling', false],
  ['busy', { ...RIPE, session: { ...QUIET, status: 'busy' } }, 'not-idle', false],
  ['at a permission prompt', { ...RIPE, session: { ...QUIET, status: 'waiting' } }, 'not-idle', false],
  ['no status', { ...RIPE, session: { ...QUIET, status: undefined } }, 'not-idle', false],
  ['a status of a newer version', { ...RIPE, session: { ...QUIET, status: 'dreaming' } }, 'not-idle', false],
  [
    'silent for 14 m',
    { ...RIPE, session: { ...QUIET, silence: { ok: true, idleMs: 14 * MINUTE } } },
    'not-quiet',
    false,
  ],
  ['no transcript', { ...RIPE, session: { ...QUIET, silence: { ok: false, why: '' } } }, 'undetermined', false],
  ['attached', { ...RIPE, session: { ...QUIET, attached: yes('tmux', '') } }, 'attached', false],
  ['attachment unknown', { ...RIPE, session: { ...QUIET, attached: unknown('tmux', '') } }, 'undetermined', false],
  ['mail', { ...RIPE, session: { ...QUIET, queued: 1 } }, 'inbox', false],
  ['mail unknown', { ...RIPE, session: { ...QUIET, queued: undefined } }, 'undetermined', false],
  ['an open task names the session too', { ...RIPE, protectedBy: 'b' }, 'protected', false],
  ['liveness unknown', { ...RIPE, liveness: { kind: 'unknown', words: '' } }, 'undetermined', false],
  ['twins', { ...RIPE, liveness: { kind: 'twins', pids: [1, 2], words: '' } }, 'undetermined', false],
  ['it left by itself', { ...RIPE, liveness: ABSENT }, 'mark-exited', true],
  ['it left before the settling time', { ...RIPE, releasedAt: NOW, liveness: ABSENT }, 'mark-exited', true],
  [
    'its daemon may bring it back',
    { ...RIPE, liveness: ABSENT, deadForMs: MINUTE, daemonGraceMs: 2 * MINUTE },
    'daemon-grace',
    false,
  ],
  ['it never had a Driver', { ...RIPE, liveness: { kind: 'none', words: '' } }, 'mark-exited', true],
  ['it left, and came back', { ...RIPE, exited: true }, 'over', false],
  ['asked 9 m ago', { ...ASKED, askedAt: NOW - 9 * MINUTE }, 'asked', false],
  ['asked 10 m ago', ASKED, 'request', true],
  [
    'asked, and it wrote since',
    { ...ASKED, session: { ...QUIET, silence: { ok: true, idleMs: 9 * MINUTE } } },
    'not-quiet',
    false,
  ],
  ['asked, and at work again', { ...ASKED, session: { ...QUIET, status: 'busy' } }, 'not-idle', false],
  ['the message is not known to be sent', { ...ASKED, askPending: true }, 'ask', true],
  [
    'the message is not known to be sent, and it waits',
    { ...ASKED, askPending: true, session: { ...QUIET, status: 'waiting' } },
    'not-idle',
    false,
  ],
  ['requested 4 m ago', { ...ASKED, requests: 1, requestedAt: NOW - 4 * MINUTE }, 'requested', false],
  ['requested 5 m ago', { ...ASKED, requests: 2, requestedAt: NOW - 5 * MINUTE }, 'request', true],
  ['requested three times, 4 m ago', { ...ASKED, requests: 3, requestedAt: NOW - 4 * MINUTE }, 'requested', false],
  ['requested three times, 5 m ago', { ...ASKED, requests: 3, requestedAt: NOW - 5 * MINUTE }, 'give-up', true],
  ['given up', { ...ASKED, requests: 3, gaveUp: true }, 'gave-up', false],
  ['given up, and it left after all', { ...ASKED, requests: 3, gaveUp: true, liveness: ABSENT }, 'mark-exited', true],
])('%s', (_, facts, kind, fires) => {
  expect(decideExitLadder(facts, NOW, DEFAULT_POLICY.exit)).toMatchObject({ kind, fires });
});

it('asks nothing of a session that one reading says is not finished', () => {
  const reading = fc.constantFrom(yes('x', ''), no('x', ''), unknown('x', ''));
  fc.assert(
    fc.property(
      fc.record({
        status: fc.constantFrom('idle', 'busy', 'waiting', undefined),
        idleMs: fc.nat(60 * MINUTE),
        attached: reading,
        queued: fc.option(fc.nat(2), { nil: undefined }),
        asked: fc.option(fc.nat(30 * MINUTE), { nil: undefined }),
        requests: fc.nat(2),
      }),
      ({ status, idleMs, attached, queued, asked, requests }) => {
        const session = { status, waitingFor: undefined, silence: { ok: true as const, idleMs }, attached, queued };
        const askedAt = asked === undefined ? undefined : NOW - asked;
        const { kind } = decideExitLadder({ ...RIPE, session, askedAt, requests }, NOW, DEFAULT_POLICY.exit);
        if (kind !== 'ask' && kind !== 'request') return;
        expect([status, attached.answer, queued]).toEqual(['idle', 'no', 0]);
        expect(idleMs).toBeGreaterThanOrEqual((kind === 'ask' ? 15 : 10) * MINUTE);
      },
    ),
  );
});

it('releases a terminal task once', () => {
  expect(decideRelease(false, 'working', undefined)).toMatchObject({ kind: 'open', fires: false });
  expect(decideRelease(true, 'done', undefined)).toMatchObject({ kind: 'release', fires: true });
  expect(decideRelease(true, 'done', 'then')).toMatchObject({ kind: 'released', fires: false });
});
