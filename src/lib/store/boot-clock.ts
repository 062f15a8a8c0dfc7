import { readFileSync } from 'node:fs';

/** A moment on two clocks: the wall's, which people and suspends move, and the kernel's since this boot, which nobody sets. */
export interface Moment {
  /** ms since 1970. */
  wall: number;
  /** ms of the monotonic clock, the same for every process of this boot. */
  mono: number;
  /** Which boot; empty where the system does not tell. */
  boot: string;
}

/** Now, on both clocks. */
export function momentNow(): Moment {
  return { wall: Date.now(), mono: Number(process.hrtime.bigint() / 1_000_000n), boot: bootId() };
}

/**
 * ms from `then` to `now`, by the monotonic clock when both are of one boot (a stepped wall clock changes nothing), else
 * by the wall clock, never below 0.
 */
export function elapsedMs(then: Moment, now: Moment): number {
  const sameBoot = then.boot === now.boot && then.mono <= now.mono;
  return Math.max(0, sameBoot ? now.mono - then.mono : now.wall - then.wall);
}

/** Whether the machine was started anew between the two: whatever ran at `then` is over. */
export function rebootedSince(then: Moment, now: Moment): boolean {
  return then.boot !== now.boot || then.mono > now.mono;
}

let boot: string | undefined;

function bootId(): string {
  if (boot === undefined) {
    try {
      boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    } catch {
      boot = '';
    }
  }
  return boot;
}
