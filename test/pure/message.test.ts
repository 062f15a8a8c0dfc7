import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ExitDecision } from '../../src/lib/decide/exit-guards.ts';
import { alreadyThere, chooseRoute, type RouteFacts, SEND_EXIT, verdictOf } from '../../src/lib/decide/message.ts';
import { type MessageTrace, NO_TRACE, queueOf, traceAfter } from '../../src/lib/decide/message-trace.ts';
import { squeezed, typedPieces, typedProblem } from '../../src/lib/decide/typed-text.ts';
import { no, unknown } from '../../src/lib/reading.ts';
import {
  carriesMark,
  isMessageId,
  MESSAGE_LIMIT_BYTES,
  markedId,
  markedMessage,
  messageBody,
} from '../../src/lib/words/message-text.ts';
import { uniqueWord } from '../../src/lib/words/unique-word.ts';

const bodyOf = (text: string) => {
  const body = messageBody(text);
  if (!body.ok) throw new Error(body.why);
  return body.value;
};

describe('a text that can’t be seen whole in the box is not typed', () => {
  // A box that shows 9 rows of 76 columns, of which broken words may leave a fifth empty.
  const pane = { width: 80, height: 30 };
  it.each<[string, string, { width: number; height: number }, string | undefined]>([
    ['what fits', 'x'.repeat(9 * 60), pane, undefined],
    ['what would fit if no word were broken off', 'x'.repeat(9 * 76), pane, 'rows'],
    ['a row too many', Array(10).fill('x').join('\n'), pane, 'rows'],
    ['just the most', 'x'.repeat(1500), { width: 1000, height: 300 }, undefined],
    [
      'one more than that, in a pane of any size',
      'x'.repeat(1501),
      { width: 1000, height: 300 },
      'can’t be seen whole',
    ],
    ['nothing', ' \n', pane, 'empty'],
  ])('%s', (_, text, size, why) => {
    const problem = typedProblem(text, size);
    if (why === undefined) expect(problem).toBeUndefined();
    else expect(problem).toContain(why);
  });
});

describe('a text is made data', () => {
  it.each([
    ['plain', 'plain'],
    ['tab\tand\nnewline stay', 'tab\tand\nnewline stay'],
    ['\u001b[31mred\u001b[0m', '·[31mred·[0m'],
    ['\u001b]0;title\u0007', '·]0;title·'],
    ['a\u009b31mb\u007f', 'a·31mb·'],
    ['one\r\ntwo\rthree', 'one\ntwo\nthree'],
    ['right\u202eleft', 'right·left'],
    ['half \ud83d', 'half \ufffd'],
    ['whole 😀', 'whole 😀'],
    ['end \n\n', 'end'],
    ['[message abcd-1]', '> [message abcd-1]'],
    ['a\n [message abcd-1 from x]\nb', 'a\n>  [message abcd-1 from x]\nb'],
    ['see [message abcd-1] there', 'see [message abcd-1] there'],
  ])('%j', (text, wanted) => expect(bodyOf(text)).toBe(wanted));

  it.each([
    ['', 'empty'],
    [' \n\t', 'empty'],
    ['a\0b', 'NUL'],
    ['x'.repeat(MESSAGE_LIMIT_BYTES + 1), String(MESSAGE_LIMIT_BYTES)],
    ['é'.repeat(MESSAGE_LIMIT_BYTES / 2 + 1), String(MESSAGE_LIMIT_BYTES)],
  ])('refuses %.20j', (text, why) => {
    expect(messageBody(text)).toMatchObject({ ok: false, why: expect.stringContaining(why) });
  });

  it('of just the limit is taken', () => expect(messageBody('x'.repeat(MESSAGE_LIMIT_BYTES)).ok).toBe(true));

  it('whatever it is: no control characters, done twice is done once, and only its own mark is found in it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), fc.string({ maxLength: 30 }), (text, from) => {
        const body = messageBody(text);
        if (!body.ok) return;
        expect(body.value).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
        expect(bodyOf(body.value)).toBe(body.value);
        const id = uniqueWord();
        const marked = markedMessage(body.value, id, from);
        expect(carriesMark(marked, id)).toBe(true);
        expect(markedId(marked)).toBe(id);
        expect(carriesMark(markedMessage(body.value, 'other'), id)).toBe(false);
      }),
    );
  });

  it('an id is found as a whole word on a line of its own only', () => {
    expect(carriesMark('x\n[message ab-cd]', 'ab-c')).toBe(false);
    expect(carriesMark('x [message ab-cd]', 'ab-cd')).toBe(false);
    expect(carriesMark('x\n[message ab-cd] and more', 'ab-cd')).toBe(false);
    expect(carriesMark('frame\nx\n[message ab-cd]\n\nThis came from', 'ab-cd')).toBe(true);
    expect(carriesMark('x\r[message ab-cd from me]\r', 'ab-cd')).toBe(true);
    expect([isMessageId('a b'), isMessageId('../..'), isMessageId('ab-cd'), isMessageId(uniqueWord())]).toEqual([
      false,
      false,
      true,
      true,
    ]);
  });
});

