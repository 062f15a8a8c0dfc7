import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { briefProblem, plainBrief } from '../../src/lib/decide/spawn-plan.ts';

describe('a brief as Claude Code keeps it', () => {
  it.each([
    '👩\u200d💻 👩🏽\u200d🚀 ❤\ufe0f\u200d🔥 ⚠\ufe0f 1\ufe0f\u20e3',
    'می\u200cخواهم دانش\u200cآموز',
    'क्\u200dष',
    'a\n\n\tb  \n',
    '漢字 🇩🇪 é',
  ])('keeps %j', (text) => expect(plainBrief(text)).toBe(text));

  it.each([
    ['\ufeffa\r\nb\rc\u2028d', 'a\nb\nc\nd'],
    ['a\u200db \u200d💻 👩\u200d 👩\u200b\u200d💻', 'ab 💻 👩 👩💻'],
    ['⚠\ufe0f\ufe0f #\ufe0f →\ufe0f', '⚠\ufe0f # →'],
    ['\u001b[31mred\u0007 \u202ex\u2066', '[31mred x'],
    ['\u200cمی\u200c', 'می'],
  ])('makes of %j %j', (text, kept) => expect(plainBrief(text)).toBe(kept));

  it('keeps a NUL, so that it can be refused', () => expect(briefProblem(plainBrief('a\0b'))).toContain('NUL'));

  it('changes nothing more the second time', () => {
    const pieces = [
      '👩',
      '\u200d',
      '\u200c',
      '\ufe0f',
      '🏽',
      '💻',
      'ی',
      'क',
      '\u094d',
      '#',
      '\u20e3',
      '\r',
      '\n',
      '\u200b',
      'a',
      '⚠',
    ];
    const text = fc.array(fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: 'binary', maxLength: 3 })), {
      maxLength: 12,
    });
    fc.assert(
      fc.property(text, (parts) => {
        const once = plainBrief(parts.join(''));
        expect(plainBrief(once)).toBe(once);
      }),
      { numRuns: 2000 },
    );
  });
});
