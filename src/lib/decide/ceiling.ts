/**
 * The default ceiling on live sessions: 0.55 for each GiB of memory, at least 2. That is 35 on 64 GiB, the number its
 * owner chose after 88 sessions had asked 114.8 GB of a 64 GB machine (design §5).
 */
export function ceilingFor(totalBytes: number): number {
  return Math.max(2, Math.floor((0.55 * totalBytes) / 2 ** 30 + 1e-9));
}
