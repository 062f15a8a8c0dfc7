/** Milliseconds since 1970 of an ISO 8601 time; undefined for anything else. */
export function timestampMs(value: unknown): number | undefined {
  const ms = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(ms) ? undefined : ms;
}
