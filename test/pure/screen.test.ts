import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, test, vi } from 'vitest';
import { boxShowsExactly, readScreen, type ScreenCapture, screenExcerpt } from '../../src/lib/observe/screen.ts';

// Thousands of screens a property: seconds on a quiet machine, more on a loaded one.
vi.setConfig({ testTimeout: 120_000 });

interface Fixture {
  name: string;
  expect: { state: string; title?: string; text?: string };
  about: string;
  claudeVersion: string;
  width: number;
  height: number;
  theme: string;
  noColor: boolean;
  cursor: { x: number; y: number; visible: boolean };
  ansi: string;
}

const folder = path.join(import.meta.dirname, '..', 'fixtures', 'screens');
const fixtures: Fixture[] = fs
  .readdirSync(folder)
  .filter((file) => file.endsWith('.json'))
  .map((file) => ({ name: file.slice(0, -5), ...JSON.parse(fs.readFileSync(path.join(folder, file), 'utf8')) }));

function capture(fixture: Fixture): ScreenCapture {
  const { ansi, cursor, width, height } = fixture;
  return { ansi, cursorX: cursor.x, cursorY: cursor.y, cursorVisible: cursor.visible, width, height };
}

const of = (...states: string[]) => fixtures.filter((fixture) => states.includes(fixture.expect.state));
/** Screens on which a key does something other than edit an empty prompt or a draft. */
const takesKeys = of('dialog', 'background-work');
const typable = ['empty-prompt', 'draft'];
const one = <T>(items: T[]) => fc.constantFrom(...items);

/** Rows that a conversation, a command's output or a status line could show. */
const width80 = '─'.repeat(80);
const hostileRow = fc
  .oneof(
    one([
      width80,
      '─'.repeat(40),
      '❯\u00a0',
      '❯ ',
      '\x1b[39m❯\u00a0\x1b[7m \x1b[0m',
      '  ⏵⏵ auto mode on',
      '',
      '❯\u00a0abc',
    ]),
    one(['\x1b[2m', '\x1b[7m', '\x1b[0m', 'Esc to cancel', '❯ 1. Yes', '▔'.repeat(80), '! ', '$ ', '~']),
    fc.string({ unit: 'binary', maxLength: 60 }).map((text) => text.replaceAll('\n', ' ')),
    // tmux never lets one row's attributes leak into the next row's text.
  )
  .map((row) => `${row}\x1b[0m`);

