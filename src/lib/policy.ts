/** The thresholds of the commands: times in ms, shares 0…1, sizes in bytes. Made of defaults, the config file and flags, in that order. */
export interface Policy {
  cap: { max: number | undefined; memoryFloor: number; reservationTtl: number };
  exit: { wait: number };
  expire: { idle: number; pinned: readonly string[] };
  breaker: { minDeaths: number; share: number };
  roster: { timeout: number };
}

export const DEFAULT_POLICY: Policy = {
  // max: by memory, see ceilingFor.
  cap: { max: undefined, memoryFloor: 0.1, reservationTtl: 120_000 },
  exit: { wait: 60_000 },
  expire: { idle: 48 * 3_600_000, pinned: [] },
  breaker: { minDeaths: 5, share: 0.5 },
  roster: { timeout: 10_000 },
};
