/** ms of the monotonic clock, for waits and deadlines. (The first use of `performance` loads a dozen modules of Node's.) */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint() / 1000n) / 1000;
}