const ID = 'abcd-1';
const TEXT = `hello\n[message ${ID}]`;
const enqueue = {
  type: 'queue-operation',
  operation: 'enqueue',
  content: TEXT,
  timestamp: '2026-01-01T00:00:10.000Z',
};
const dequeue = { type: 'queue-operation', operation: 'dequeue' };
const remove = { type: 'queue-operation', operation: 'remove', content: TEXT };
const user = (content: unknown) => ({ type: 'user', message: { role: 'user', content } });
const framed = user(`Another Claude session sent a message:\n${TEXT}\n\nThis came from another Claude session`);
const held = { type: 'system', content: 'Held peer message — from an unidentified session [verified pid 42]; preview' };

describe('what a transcript says of a message', () => {
  it.each<[string, object[], MessageTrace['state']]>([
    ['nothing', [], 'none'],
    ['queued', [enqueue], 'queued'],
    ['taken from the queue, its turn not yet written', [enqueue, dequeue], 'queued'],
    ['taken', [enqueue, dequeue, framed], 'taken'],
    ['typed', [user(TEXT)], 'taken'],
    ['in blocks', [user([{ type: 'text', text: TEXT }])], 'taken'],
    ['taken in by a running turn', [enqueue, { ...remove, reason: 'absorbed_mid_turn' }], 'taken'],
    [
      'the same by its attachment',
      [{ type: 'attachment', attachment: { type: 'queued_command', prompt: TEXT } }],
      'taken',
    ],
    ['taken out by a person', [enqueue, remove], 'withdrawn'],
    ['the whole queue taken out', [enqueue, { type: 'queue-operation', operation: 'popAll' }], 'withdrawn'],
    ['taken out, and sent after all', [enqueue, remove, user(TEXT)], 'taken'],
    ['held', [held], 'held'],
    ['held, then approved', [held, enqueue], 'queued'],
    ['another one held', [{ ...held, content: held.content.replace('42', '421') }], 'none'],
    ['printed by a tool', [user([{ type: 'tool_result', content: TEXT }])], 'none'],
    ['told to a sub-agent', [{ ...user(TEXT), isSidechain: true }], 'none'],
    ['said by the model', [{ type: 'assistant', message: { content: TEXT } }], 'none'],
    ['another message', [user('x\n[message abcd-12]')], 'none'],
    ['another one removed', [enqueue, { ...remove, content: 'x' }], 'queued'],
  ])('%s', (_, lines, state) => {
    const sought = { id: ID, senderPid: 42 };
    let trace = NO_TRACE;
    for (const line of lines) trace = traceAfter(trace, line as Record<string, unknown>, sought);
    expect(trace.state).toBe(state);
  });

  it('of whatever shape its lines are, it throws nothing, and what was taken stays taken', () => {
    const line = fc.oneof(
      fc.constantFrom<unknown>(enqueue, dequeue, remove, framed, held),
      fc.record({ type: fc.constantFrom('user', 'attachment', 'system', 'queue-operation'), message: fc.jsonValue() }),
      fc.record({ type: fc.constant('attachment'), attachment: fc.jsonValue(), operation: fc.jsonValue() }),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
        let trace = NO_TRACE;
        for (const one of lines) {
          const next = traceAfter(trace, one as Record<string, unknown>, { id: ID, senderPid: 42 });
          if (trace.state === 'taken') expect(next).toEqual(trace);
          trace = next;
        }
      }),
    );
  });

  it('its queue', () => {
    const other = { ...enqueue, content: 'other' };
    const contents = (...lines: object[]) => queueOf(lines as Record<string, unknown>[]).map(({ content }) => content);
    expect(contents(enqueue, other)).toEqual([TEXT, 'other']);
    expect(contents(enqueue, other, dequeue)).toEqual(['other']);
    expect(contents(other, enqueue, remove)).toEqual(['other']);
    expect(contents(dequeue, enqueue)).toEqual([TEXT]);
    expect(contents(enqueue, { type: 'queue-operation', operation: 'clear' })).toEqual([]);
  });
});

