import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { writeAtomic } from './atomic-write.ts';
import type { Places } from './places.ts';

/**
 * Which task files were read and found settled, by what the file system says of each: of ten thousand, almost all are, and a
 * stat costs a tenth of a read. A cache: safe to remove, and never wrong for a file that was replaced or written to.
 */
export class SettledTasks {
  readonly #file: string;
  readonly #known: Map<string, string>;
  #changed = false;

  constructor(places: Places) {
    this.#file = join(places.ownDir, 'settled.json');
    this.#known = readKnown(this.#file);
  }

  /** Whether the file is the very one that was settled. `stamp` is taken before the file is read. */
  has(name: string, stamp: string): boolean {
    return stamp !== '' && this.#known.get(name) === stamp;
  }

  add(name: string, stamp: string): void {
    if (stamp === '') return;
    this.#known.set(name, stamp);
    this.#changed = true;
  }

  /** Writes the cache when it has changed, with those of `names` only: tasks come and go. */
  save(names: ReadonlySet<string>): void {
    for (const name of this.#known.keys()) {
      if (names.has(name)) continue;
      this.#known.delete(name);
      this.#changed = true;
    }
    if (!this.#changed) return;
    try {
      writeAtomic(this.#file, JSON.stringify([...this.#known]), 'none');
    } catch {
      // A cache that can’t be written costs time, and nothing else.
    }
  }
}

/** What tells one state of a file from the next; empty when it is not there. */
export function stampOf(file: string): string {
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats === undefined ? '' : `${stats.mtimeMs}-${stats.ctimeMs}-${stats.size}-${stats.ino}`;
}

function readKnown(file: string): Map<string, string> {
  try {
    const pairs: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (!Array.isArray(pairs)) return new Map();
    return new Map(pairs.filter((pair) => typeof pair?.[0] === 'string' && typeof pair[1] === 'string'));
  } catch {
    return new Map();
  }
}
