import { describe, expect, it } from 'vitest';
import { decideFinish } from '../../src/lib/decide/task-change.ts';
import { parseBoard } from '../../src/lib/store/board.ts';
import { checkinText } from '../../src/lib/words/checkin-text.ts';

describe('a check-in', () => {
  it.each([
    ['no groups', { groups: [] }],
    ['a group without items', { groups: [{ title: 'g', items: [] }] }],
    ['one open item', { groups: [{ title: 'g', items: [{ text: 'a', state: 'open' }] }] }],
    ['all met', { groups: [{ title: 'g', items: [{ text: 'a', state: 'met', evidence: 'log' }] }] }],
    ['no board at all', { groups: 1 }],
  ])('calls a board complete exactly when the finisher does: %s', (_, document) => {
    const board = parseBoard(JSON.stringify(document));
    const decision = decideFinish({
      state: 'working',
      terminal: false,
      board: board.kind === 'bad' ? { kind: 'bad', words: board.problem } : board,
      withoutBoard: false,
    });
    const text = checkinText({ task: 't', title: undefined, folder: '/f', board, because: 'Now.' });
    expect(text.includes('board is complete')).toBe(decision.kind === 'finish');
    expect(text.includes('task-file finish t')).toBe(decision.kind === 'finish');
  });
});