describe('the verdict', () => {
  const seen = { trace: NO_TRACE, startedAt: 1000, occupied: false, running: true };
  it.each<[string, Partial<typeof seen> | { trace: MessageTrace }, string, RegExp]>([
    ['taken', { trace: { state: 'taken' } }, 'delivered', /delivered/],
    ['taken by a session that ended', { trace: { state: 'taken' }, running: false }, 'delivered', /delivered/],
    ['queued', { trace: { state: 'queued', queuedAt: 2000 }, occupied: true }, 'queued', /busy/],
    ['queued, time unknown', { trace: { state: 'queued' } }, 'queued', /queued/],
    ['queued for a process that is gone', { trace: { state: 'queued', queuedAt: 500 } }, 'unconfirmed', /gone/],
    ['queued, and the session ended', { trace: { state: 'queued' }, running: false }, 'unconfirmed', /ended/],
    ['held', { trace: { state: 'held' } }, 'unconfirmed', /held/],
    ['taken out', { trace: { state: 'withdrawn' } }, 'unconfirmed', /person/],
    ['no trace', {}, 'unconfirmed', /crossSessionInbound/],
  ])('%s', (_, more, verdict, words) => {
    const said = verdictOf({ ...seen, ...more });
    expect(said).toMatchObject({ verdict, words: expect.stringMatching(words) });
  });

  it.each<[string, MessageTrace, boolean, string | undefined]>([
    ['delivered', { state: 'taken' }, true, 'delivered'],
    ['queued', { state: 'queued', queuedAt: 2000 }, true, 'queued'],
    ['queued in a process that is gone', { state: 'queued', queuedAt: 1 }, true, undefined],
    ['held: it may still be approved', { state: 'held' }, true, 'unconfirmed'],
    ['held by a process that is gone', { state: 'held' }, false, undefined],
    ['in somebody’s box', { state: 'withdrawn' }, true, 'unconfirmed'],
    ['in the box of a process that is gone', { state: 'withdrawn' }, false, undefined],
    ['no trace', { state: 'none' }, true, undefined],
  ])('an earlier send: %s', (_, trace, sameProcess, verdict) => {
    expect(alreadyThere({ ...seen, trace, sameProcess })?.verdict).toBe(verdict);
  });

  it('has an exit code each', () => {
    expect(SEND_EXIT).toEqual({
      delivered: 0,
      queued: 0,
      'would-send': 0,
      unconfirmed: 75,
      refused: 77,
      unreadable: 69,
      'no-such-session': 66,
    });
  });
});

const PASS: ExitDecision = { kind: 'leave', guards: [], stoppedBy: undefined };
const STOP: ExitDecision = {
  kind: 'refuse',
  guards: [],
  stoppedBy: { name: 'input', reading: no('screen', 'a draft') },
};
const BLIND: ExitDecision = {
  kind: 'unreadable',
  guards: [],
  stoppedBy: { name: 'address', reading: unknown('tmux', 'hung') },
};
const OPEN: RouteFacts = {
  processes: 1,
  listed: true,
  inbox: { kind: 'open', path: '/s' },
  wouldAsk: undefined,
  socketOnly: false,
  kind: 'interactive',
  guards: STOP,
  typedProblem: undefined,
};

