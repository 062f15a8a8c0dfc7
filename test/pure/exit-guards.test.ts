import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decideExit, type ExitFacts } from '../../src/lib/decide/exit-guards.ts';
import { no, unknown, yes } from '../../src/lib/reading.ts';

const IDLE: ExitFacts = {
  processes: 1,
  kind: 'interactive',
  status: 'idle',
  hasShortId: false,
  viewed: no('processes', ''),
  pane: { answer: 'yes', evidence: '%1' },
  attachedClients: 0,
  inMode: false,
  screen: { kind: 'empty-prompt', evidence: '' },
};
const BACKGROUND: ExitFacts = {
  processes: 1,
  kind: 'background',
  status: 'idle',
  hasShortId: true,
  viewed: no('processes', ''),
  pane: { answer: 'no', evidence: 'not looked for' },
};
/** Facts of a case, some of them unread. */
type Unset = { [K in keyof ExitFacts]?: ExitFacts[K] | undefined };
const dialog = { kind: 'dialog', evidence: 'Do you want to proceed?' } as const;

describe('an interactive session', () => {
  it.each<[string, Unset, string, string | undefined]>([
    ['idle, alone, empty box', {}, 'leave', undefined],
    [
      'the /exit of a killed run',
      { screen: { kind: 'draft', evidence: '/exit', oursTyped: true } },
      'leave',
      undefined,
    ],
    ['busy', { status: 'busy' }, 'refuse', 'status'],
    ['waiting on a permission prompt', { status: 'waiting', waitingFor: 'permission prompt' }, 'refuse', 'status'],
    ['a background shell at work', { status: 'shell' }, 'refuse', 'status'],
    ['not in the roster (a first-run dialog)', { status: undefined, screen: dialog }, 'refuse', 'input'],
    ['a status of a newer version', { status: 'dreaming' }, 'refuse', 'status'],
    ['a dialog though the roster says idle', { screen: dialog }, 'refuse', 'input'],
    ['background work', { screen: { kind: 'background-work', evidence: '' } }, 'refuse', 'input'],
    ['a draft', { screen: { kind: 'draft', evidence: 'please do not' } }, 'refuse', 'input'],
    ['a person’s own /exit', { screen: { kind: 'draft', evidence: '/exit', oursTyped: false } }, 'refuse', 'input'],
    ['a turn that just began', { screen: { kind: 'busy', evidence: '' } }, 'refuse', 'input'],
    ['a shell where claude was', { screen: { kind: 'not-claude', evidence: '$' } }, 'refuse', 'input'],
    ['a screen nobody understands', { screen: { kind: 'unknown', evidence: '?' } }, 'refuse', 'input'],
    ['copy mode', { inMode: true }, 'refuse', 'mode'],
    ['a client', { attachedClients: 1 }, 'refuse', 'unattached'],
    ['no pane', { pane: { answer: 'no', evidence: 'its own terminal' } }, 'refuse', 'address'],
    ['tmux could not be read', { pane: { answer: 'unknown', evidence: 'hung' } }, 'unreadable', 'address'],
    ['clients that could not be counted', { attachedClients: undefined }, 'unreadable', 'unattached'],
    ['a mode that could not be read', { inMode: undefined }, 'unreadable', 'mode'],
    ['a screen that could not be read', { screen: undefined }, 'refuse', 'input'],
    ['twins', { processes: 2 }, 'refuse', 'identity'],
    ['no known kind', { kind: 'unknown' }, 'refuse', 'address'],
  ])('%s: %s', (_, fields, kind, guard) => {
    const decision = decideExit({ ...IDLE, ...fields } as ExitFacts);
    expect([decision.kind, decision.stoppedBy?.name]).toEqual([kind, guard]);
  });

  it('says of what is known that it is so, not that it is unknown', () => {
    for (const status of ['busy', 'shell', 'waiting']) {
      const decision = decideExit({ ...IDLE, status, waitingFor: 'permission prompt' });
      expect(decision.stoppedBy?.reading.answer, status).toBe('no');
    }
  });
});

it('whose pane vanished before its screen was read is not asked', () => {
  const { screen, inMode, ...vanished } = IDLE;
  expect([screen?.kind, inMode, decideExit(vanished).kind]).toEqual(['empty-prompt', false, 'unreadable']);
});

describe('a background session', () => {
  it.each<[string, Partial<ExitFacts>, string]>([
    ['idle and alone', {}, 'leave'],
    ['busy', { status: 'busy' }, 'refuse'],
    ['waiting', { status: 'waiting' }, 'refuse'],
    ['without a status', { status: undefined }, 'refuse'],
    ['attached', { viewed: yes('processes', 'attach') }, 'refuse'],
    ['an agents view that may show it', { viewed: unknown('processes', 'an agents view') }, 'unreadable'],
    ['no short id', { hasShortId: false }, 'refuse'],
  ])('%s: %s', (_, fields, kind) => expect(decideExit({ ...BACKGROUND, ...fields }).kind).toBe(kind));
});

it('asks a session to leave only if every guard says yes, whatever the facts', () => {
  const answer = fc.constantFrom('yes', 'no', 'unknown') as fc.Arbitrary<'yes'>;
  const maybe = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined });
  const screenKind = fc.constantFrom(
    'empty-prompt',
    'draft',
    'dialog',
    'background-work',
    'busy',
    'not-claude',
    'unknown',
  );
  fc.assert(
    fc.property(
      fc.record({
        processes: fc.nat(3),
        kind: fc.constantFrom('interactive', 'background', 'unknown'),
        status: maybe(fc.constantFrom('idle', 'busy', 'waiting', 'shell', 'dreaming')),
        hasShortId: fc.boolean(),
        viewed: maybe(fc.constantFrom(yes('p', ''), no('p', ''), unknown('p', ''))),
        pane: fc.record({ answer, evidence: fc.constant('') }),
        attachedClients: maybe(fc.nat(2)),
        inMode: maybe(fc.boolean()),
        screen: maybe(fc.record({ kind: screenKind, evidence: fc.constant(''), oursTyped: fc.boolean() })),
      }),
      (made) => {
        const given = made as ExitFacts;
        const decision = decideExit(given);
        expect(decision.kind === 'leave').toBe(decision.guards.every(({ reading }) => reading.answer === 'yes'));
        if (decision.kind !== 'leave') return;
        expect(given.processes).toBe(1);
        expect(given.status).toBe('idle');
        if (given.kind === 'background') expect([given.hasShortId, given.viewed?.answer]).toEqual([true, 'no']);
        else {
          expect([given.kind, given.pane.answer, given.attachedClients, given.inMode]).toEqual([
            'interactive',
            'yes',
            0,
            false,
          ]);
          expect(
            given.screen?.kind === 'empty-prompt' || (given.screen?.kind === 'draft' && given.screen.oursTyped),
          ).toBe(true);
        }
      },
    ),
    { numRuns: 3000 },
  );
});
