import { describe, expect, it } from 'vitest';
import { answeredAs } from '../../src/lib/decide/spawn-answer.ts';
import { assignment, decideFinish, type FinishFacts } from '../../src/lib/decide/task-change.ts';
import { parseBoard } from '../../src/lib/store/board.ts';
import { TERMINAL_STATES } from '../../src/lib/store/task-schema.ts';

describe('finishing', () => {
  const facts: FinishFacts = {
    state: 'working',
    terminal: false,
    board: { kind: 'read', items: 2, open: [] },
    withoutBoard: false,
  };

  it.each<[string, Partial<FinishFacts>, string]>([
    ['nothing open', {}, 'finish'],
    [
      'something open',
      { board: { kind: 'read', items: 1, open: [{ group: 'g', text: 'the one thing' }] } },
      'open-items',
    ],
    ['a board nobody can read', { board: { kind: 'bad', words: 'x' } }, 'board-unreadable'],
    ['no board', { board: { kind: 'none' } }, 'no-board'],
    ['no board, and told so', { board: { kind: 'none' }, withoutBoard: true }, 'finish'],
    ['a board without items', { board: { kind: 'read', items: 0, open: [] } }, 'empty-board'],
    ['one without items, and told so', { board: { kind: 'read', items: 0, open: [] }, withoutBoard: true }, 'finish'],
    ['a bad board is not no board', { board: { kind: 'bad', words: 'x' }, withoutBoard: true }, 'board-unreadable'],
    [
      'open items are not overruled',
      { board: { kind: 'read', items: 1, open: [{ group: 'g', text: 't' }] }, withoutBoard: true },
      'open-items',
    ],
    ['over already', { state: 'done', terminal: true }, 'over-already'],
  ])('%s: %s', (_, fields, expected) => {
    const decision = decideFinish({ ...facts, ...fields });
    expect(decision.kind === 'finish' ? 'finish' : decision.reason).toBe(expected);
    if (expected === 'open-items') expect(decision).toMatchObject({ words: expect.stringContaining('g: t') });
  });
});

describe('key=value', () => {
  it.each<[string, unknown]>([
    ['title=two words', { field: 'title', value: 'two words' }],
    ['n=3', { field: 'n', value: 3 }],
    ['launch={"kind":"background"}', { field: 'launch', value: { kind: 'background' } }],
    ['title=', { field: 'title', value: undefined }],
    ['note=a=b', { field: 'note', value: 'a=b' }],
    ['state=awaiting-human', { field: 'state', value: 'awaiting-human' }],
  ])('%s', (word, made) => expect(assignment(word, TERMINAL_STATES)).toEqual(made));

  it.each([
    'state=done',
    'state=abandoned',
    'state=parked',
    'state="done"',
    'state= "done" ',
    'operatorRespawnTimes=[]',
    'exitedAt=2026-01-01',
    'spawnIntent={}',
    'id=x',
    'nothing',
    '=x',
    '__proto__=1',
    'a.b=1',
  ])('%s can’t be set', (word) => expect(assignment(word, TERMINAL_STATES)).toHaveProperty('problem'));
});

describe('a board', () => {
  const board = (items: unknown) => JSON.stringify({ groups: [{ title: 'g', items }], more: 1 }, null, 2);

  it('is read, with what is open', () => {
    const reading = parseBoard(
      board([
        { text: 'a', state: 'open' },
        { text: 'b', state: 'met', evidence: 'e' },
        { text: 'c', state: 'dropped', evidence: 'e' },
      ]),
    );
    expect(reading).toMatchObject({ kind: 'read', open: [{ group: 'g', text: 'a' }] });
  });

  it('is read behind the mark that some editors put first', () => {
    expect(parseBoard(`\ufeff${board([{ text: 'a', state: 'open' }])}`)).toMatchObject({ kind: 'read', open: [{}] });
  });

  it.each<[string, string, number, number, string]>([
    ['a missing comma', '{\n "groups": [\n  {"title": "g" "items": []}\n ]\n}', 3, 17, 'comma expected'],
    ['torn', '{\n "groups": [', 2, 13, 'expected'],
    ['empty', '', 1, 1, ''],
    ['a trailing comma', '{"groups": [],}', 1, 15, ''],
    [
      'a wrong state',
      '{\n "groups": [\n  {"title": "g", "items": [\n    {"text": "t", "state": "done"}\n  ]}]}',
      4,
      28,
      'groups.0.items.0.state',
    ],
    [
      'met without evidence',
      '{"groups": [{"title": "g", "items": [\n  {"text": "t", "state": "met"}]}]}',
      2,
      3,
      'evidence',
    ],
    [
      'a key that is there twice, where the second hides what is open in the first',
      '{"groups": [{"title": "g",\n "items": [{"text": "t", "state": "open"}],\n "items": []}]}',
      3,
      2,
      'items: is there twice',
    ],
    ['brackets beyond all measure', '['.repeat(300_000), 1, 1, 'too deeply'],
    ['no groups', '{\n  "group": []\n}', 1, 1, 'groups'],
    ['a list', '[]', 1, 1, '(top)'],
  ])('%s is said with line and column', (_, text, line, column, words) => {
    const reading = parseBoard(text);
    expect(reading).toMatchObject({ kind: 'bad', problem: expect.stringContaining(words) });
    expect(reading.kind === 'bad' && [reading.line, reading.column]).toEqual([line, column]);
  });
});

it.each([
  ['the id it was to continue', 'aaaa0000', '', 'unknown', 'same'],
  ['another, and claude says that it made a copy', 'bbbb0000', 'so this started a copy as bbbb0000', 'no', 'copy'],
  ['another, and the old one lives', 'bbbb0000', '', 'yes', 'copy'],
  ['another, and whether the old one lives can’t be told', 'bbbb0000', '', 'unknown', 'copy'],
  ['another, and the old one is gone', 'bbbb0000', 'note: woke it', 'no', 'new-id'],
] as const)('a resume that answers with %s', (_, shortId, said, oldLives, kind) => {
  expect(answeredAs({ resumed: 'aaaa0000-0000-4000-8000-000000000000', shortId, said, oldLives })).toBe(kind);
});
