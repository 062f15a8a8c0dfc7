import { type Verdict, verdictsOf } from './verdict.ts';

export type ReleaseKind = 'open' | 'released' | 'release';

const { fires, rests } = verdictsOf<ReleaseKind>('release');

/**
 * A terminal task is let go of once, at the first sweep that sees it: a loop, never a session (ADR 0010: at that moment
 * nothing tells whether its Driver is still writing its close-out).
 */
export function decideRelease(terminal: boolean, state: string, releasedAt: string | undefined): Verdict<ReleaseKind> {
  if (!terminal) return rests('open', `${state} is not terminal`);
  if (releasedAt !== undefined) return rests('released', `released at ${releasedAt}`);
  return fires('release', `${state}, not yet released`);
}
