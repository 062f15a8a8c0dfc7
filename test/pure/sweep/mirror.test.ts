import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decideMirror, type MirrorFacts } from '../../../src/lib/decide/sweep/mirror.ts';
import { withHealthLine } from '../../../src/lib/words/state-block.ts';

const AT = '2026-09-27T17:12:00.000Z';
const CLOSED: MirrorFacts = {
  terminal: false,
  closed: { at: AT, atMs: Date.parse(AT), status: 'EXPIRED', reason: '72 h' },
  tickAtMs: undefined,
  known: undefined,
};
const COPIED = { status: 'EXPIRED', closedAt: AT, reason: '72 h', health: 'watcher-closed-while-open' };

it.each<[string, Partial<MirrorFacts>, string, string | undefined]>([
  ['no watcher has closed', { closed: undefined }, 'no-watcher', undefined],
  ['closed while the task is open', {}, 'copy', 'watcher-closed-while-open'],
  ['the same, copied already: it stays a failure', { known: COPIED }, 'same', 'watcher-closed-while-open'],
  ['closed after the task was over', { terminal: true }, 'copy', undefined],
  ['copied while open, over since', { terminal: true, known: COPIED }, 'copy', undefined],
  ['it ticked after that', { tickAtMs: Date.parse(AT) + 1, known: COPIED }, 'copy', undefined],
  ['its last tick was before', { tickAtMs: Date.parse(AT) - 1 }, 'copy', 'watcher-closed-while-open'],
])('%s', (_, facts, kind, failure) => {
  const verdict = decideMirror({ ...CLOSED, ...facts });
  expect(verdict).toMatchObject({ kind, fires: kind === 'copy' });
  expect(verdict.failure).toBe(failure);
  if (failure !== undefined) expect(verdict.line).toMatch(/^FAILED: the watcher closed while the task is open/);
});

describe('the managed block of STATE.md', () => {
  it('is all that changes, whatever stands around it', () => {
    const latin1 = fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes).toString('latin1'));
    fc.assert(
      fc.property(latin1, latin1, fc.string(), (before, after, line) => {
        const made = withHealthLine(before, 'one');
        if (!made.ok) throw new Error(made.why);
        expect(made.text.startsWith(before)).toBe(true);
        const edited = withHealthLine(`${made.text}${after}`, line);
        if (!edited.ok) throw new Error(edited.why);
        expect(edited.text.startsWith(before)).toBe(true);
        expect(edited.text.endsWith(after)).toBe(true);
        expect(withHealthLine(edited.text, line)).toEqual(edited);
        expect(withHealthLine(edited.text, 'one')).toMatchObject({ ok: true });
      }),
    );
  });

  it('keeps the line ends of its file, and its own line to one line', () => {
    const made = withHealthLine('a\r\nb\r\n', 'fine --> still');
    expect(made).toMatchObject({ ok: true });
    expect(made.ok && made.text.split('\r\n')).toHaveLength(6);
    expect(made.ok && made.text.match(/-->/g)).toHaveLength(2);
  });

  it('is left alone when somebody broke its markers', () => {
    const made = withHealthLine('a\n', 'x');
    const text = made.ok ? made.text : '';
    const [begin = '', , end = ''] = text.split('\n').slice(1);
    for (const broken of [`${begin}\nmine\n`, `mine\n${end}\n`, `${end}\n${begin}\n`, `${text}${text}`]) {
      expect(withHealthLine(broken, 'y'), broken).toMatchObject({ ok: false });
    }
  });
});
