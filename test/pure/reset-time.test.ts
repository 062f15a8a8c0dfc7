import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseResetTime } from '../../src/lib/words/reset-time.ts';

const SINCE = Date.parse('2026-10-08T10:00:20Z');

it.each<[string, string | undefined]>([
  ['usage limit reached|1791460800', '2026-10-08T12:00:00.000Z'],
  ['usage limit reached|1791460800123', '2026-10-08T12:00:00.000Z'],
  ['usage limit reached|17914608', undefined],
  ['usage limit reached|179146080012', undefined],
  ['resets 3pm (Europe/Berlin)', '2026-10-08T13:00:00.000Z'],
  ['resets at 3:45pm (Europe/Berlin)', '2026-10-08T13:45:00.000Z'],
  ['Your limit will reset at 10am (America/Lima).', '2026-10-08T15:00:00.000Z'],
  ['resets 12am (UTC)', '2026-10-09T00:00:00.000Z'],
  ['resets 12pm (UTC)', '2026-10-08T12:00:00.000Z'],
  ['resets 12:30am (Asia/Kolkata)', '2026-10-08T19:00:00.000Z'],
  // The words leave the seconds out: this minute is not over.
  ['resets 10am (UTC)', '2026-10-08T10:00:00.000Z'],
  ['resets 9:59am (UTC)', '2026-10-09T09:59:00.000Z'],
  ['resets Oct 9, 5pm (Europe/Berlin)', '2026-10-09T15:00:00.000Z'],
  ['resets Oct 9 at 5pm (Europe/Berlin) · progress saved', '2026-10-09T15:00:00.000Z'],
  ['resets Jan 2, 10:04pm (UTC)', '2027-01-02T22:04:00.000Z'],
  ['resets Jan 2, 2027, 10:04pm (UTC)', '2027-01-02T22:04:00.000Z'],
  // The clocks of Berlin go back on Oct 25 at 3am.
  ['resets Oct 25, 2:30am (Europe/Berlin)', undefined],
  ['resets Oct 25, 3:30am (Europe/Berlin)', '2026-10-25T02:30:00.000Z'],
  // They go on on Mar 28 at 2am.
  ['resets Mar 28, 2027, 2:30am (Europe/Berlin)', undefined],
  ['resets Mar 28, 2027, 3:30am (Europe/Berlin)', '2027-03-28T01:30:00.000Z'],
  ['resets 3pm', undefined],
  ['resets Tuesday', undefined],
  ['resets Mon 12:00am (UTC)', undefined],
  ['resets 15:00 (UTC)', undefined],
  ['resets 0pm (UTC)', undefined],
  ['resets 13pm (UTC)', undefined],
  ['resets 3:60pm (UTC)', undefined],
  ['resets Feb 30, 3pm (UTC)', undefined],
  ['resets Foo 3, 3pm (UTC)', undefined],
  ['resets 3pm (Nowhere/Land)', undefined],
  ['resets 3pm (UTC) · your weekly limit resets Oct 9, 5pm (UTC)', undefined],
  ['', undefined],
])('%s', (text, iso) => {
  const at = parseResetTime(text, SINCE);
  expect(at === undefined ? undefined : new Date(at).toISOString()).toBe(iso);
});

it('without a date to count from only a number tells', () => {
  expect(parseResetTime('resets 3pm (UTC)', undefined)).toBeUndefined();
  expect(parseResetTime('limit reached|1791460800', undefined)).toBe(1791460800000);
});

it('reads back what claude writes, to the minute, in any zone', () => {
  const zones = ['UTC', 'Europe/Berlin', 'America/Los_Angeles', 'Asia/Kolkata', 'Australia/Lord_Howe', 'Pacific/Apia'];
  const minutes = fc.integer({ min: 1, max: 7 * 24 * 60 });
  fc.assert(
    fc.property(fc.constantFrom(...zones), fc.integer({ min: 0, max: 526_000 }), minutes, (timeZone, start, ahead) => {
      const since = Date.UTC(2026, 0, 1) + start * 60_000;
      const at = since + ahead * 60_000;
      const date = ahead > 24 * 60 ? ({ month: 'short', day: 'numeric' } as const) : {};
      const format = { hour: 'numeric', minute: '2-digit', hour12: true, timeZone, ...date } as const;
      const shown = new Date(at)
        .toLocaleString('en-US', format)
        .replace(/[ \u202f]([AP]M)/, (_, half) => half.toLowerCase());
      const parsed = parseResetTime(`You've hit your limit · resets ${shown} (${timeZone})`, since);
      // Undefined about a change of clocks; else never another time.
      if (parsed !== undefined) expect(parsed).toBe(at);
    }),
    { numRuns: 500 },
  );
});

it('gives a time or nothing for any text', () => {
  const pieces = fc.constantFrom(
    'resets ',
    'at ',
    'Oct 9, ',
    '3',
    ':30',
    'pm ',
    '(UTC)',
    '(Europe/Berlin)',
    '|',
    '9'.repeat(30),
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(pieces, fc.string()), { maxLength: 8 }), fc.double(), (parts, since) => {
      const at = parseResetTime(parts.join(''), since);
      expect(at === undefined || Number.isFinite(at)).toBe(true);
    }),
  );
});
