/** The fraction (0…1) of a share written `10%` or `7.5%`; anything else is undefined. */
export function parseShare(text: string): number | undefined {
  const hit = /^(\d{1,3}(?:\.\d{1,3})?)%$/.exec(text);
  if (!hit) return undefined;
  const share = Number(hit[1]) / 100;
  return share <= 1 ? share : undefined;
}

/** A fraction as a share, at most one decimal: `10%`, `7.5%`. */
export function formatShare(share: number): string {
  return `${Math.round(share * 1000) / 10}%`;
}
