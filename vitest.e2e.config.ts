import { defineConfig } from 'vitest/config';

// The contract suite against the real Claude Code, in a lab of its own (needs root, tmux, iproute2; see docs/testing.md).
export default defineConfig({
  test: {
    name: 'e2e',
    include: ['test/contract/**/*.contract.ts', 'test/e2e/**/*.test.ts'],
    pool: 'forks',
    // One real claude takes a core and 250 MB: two suites at once starve each other.
    fileParallelism: false,
    // The real binary's timing is not ours to make: one that fails twice is wrong.
    retry: 1,
    testTimeout: 180_000,
    hookTimeout: 180_000,
    env: { CONTRACT_WORLD: 'real' },
  },
});
