import { monotonicMs } from '../monotonic.ts';
import type { FleetIndex } from '../observe/sweep/fleet-index.ts';

/**
 * One look at the fleet for all watchers of a worker: two hundred that tick at once cost one roster call. A look that began
 * before something was done serves nobody after it.
 */
export class SharedLook {
  readonly #look: () => Promise<FleetIndex>;
  readonly #maxAgeMs: number;
  #current: { began: number; index: Promise<FleetIndex> } | undefined;

  constructor(look: () => Promise<FleetIndex>, maxAgeMs: number) {
    this.#look = look;
    this.#maxAgeMs = maxAgeMs;
  }

  /** A look that began at most `maxAgeMs` ago; callers at the same time share it. */
  get(): Promise<FleetIndex> {
    const now = monotonicMs();
    if (this.#current === undefined || now - this.#current.began > this.#maxAgeMs) {
      const mine = { began: now, index: this.#look() };
      this.#current = mine;
      // One that failed is no look.
      mine.index.catch(() => {
        if (this.#current === mine) this.#current = undefined;
      });
    }
    return this.#current.index;
  }

  /** Something was done: the next caller looks afresh. */
  forget(): void {
    this.#current = undefined;
  }
}
