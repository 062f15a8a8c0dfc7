import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import type { World } from './world.ts';

/** How the service behind a world's claude refuses, or (`warned`) answers with a warning of a limit; see claude-sim/lib/refusal.mjs and api-failures.mjs. */
export interface Refusal {
  mode: 'auth' | 'revoked' | 'limit' | 'throttled' | 'credit' | 'overloaded' | 'broken' | 'warned';
  /** For `limit` and `warned`: s since 1970. */
  resetsAt?: number;
  /** For `limit`: whose it is. */
  claim?: 'five_hour' | 'seven_day';
}

/**
 * A subscription's login for the real claude, which does not look at the headers of a usage limit without one; and fewer
 * tries than ten, which take 3 min.
 */
export const SUBSCRIBED = {
  ANTHROPIC_API_KEY: '',
  CLAUDE_CODE_OAUTH_TOKEN: 'sk-ant-oat01-of-the-stub-not-a-real-token',
  CLAUDE_CODE_MAX_RETRIES: '1',
};

/** From now on each answer of the service is this refusal. */
export async function serviceRefuses(world: World, refusal: Refusal): Promise<void> {
  const file = `${world.configDir}/sim/api.json`;
  await mkdir(`${world.configDir}/sim`, { recursive: true });
  await writeFile(`${file}.new`, JSON.stringify(refusal));
  await rename(`${file}.new`, file);
}

/** From now on it answers again. */
export function serviceAnswers(world: World): Promise<void> {
  return rm(`${world.configDir}/sim/api.json`, { force: true });
}
