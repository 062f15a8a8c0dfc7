const UNIT_MS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/**
 * Milliseconds of a duration as people write it here: whole number and unit, parts from large to small
 * (`90s`, `15m`, `48h`, `7d`, `1h30m`). Anything else, a bare number too, is undefined: a guessed unit is a wrong policy.
 */
export function parseDuration(text: string): number | undefined {
  if (!/^(\d{1,9}d)?(\d{1,9}h)?(\d{1,9}m)?(\d{1,9}s)?$/.test(text) || text === '') return undefined;
  let total = 0;
  for (const [, count, unit] of text.matchAll(/(\d+)([dhms])/g)) {
    total += Number(count) * UNIT_MS[unit as keyof typeof UNIT_MS];
  }
  return Number.isSafeInteger(total) ? total : undefined;
}

/** A duration for people, its two largest units (`4h 30m`, `12s`); below a second `0s`. */
export function formatDuration(ms: number): string {
  let rest = Math.max(0, Math.floor(ms / 1000)) * 1000;
  const parts: string[] = [];
  for (const unit of ['d', 'h', 'm', 's'] as const) {
    const count = Math.floor(rest / UNIT_MS[unit]);
    rest -= count * UNIT_MS[unit];
    if (count > 0) parts.push(`${count}${unit}`);
    else if (parts.length > 0) break;
    if (parts.length === 2) break;
  }
  return parts.join(' ') || '0s';
}