describe('the route', () => {
  const none = { kind: 'none', why: 'no socket' } as const;
  it.each<[string, Partial<RouteFacts>, string]>([
    ['a socket, whatever stands on the screen', {}, 'socket'],
    ['a background session', { kind: 'background' }, 'socket'],
    ['twins', { processes: 2 }, 'refused'],
    ['a first-run dialog', { listed: false }, 'refused'],
    ['a note of another process', { inbox: { kind: 'unsure', why: '?' }, guards: PASS }, 'refused'],
    ['bypass mode that asks first, never typed around', { wouldAsk: 'asks', guards: PASS }, 'refused'],
    ['no socket, an idle pane', { inbox: none, guards: PASS }, 'typed'],
    ['no socket, and typing is not wanted', { inbox: none, guards: PASS, socketOnly: true }, 'refused'],
    ['no socket, a draft', { inbox: none }, 'refused'],
    ['no socket, tmux hangs', { inbox: none, guards: BLIND }, 'unreadable'],
    ['no socket, a background session', { inbox: none, guards: PASS, kind: 'background' }, 'refused'],
    ['no socket, a text that would run', { inbox: none, guards: PASS, typedProblem: 'it would run' }, 'refused'],
  ])('%s: %s', (_, more, kind) => expect(chooseRoute({ ...OPEN, ...more }).kind).toBe(kind));

  it('types only under every guard, and sends to nobody unsure, whatever the facts', () => {
    const facts = fc.record({
      processes: fc.nat(3),
      listed: fc.boolean(),
      inbox: fc.constantFrom<RouteFacts['inbox']>({ kind: 'open', path: '/s' }, none, { kind: 'unsure', why: '?' }),
      wouldAsk: fc.constantFrom(undefined, 'asks'),
      socketOnly: fc.boolean(),
      kind: fc.constantFrom<RouteFacts['kind']>('interactive', 'background', 'unknown'),
      guards: fc.constantFrom(PASS, STOP, BLIND),
      typedProblem: fc.constantFrom(undefined, 'long'),
    });
    fc.assert(
      fc.property(facts, (given) => {
        const { kind } = chooseRoute(given);
        if (kind !== 'socket' && kind !== 'typed') return;
        expect([given.processes, given.listed]).toEqual([1, true]);
        expect(given.inbox.kind).toBe(kind === 'socket' ? 'open' : 'none');
        if (kind === 'socket') expect(given.wouldAsk).toBeUndefined();
        else
          expect([given.socketOnly, given.guards, given.kind, given.typedProblem]).toEqual([
            false,
            PASS,
            'interactive',
            undefined,
          ]);
      }),
    );
  });
});

describe('a typed text', () => {
  const pane = { width: 80, height: 24 };
  it.each(['/exit', ' /exit', '!ls', '#note', '@file', '?', '&x', 'see @file', 'x\n@file', '', 'x\n'.repeat(9)])(
    'is refused: %j',
    (text) => expect(typedProblem(text, pane)).toBeDefined(),
  );
  it.each(['hello', 'mail me@example.org', 'a / b ! c # d', 'two\nlines', 'x'.repeat(300)])(
    'may be typed: %.20j',
    (text) => expect(typedProblem(text, pane)).toBeUndefined(),
  );
  it('not in a pane that is too low', () => expect(typedProblem('a\nb', { width: 80, height: 6 })).toBeDefined());

  it('is cut into short pieces that make it up again, behind spaces where there are any', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 400 }), (text) => {
        const pieces = typedPieces(text);
        expect(pieces.join('')).toBe(text);
        for (const piece of pieces) expect(piece.length).toBeLessThan(90);
      }),
    );
    expect(typedPieces('👩‍👩‍👧'.repeat(12)).every((piece) => piece.startsWith('👩') && piece.endsWith('👧'))).toBe(
      true,
    );
    expect(
      typedPieces(`${'word '.repeat(30)}end`)
        .slice(0, -1)
        .every((piece) => piece.endsWith(' ')),
    ).toBe(true);
  });

  it('is compared without white space', () => expect(squeezed(' a\n  b\u00a0\tc ')).toBe('abc'));
});
