/** A lease that a run's sidecar names. */
export interface NamedClaim {
  key: string;
  generation: number;
}

export interface SidecarReading {
  claims: NamedClaim[];
  /** Lines that were no claim: torn, or somebody's. */
  skipped: number;
}

/** More lines than this are not a run's claims. */
export const MAX_LINES = 100_000;
/** What a key may be: printable, no control characters, not endless. */
const KEY = /^[\x21-\x7e]{1,300}$/;

/** Whether a word may be the key of a claim. */
export const isClaimKey = (word: string): boolean => KEY.test(word);

/**
 * The claims that a sidecar's lines name, each once, in their order. Another line of the same key with a higher generation is
 * another lease: both are named, and only the one that is still held will be finalized. A torn line loses no other.
 */
export function claimsIn(lines: readonly string[]): SidecarReading {
  const claims = new Map<string, NamedClaim>();
  let skipped = 0;
  for (const line of lines.slice(0, MAX_LINES)) {
    if (line.trim() === '') continue;
    const claim = claimIn(line);
    if (claim === undefined) skipped += 1;
    else claims.set(`${claim.generation} ${claim.key}`, claim);
  }
  return { claims: [...claims.values()], skipped: skipped + Math.max(0, lines.length - MAX_LINES) };
}

function claimIn(line: string): NamedClaim | undefined {
  try {
    const { key, generation } = JSON.parse(line) as Record<string, unknown>;
    if (typeof key !== 'string' || !isClaimKey(key)) return undefined;
    if (typeof generation !== 'number' || !Number.isSafeInteger(generation) || generation < 1) return undefined;
    return { key, generation };
  } catch {
    return undefined;
  }
}

/** The task that a key is about: what stands behind the last `task:`; undefined when it is about none. */
export function taskOfKey(key: string): string | undefined {
  const at = key.lastIndexOf('task:');
  if (at < 0 || (at > 0 && key[at - 1] !== ':')) return undefined;
  const task = key.slice(at + 'task:'.length);
  return task === '' ? undefined : task;
}
