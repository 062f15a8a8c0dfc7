import { afterAll, beforeAll, describe, vi } from 'vitest';
import { chosenKinds, World } from '../support/world.ts';

// The real claude takes seconds for what the stand-in does at once.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

/** The stand-in's daemon brings a killed session back after 10 s unless told otherwise; the cases need not wait so long. */
const env = { CLAUDE_SIM_RESPAWN_MS: '1500' };

/**
 * The same cases for each world that this run asks for. One world serves all the cases of a group. `realEnv` is laid over
 * the environment of the real one.
 */
export function inEachWorld(
  title: string,
  cases: (world: () => World) => void,
  realEnv?: Record<string, string>,
): void {
  describe.each(chosenKinds())(`${title} (%s)`, (kind) => {
    let world: World | undefined;
    beforeAll(async () => {
      world = await World.create({ kind, env: kind === 'sim' ? env : (realEnv ?? {}) });
    });
    afterAll(() => world?.destroy());
    cases(() => {
      if (!world) throw new Error('the world was not made');
      return world;
    });
  });
}
