const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const MINUTE = 60_000;
const DAY = 86_400_000;

/** `resets [Oct 9[, 2026],] 5pm (Europe/Berlin)`, as Claude Code writes it; `at` may stand before a time. */
const RESETS =
  /\bresets?\s+(?:at\s+)?(?:([a-z]{3})\s+(\d{1,2}),?\s+(?:(\d{4}),?\s+)?(?:at\s+)?)?(\d{1,2})(?::(\d{2}))?\s?(am|pm)\s+\(([\w+/-]{1,64})\)/gi;

interface Wall {
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
}

/**
 * When a limit resets by the words of a message, ms since 1970: `…|1700000000`, or a time with its zone, which is the
 * first such time after `since` (ms; when the message was written). The words leave seconds out, so it can be up to a
 * minute early. Undefined when the words leave more than one reading: no zone, no date to count from, an hour that a
 * change of clocks skips or repeats, two resets in one message.
 */
export function parseResetTime(text: string, since: number | undefined): number | undefined {
  const epoch = /\|(\d{10})(?:\d{3})?(?!\d)/.exec(text);
  if (epoch !== null) return Number(epoch[1]) * 1000;
  const found = [...text.matchAll(RESETS)];
  const [, month, day, year, hour, minute = '0', half, zone = ''] = found[0] ?? [];
  if (found.length !== 1 || since === undefined) return undefined;
  const clock = { hour: (Number(hour) % 12) + (half?.toLowerCase() === 'pm' ? 12 : 0), minute: Number(minute) };
  if (Number(hour) < 1 || Number(hour) > 12 || clock.minute > 59) return undefined;
  try {
    const today = wallOf(since, zone);
    const days: Wall[] =
      month === undefined
        ? [today, wallOf(since + DAY, zone)]
        : (year === undefined ? [today.year, today.year + 1] : [Number(year)]).map((one) => {
            return { ...today, year: one, month: MONTHS.indexOf(month.toLowerCase()), day: Number(day) };
          });
    return firstAfter(
      days.map((one) => ({ ...one, ...clock })),
      zone,
      since,
    );
  } catch {
    // A zone that Intl does not know, or a time out of its range.
    return undefined;
  }
}

/** The first of these times that is not over at `since`; undefined when it is not exactly one instant. */
function firstAfter(walls: readonly Wall[], zone: string, since: number): number | undefined {
  for (const wall of walls) {
    const instants = instantsOf(wall, zone);
    if (instants.length !== 1) return undefined;
    const [at] = instants;
    if (at !== undefined && at + MINUTE > since) return at;
  }
  return undefined;
}

/** The instants at which the clocks of a zone show this: one, or none or two when they are changed. */
function instantsOf(wall: Wall, zone: string): number[] {
  const utc = Date.UTC(wall.year, wall.month, wall.day, wall.hour, wall.minute);
  const candidates = [utc - DAY, utc + DAY].map((near) => utc - offsetAt(near, zone));
  return [...new Set(candidates)].filter((at) => at + offsetAt(at, zone) === utc && sameDay(wall, wallOf(at, zone)));
}

/** False for a date that there is not, such as Feb 30: Date counts it on. */
function sameDay(one: Wall, other: Wall): boolean {
  return one.day === other.day && one.month === other.month;
}

/** What the clocks of a zone are ahead of UTC at an instant, ms. */
function offsetAt(at: number, zone: string): number {
  const { year, month, day, hour, minute } = wallOf(at, zone);
  return Date.UTC(year, month, day, hour, minute) - Math.floor(at / MINUTE) * MINUTE;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** What the clocks of a zone show at an instant. Throws RangeError for a zone that there is not. */
function wallOf(at: number, zone: string): Wall {
  const known = formats.get(zone);
  const format =
    known ??
    new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
    });
  if (known === undefined) formats.set(zone, format);
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? Number.NaN;
  return {
    year: part('year'),
    month: part('month') - 1,
    day: part('day'),
    hour: part('hour'),
    minute: part('minute'),
  };
}
