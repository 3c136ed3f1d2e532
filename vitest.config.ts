import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Most suites build or open real warehouses; the slowest takes tens of seconds on two cores.
    testTimeout: 120_000,
    hookTimeout: 180_000,
    pool: 'forks',
    maxWorkers: 2,
    globalSetup: ['test/support/one-pglite.ts', 'test/support/one-postgres.ts'],
  },
});
