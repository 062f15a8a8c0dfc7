import { defineConfig } from 'vitest/config';

// Pure tests share their workers (fast), tests with processes and files get one each, and those on a Temporal server run alone.
export default defineConfig({
  test: {
    projects: [
      { test: { name: 'pure', include: ['test/pure/**/*.test.ts'], pool: 'forks', isolate: false } },
      {
        test: {
          name: 'real',
          include: ['test/real/**/*.test.ts', 'test/contract/**/*.contract.ts'],
          pool: 'forks',
          maxWorkers: 2,
          // After the pure ones: they would take each other's processors.
          sequence: { groupOrder: 1 },
          // Dozens of real processes on a machine that may be busy: one that fails twice is wrong.
          retry: 1,
          testTimeout: 60_000,
          hookTimeout: 60_000,
          env: { CONTRACT_WORLD: 'sim' },
        },
      },
      {
        test: {
          name: 'temporal',
          include: ['test/temporal/**/*.test.ts'],
          pool: 'forks',
          maxWorkers: 1,
          sequence: { groupOrder: 2 },
          retry: 1,
          testTimeout: 180_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
