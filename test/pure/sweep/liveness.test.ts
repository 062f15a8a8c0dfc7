import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decideLiveness, type LivenessFacts, type SeenSession } from '../../../src/lib/decide/sweep/liveness.ts';

const SID = '11111111-1111-4111-8111-111111111111';
const OTHER = '22222222-2222-4222-8222-222222222222';

const session = (pid: number, over: Partial<SeenSession> = {}): SeenSession => ({
  pid,
  procStart: `s${pid}`,
  sessionId: SID,
  listed: true,
  kind: 'interactive',
  status: 'idle',
  waitingFor: undefined,
  startedAt: undefined,
  ...over,
});

const READ = { ok: true, value: [] } as const;
const UNREAD = { ok: false, why: 'torn' } as const;
const DEAD: LivenessFacts = {
  driverSid: SID,
  roster: READ,
  processes: READ,
  bySid: [],
  seen: undefined,
  byHeartbeat: [],
  named: [],
  pane: { answer: 'no', evidence: '' },
  daemonRow: false,
  claimedBy: () => undefined,
};

const NOT_LISTED = session(7, { listed: false, status: undefined });

it.each<[string, Partial<LivenessFacts>, string]>([
  ['roster, processes and pane say no', {}, 'absent'],
  ['the roster can’t be read, and nothing says yes', { roster: UNREAD }, 'unknown'],
  ['the processes can’t be read', { processes: UNREAD }, 'unknown'],
  ['the processes can’t be read, whatever the rest says', { processes: UNREAD, bySid: [session(5)] }, 'unknown'],
  ['the pane can’t be read', { pane: { answer: 'unknown', evidence: 'tmux hung' } }, 'unknown'],
  ['a listed session has its id', { bySid: [session(5)] }, 'alive'],
  ['it waits on a dialog of its own', { bySid: [session(5, { status: 'waiting' })] }, 'alive'],
  ['two processes have its id', { bySid: [session(5), session(6)] }, 'twins'],
  ['one of the two starts', { bySid: [session(5), session(6, { listed: false })] }, 'twins'],
  ['it starts', { bySid: [NOT_LISTED] }, 'unknown'],
  [
    'it stands on a dialog at launch',
    { bySid: [NOT_LISTED], pane: { answer: 'yes', evidence: '', session: NOT_LISTED, dialog: 'Trust' } },
    'blocked',
  ],
  ['its process runs, the roster can’t be read', { roster: UNREAD, seen: { pid: 5, session: undefined } }, 'alive'],
  ['its process runs and is not listed', { seen: { pid: 5, session: undefined } }, 'alive'],
  ['its process has another id: /clear', { seen: { pid: 5, session: session(5, { sessionId: OTHER }) } }, 'adopt'],
  [
    'its process has an id that another open task names',
    { seen: { pid: 5, session: session(5, { sessionId: OTHER }) }, claimedBy: () => 'b' },
    'unknown',
  ],
  [
    'its process cleared, and its old id lives elsewhere',
    { bySid: [session(9)], seen: { pid: 5, session: session(5, { sessionId: OTHER }) } },
    'alive',
  ],
  ['the watcher revived it under another id', { byHeartbeat: [session(8, { sessionId: OTHER })] }, 'adopt'],
  [
    'the watcher names a session of another open task',
    { byHeartbeat: [session(8, { sessionId: OTHER })], claimedBy: () => 'b' },
    'unknown',
  ],
  ['the watcher’s session has two processes', { byHeartbeat: [session(8), session(9)] }, 'twins'],
  ['the watcher’s session still starts', { byHeartbeat: [session(8, { listed: false })] }, 'absent'],
  ['a process was started under its id', { named: [44] }, 'unknown'],
  [
    'such a process stands on a dialog',
    { named: [44], pane: { answer: 'yes', evidence: '', dialog: 'Trust' } },
    'blocked',
  ],
  [
    'another session runs in its pane',
    { pane: { answer: 'yes', evidence: '', session: session(3, { sessionId: OTHER }) } },
    'unknown',
  ],
  [
    'its pane holds the session that an unfinished start was to begin',
    { intendedSid: OTHER, pane: { answer: 'yes', evidence: '', session: session(3, { sessionId: OTHER }) } },
    'absent',
  ],
  [
    'the same, and it never had a Driver',
    {
      driverSid: undefined,
      intendedSid: OTHER,
      pane: { answer: 'yes', evidence: '', session: session(3, { sessionId: OTHER }) },
    },
    'none',
  ],
  ['something unlisted runs in its pane', { pane: { answer: 'yes', evidence: '', session: NOT_LISTED } }, 'unknown'],
  ['its daemon lists it without a process', { daemonRow: true }, 'absent'],
  ['it had no Driver', { driverSid: undefined }, 'none'],
])('%s', (_, facts, kind) => {
  expect(decideLiveness({ ...DEAD, ...facts })).toMatchObject({ kind });
});

it('says absent only when roster, processes and pane were all read and all say no', () => {
  const source = fc.constantFrom(READ, UNREAD);
  const sessions = fc.array(fc.constantFrom(session(5), NOT_LISTED), { maxLength: 2 });
  fc.assert(
    fc.property(
      fc.record({
        roster: source,
        processes: source,
        bySid: sessions,
        byHeartbeat: fc.array(fc.constant(session(8, { sessionId: OTHER })), { maxLength: 2 }),
        seen: fc.option(
          fc.record({ pid: fc.constant(5), session: fc.option(fc.constant(session(5)), { nil: undefined }) }),
          {
            nil: undefined,
          },
        ),
        named: fc.array(fc.constant(44), { maxLength: 1 }),
        pane: fc.record({ answer: fc.constantFrom('yes', 'no', 'unknown'), evidence: fc.constant('') }),
      }),
      (facts) => {
        const { kind } = decideLiveness({ ...DEAD, ...facts });
        if (kind !== 'absent') return;
        expect([facts.roster.ok, facts.processes.ok, facts.pane.answer]).toEqual([true, true, 'no']);
        expect([facts.bySid.length, facts.seen, facts.named.length, facts.byHeartbeat.length]).toEqual([
          0,
          undefined,
          0,
          0,
        ]);
      },
    ),
  );
});