function crop(shot: ScreenCapture, width: number, top: number, rows: number): ScreenCapture {
  const plain = shot.ansi.replace(/\x1b\[[0-9;]*m/g, '').split('\n');
  const ansi = plain.slice(top, top + rows).map((line) => [...line].slice(0, width).join(''));
  const cursorY = Math.min(rows - 1, Math.max(0, shot.cursorY - top));
  return { ...shot, ansi: ansi.join('\n'), width, height: rows, cursorX: Math.min(width - 1, shot.cursorX), cursorY };
}

test('there are fixtures of every kind', () => {
  const kinds = new Set(fixtures.map((fixture) => fixture.expect.state));
  expect([...kinds].sort()).toEqual([
    'background-work',
    'busy',
    'dialog',
    'draft',
    'empty-prompt',
    'not-claude',
    'unknown',
  ]);
});

describe('recorded screens', () => {
  it.each(fixtures.map((fixture) => [fixture.name, fixture] as const))('%s', (_name, fixture) => {
    const reading = readScreen(capture(fixture));
    expect(reading, fixture.about).toMatchObject({ kind: fixture.expect.state, source: 'screen' });
    if (fixture.expect.title !== undefined) expect(reading).toMatchObject({ title: fixture.expect.title });
    if (fixture.expect.text !== undefined) expect(reading).toMatchObject({ text: fixture.expect.text });
    expect(reading.evidence).toMatch(/^[^\p{Cc}]{1,200}$/u);
  });
});

describe('boxShowsExactly', () => {
  it.each(fixtures.map((fixture) => [fixture.name, fixture] as const))('%s', (_name, fixture) => {
    const shown = fixture.expect.state === 'draft' && fixture.expect.text === '/exit';
    expect(boxShowsExactly(readScreen(capture(fixture)), '/exit')).toBe(shown);
  });

  const box = (
    line: string,
    cursorX: number,
    menu: string[] = [],
    above = '✻ Baked for 0s · done 3:20 PM',
  ): ScreenCapture => {
    const lines = [above, '', ...menu, width80, line, width80, '  ⏵⏵ auto mode on'];
    return { ansi: lines.join('\n'), cursorX, cursorY: menu.length + 3, cursorVisible: false, width: 80, height: 24 };
  };
  it.each([
    ['the words alone', box('❯\u00a0/exit', 7), true],
    ['a space behind', box('❯\u00a0/exit ', 8), false],
    ['the cursor inside', box('❯\u00a0/exit', 4), false],
    ['a completion behind the cursor', box('❯\u00a0/exi\x1b[7mt\x1b[0m', 6), false],
    ['an invisible character', box('❯\u00a0/ex\u200bit', 7), false],
    ['a menu that would run it', box('❯\u00a0/exit', 7, ['  ❯ /exit       Exit the CLI']), true],
    ['a menu that would run something else', box('❯\u00a0/exit', 7, ['  ❯ /exit-now   Custom']), false],
    ['a turn that has begun meanwhile', box('❯\u00a0/exit', 7, [], '✻ Mustering… (2s)'), false],
    ['a plain space behind the prompt sign', box('❯ /exit', 7), false],
    ['shell mode', box('!\u00a0/exit', 7), false],
  ])('%s', (_about, shot, shown) => {
    expect(boxShowsExactly(readScreen(shot), '/exit')).toBe(shown);
  });
});

describe('a hand-made screen', () => {
  const rule = '─'.repeat(40);
  const limitReached = '  ⚠ Usage limit reached · limit resets 4am';
  const limitNotice = [limitReached, '    Continuing automatically at 4am · Esc', '    to cancel'];
  const screen = (lines: string[], cursorX = 2): ScreenCapture => {
    const cursorY = lines.findIndex((line) => line.startsWith('❯\u00a0'));
    return { ansi: lines.join('\n'), cursorX, cursorY, cursorVisible: false, width: 40, height: 12 };
  };
  it.each([
    ['empty', screen(['● done', rule, '❯\u00a0', rule, '  ⏵⏵ auto mode on']), 'empty-prompt'],
    ['busy, its spinner scrolled away', screen(['  a', rule, '❯\u00a0', rule, '  ⏵⏵ auto · esc to interrupt']), 'busy'],
    ['busy, the hint cut off', screen(['  a', rule, '❯\u00a0', rule, '  ⏵⏵ auto · esc to int…']), 'busy'],
    ['busy above a task list', screen(['✻ Writing… (3s)', '  ⎿ ☐ Ship', rule, '❯\u00a0', rule, '  x']), 'busy'],
    [
      'an idle session whose last words end in …',
      screen(['● well…', '✻ Baked for 1s · done 3:20 PM', rule, '❯\u00a0', rule]),
      'empty-prompt',
    ],
    ['a lower rule of another width', screen([rule, '❯\u00a0', '─'.repeat(39), '']), 'unknown'],
    ['an upper rule of another width', screen(['─'.repeat(39), '❯\u00a0', rule, '']), 'unknown'],
    ['no lower rule', screen([rule, '❯\u00a0']), 'unknown'],
    ['a name with wide characters', screen([`${'─'.repeat(28)} 日本 ✅ ─`, '❯\u00a0', rule, '  x']), 'empty-prompt'],
    ['the cursor left of the prompt', screen([rule, '❯\u00a0', rule, '  x'], 0), 'unknown'],
    ['a cursor block elsewhere in the box', screen([rule, '❯\u00a0   \x1b[7mx\x1b[0m', rule, '  x']), 'unknown'],
    [
      'a feedback question',
      screen(['  1: Bad    2: Fine   3: Good   0: Dismiss', '', rule, '❯\u00a0', rule]),
      'unknown',
    ],
    ['a dialog in a status line', screen([rule, '❯\u00a0', rule, '  1. Yes', '  2. No']), 'unknown'],
    ['a key hint in a status line', screen([rule, '❯\u00a0', rule, '  Enter to confirm · Esc to cancel']), 'unknown'],
    [
      'a wait for the limit to reset',
      screen([rule, '❯\u00a0', rule, ...limitNotice, '  ⏵⏵ auto mode on']),
      'empty-prompt',
    ],
    [
      'such a wait that is over',
      screen([rule, '❯\u00a0', rule, limitReached, '    Continuing shortly · Esc', '    to cancel']),
      'unknown',
    ],
    [
      'such a wait, cut off',
      screen([rule, '❯\u00a0', rule, limitReached, '    Continuing automatically at 4']),
      'unknown',
    ],
    [
      'an option in such a notice',
      screen([rule, '❯\u00a0', rule, limitReached, '  1. Yes', ...limitNotice.slice(1)]),
      'unknown',
    ],
    ['a dialog below such a notice', screen([rule, '❯\u00a0', rule, ...limitNotice, '  Esc to cancel']), 'unknown'],
    [
      'such a notice further down',
      screen([rule, '❯\u00a0', rule, '  x', limitReached, '    At 4am · Esc to cancel']),
      'unknown',
    ],
    [
      'a suggestion all dim, no block drawn',
      screen([rule, '❯\u00a0\x1b[2mrun it\x1b[0m', rule, '  x']),
      'empty-prompt',
    ],
    ['a dim draft, the cursor behind it', screen([rule, '❯\u00a0\x1b[2mrun it\x1b[0m', rule, '  x'], 8), 'draft'],
    [
      'an idle session, its last line cut off',
      screen(['✻ Baked for 1s · done 3:2…', rule, '❯\u00a0', rule]),
      'empty-prompt',
    ],
    ['a draft half dim', screen([rule, '❯\u00a0\x1b[2mrun\x1b[0m it', rule, '  x']), 'draft'],
  ])('%s', (_about, shot, kind) => {
    expect(readScreen(shot).kind).toBe(kind);
  });
});

describe('vim', () => {
  const normal = fixtures.filter((fixture) => fixture.name.startsWith('vim-normal.'));
  const insert = fixtures.filter((fixture) => fixture.name.startsWith('vim-insert.'));
  it('is unknown in normal mode when the settings say vim', () => {
    expect(normal.length).toBeGreaterThan(0);
    for (const fixture of normal) expect(readScreen(capture(fixture), { vim: true }).kind).toBe('unknown');
  });
  it('is a prompt in insert mode', () => {
    expect(insert.length).toBeGreaterThan(0);
    for (const fixture of insert) expect(readScreen(capture(fixture), { vim: true }).kind).toBe('empty-prompt');
  });
});

describe('a dialog is never a prompt', () => {
  const fixture = one(takesKeys);
  const never = (shot: ScreenCapture): void => {
    expect(typable).not.toContain(readScreen(shot).kind);
  };

  it('with lines missing', () => {
    const dropped = fc.array(fc.nat(60), { maxLength: 30 });
    fc.assert(
      fc.property(fixture, dropped, (dialog, drop) => {
        const lines = dialog.ansi.split('\n').filter((_, y) => !drop.includes(y));
        never({ ...capture(dialog), ansi: lines.join('\n') });
      }),
      { numRuns: 1000 },
    );
  });

  it('with the pane cropped', () => {
    fc.assert(
      fc.property(
        fixture,
        fc.integer({ min: 1, max: 200 }),
        fc.nat(20),
        fc.integer({ min: 1, max: 50 }),
        (dialog, w, top, h) => never(crop(capture(dialog), w, top, h)),
      ),
      { numRuns: 1000 },
    );
  });

  it('with the cursor anywhere', () => {
    for (const dialog of takesKeys) {
      for (let y = 0; y < dialog.height; y++) {
        for (const x of [2, 7]) never({ ...capture(dialog), cursorX: x, cursorY: y, cursorVisible: true });
      }
    }
  });

  it('with anything in the conversation above it', () => {
    fc.assert(
      fc.property(fixture, fc.array(hostileRow, { maxLength: 30 }), (dialog, said) => {
        const lines = dialog.ansi.split('\n');
        const kept = Math.max(0, dialog.cursor.y - 3);
        const above = [...said, ...lines.slice(0, kept)].slice(-kept || lines.length);
        never({ ...capture(dialog), ansi: [...above.slice(0, kept), ...lines.slice(kept)].join('\n') });
      }),
      { numRuns: 1000 },
    );
  });

  it('with any one row changed but the one that holds the cursor', () => {
    fc.assert(
      fc.property(fixture, fc.nat(60), hostileRow, (dialog, y, row) => {
        const lines = dialog.ansi.split('\n').map((line, at) => (at === y && at !== dialog.cursor.y ? row : line));
        never({ ...capture(dialog), ansi: lines.join('\n') });
      }),
      { numRuns: 1000 },
    );
  });
});

describe('only an empty prompt is an empty prompt', () => {
  const notEmpty = fixtures.filter((fixture) => fixture.expect.state !== 'empty-prompt');

  it('whatever the conversation above the box draws', () => {
    fc.assert(
      fc.property(one(notEmpty), fc.array(hostileRow, { minLength: 60, maxLength: 60 }), (fixture, said) => {
        const lines = fixture.ansi.split('\n');
        // Rows of the live area stay: the box with its menu and its spinner, or the panel.
        const live = Math.max(0, fixture.cursor.y - (fixture.expect.state === 'busy' ? 7 : 2));
        const ansi = lines.map((line, y) => (y < live ? (said[y] ?? '') : line)).join('\n');
        const stillBusy = /esc to interrupt/.test(lines.slice(fixture.cursor.y).join('\n'));
        if (fixture.expect.state === 'busy' && !stillBusy) return;
        expect(readScreen({ ...capture(fixture), ansi }).kind).not.toBe('empty-prompt');
      }),
      { numRuns: 1500 },
    );
  });

  it('stays one, or becomes unknown or busy, whatever the conversation draws', () => {
    fc.assert(
      fc.property(one(of('empty-prompt')), fc.array(hostileRow, { minLength: 60, maxLength: 60 }), (fixture, said) => {
        const live = Math.max(0, fixture.cursor.y - 2);
        const ansi = fixture.ansi.split('\n').map((line, y) => (y < live ? (said[y] ?? '') : line));
        const reading = readScreen({ ...capture(fixture), ansi: ansi.join('\n') });
        expect(['empty-prompt', 'unknown', 'busy', 'draft']).toContain(reading.kind);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('hostile captures', () => {
  const shot = (ansi: string): ScreenCapture => ({
    ansi,
    cursorX: 2,
    cursorY: 3,
    cursorVisible: true,
    width: 80,
    height: 24,
  });

  it('never throws', () => {
    const cursor = fc.oneof(fc.integer({ min: -2, max: 300 }), one([Number.NaN, Number.POSITIVE_INFINITY, 0.5]));
    const piece = fc.oneof(hostileRow, one(['\n', '\x1b', '\x1b[', '\x1b]8;;x', '\x1b[38;5', '\x1b(', '\x9b']));
    const text = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(
        text,
        cursor,
        cursor,
        cursor,
        cursor,
        fc.boolean(),
        (ansi, cursorX, cursorY, width, height, cursorVisible) => {
          const reading = readScreen({ ansi, cursorX, cursorY, cursorVisible, width, height });
          expect([...reading.evidence].length).toBeLessThanOrEqual(200);
          expect(reading.evidence).not.toMatch(/\p{Cc}/u);
          expect(screenExcerpt(ansi)).not.toMatch(/[\p{Cf}\x00-\x09\x0b-\x1f\x7f-\x9f]/u);
        },
      ),
      { numRuns: 1500 },
    );
  });

  it.each([
    ['one line of a megabyte', 'a'.repeat(1_000_000)],
    ['a megabyte of lines', 'a\n'.repeat(500_000)],
    ['a megabyte of escapes', '\x1b['.repeat(500_000)],
    ['a megabyte of parameters', `\x1b[${'1;'.repeat(500_000)}`],
    ['unended titles', '\x1b]0;'.repeat(250_000)],
    ['rules', `${'─'.repeat(300_000)}\n`],
    ['three megabytes', 'x'.repeat(3_000_000)],
  ])('%s', (_about, ansi) => {
    const from = performance.now();
    expect(readScreen(shot(ansi)).kind).toBe('unknown');
    expect(screenExcerpt(ansi).length).toBeLessThan(12 * 161);
    expect(performance.now() - from).toBeLessThan(3000);
  });
});

test('screenExcerpt keeps the last lines, without escapes', () => {
  const lines = Array.from({ length: 30 }, (_, i) => `\x1b[1mline ${i}\x1b[0m\x07\u202e`);
  expect(screenExcerpt(lines.join('\n\n'), 2)).toBe('line 28\ufffd\nline 29\ufffd');
  expect(screenExcerpt('', 5)).toBe('');
});
