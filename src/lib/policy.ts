/** The thresholds of the commands: times in ms, shares 0…1, sizes in bytes. Made of defaults, the config file and flags, in that order. */
export interface Policy {
  cap: { max: number | undefined; memoryFloor: number; reservationTtl: number };
  exit: { settle: number; quiet: number; askWait: number; requests: number; requestGap: number; wait: number };
  expire: { idle: number; pinned: readonly string[] };
  wake: { quiet: number; steps: readonly number[] };
  revive: {
    max: number;
    window: number;
    perSweep: number;
    watcherFresh: number;
    watcherGrace: number;
    daemonGrace: number;
    limitHold: number;
    authHold: number;
    wait: number;
  };
  breaker: { minDeaths: number; share: number; sweepGap: number };
  watcher: {
    interval: number;
    lifetime: number;
    idleExit: number;
    wedged: number;
    nudges: number;
    temporal: { address: string | undefined; namespace: string };
  };
  /** Where the claims are kept (the fleet's own file unless said), and how long a lease lasts unrenewed. */
  claims: { url: string | undefined; ttl: number };
  roster: { timeout: number };
  /** The session that is told what the fleet asks a person. */
  architect: { name: string | undefined };
  /** `observe`: what would be done is said and logged, and nothing is touched; `rules` sets single rules apart. */
  policy: { mode: PolicyMode; rules: Readonly<Record<string, PolicyMode | undefined>> };
}

export type PolicyMode = 'act' | 'observe';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

export const DEFAULT_POLICY: Policy = {
  // max: by memory, see ceilingFor.
  cap: { max: undefined, memoryFloor: 0.1, reservationTtl: 120 * SECOND },
  exit: {
    settle: 15 * MINUTE,
    quiet: 15 * MINUTE,
    askWait: 10 * MINUTE,
    requests: 3,
    requestGap: 5 * MINUTE,
    wait: 60 * SECOND,
  },
  expire: { idle: 48 * HOUR, pinned: [] },
  wake: { quiet: 15 * MINUTE, steps: [15 * MINUTE, 30 * MINUTE, 60 * MINUTE, 90 * MINUTE] },
  revive: {
    max: 5,
    window: 24 * HOUR,
    perSweep: 2,
    watcherFresh: 10 * MINUTE,
    watcherGrace: 15 * MINUTE,
    daemonGrace: 2 * MINUTE,
    limitHold: HOUR,
    authHold: 6 * HOUR,
    wait: 60 * SECOND,
  },
  breaker: { minDeaths: 5, share: 0.5, sweepGap: 3 * MINUTE },
  watcher: {
    interval: MINUTE,
    lifetime: 72 * HOUR,
    idleExit: 48 * HOUR,
    wedged: 30 * MINUTE,
    nudges: 3,
    temporal: { address: undefined, namespace: 'default' },
  },
  claims: { url: undefined, ttl: 30 * MINUTE },
  roster: { timeout: 10 * SECOND },
  architect: { name: undefined },
  policy: { mode: 'act', rules: {} },
};
