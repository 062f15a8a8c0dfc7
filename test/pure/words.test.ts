import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatBytes } from '../../src/lib/words/bytes.ts';
import { formatDuration, parseDuration } from '../../src/lib/words/duration.ts';
import { resumeCommand, shellWord } from '../../src/lib/words/resume-command.ts';
import { safeText } from '../../src/lib/words/safe-text.ts';
import { isSessionId, isShortId } from '../../src/lib/words/session-id.ts';
import { formatShare, parseShare } from '../../src/lib/words/share.ts';
import { cutTo, table, wrapTo } from '../../src/lib/words/table.ts';

describe('durations', () => {
  it.each([
    ['90s', 90_000],
    ['15m', 900_000],
    ['48h', 172_800_000],
    ['7d', 604_800_000],
    ['1h30m', 5_400_000],
    ['0s', 0],
  ])('%s is %d ms', (text, ms) => expect(parseDuration(text)).toBe(ms));

  it.each(['', '15', 'm', '1.5h', '-3m', '3 m', '30m1h', '5M', '1h1h', '99999999999d', '1e3s', '15 minutes'])(
    '%j is none',
    (text) => expect(parseDuration(text)).toBeUndefined(),
  );

  it('reads back what it writes, to its two largest units', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 400 * 86_400 }), (seconds) => {
        const back = parseDuration(formatDuration(seconds * 1000).replaceAll(' ', ''));
        expect(back).toBeDefined();
        expect(Math.abs((back ?? 0) - seconds * 1000)).toBeLessThan(Math.max(1000, seconds * 50));
      }),
    );
  });
});

it('writes shares and sizes', () => {
  expect(parseShare('7.5%')).toBe(0.075);
  expect(['10', '101%', '-1%', '%', '1,5%'].map(parseShare)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  expect(formatShare(0.075)).toBe('7.5%');
  expect([0, 999, 1024, 389 * 2 ** 20, 15.3 * 2 ** 30].map(formatBytes)).toEqual([
    '0 B',
    '999 B',
    '1.00 KB',
    '389 MB',
    '15.3 GB',
  ]);
});

describe('text from outside', () => {
  it('lets no control character, escape or bidi override through', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 500 }), fc.integer({ min: 1, max: 80 }), (text, max) => {
        const safe = safeText(text, max);
        expect(safe).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
        expect(safe.length).toBeLessThanOrEqual(max);
      }),
    );
    expect(safeText('a\x1b[2Jb')).toBe('a·[2Jb');
  });

  it('makes one shell word of anything', () => {
    expect(shellWord("it's $(rm)")).toBe("'it'\\''s $(rm)'");
    expect(shellWord('/a/b-c_1.2')).toBe('/a/b-c_1.2');
    expect(resumeCommand('sid', '/a b', true)).toBe("cd '/a b' && claude --resume sid --bg");
    expect(resumeCommand('sid', '/a\x1b[2J', false)).toBe('claude --resume sid');
  });
});

it('takes only ids for ids, since they become file names', () => {
  expect(isSessionId('7b6a75ce-4d13-4fd3-9f0a-03291e1657ff')).toBe(true);
  for (const word of [
    '',
    '../../etc/passwd',
    '7B6A75CE-4D13-4FD3-9F0A-03291E1657FF',
    'a45baa2f',
    '7b6a75ce-4d13-4fd3-9f0a-03291e1657ff\n',
  ]) {
    expect(isSessionId(word)).toBe(false);
  }
  expect(isShortId('a45baa2f')).toBe(true);
  expect(isShortId('a45/aa2f')).toBe(false);
});

it('pads columns without boxes', () => {
  expect(
    table(
      [
        ['a', 'bb'],
        ['ccc', 'd'],
      ],
      [1],
    ),
  ).toEqual(['a    bb', 'ccc   d']);
  expect(cutTo('abcdef', 4)).toBe('abc…');
  expect(cutTo('名前は長い', 6)).toBe('名前…');
  expect(
    table([
      ['名', 'x'],
      ['abc', 'y'],
    ]),
  ).toEqual(['名   x', 'abc  y']);
  expect(wrapTo('a: bb, cc, dd', 9, 3)).toEqual(['a: bb,', '   cc, dd']);
});
