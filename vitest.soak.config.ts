import { defineConfig } from 'vitest/config';

/** A fleet of stand-ins under everything that happens to fleets, for SOAK_SECONDS (120); see test/soak. */
export default defineConfig({
  test: { name: 'soak', include: ['test/soak/**/*.test.ts'], pool: 'forks', maxWorkers: 1 },
});
