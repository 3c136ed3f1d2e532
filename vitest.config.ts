import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

// Hundreds of processes and threads start in a run, each from the same sources: they are read and compiled once.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('node_modules/.cache/compiled', import.meta.url));

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Most suites build or open real warehouses; the slowest takes tens of seconds on two cores.
    testTimeout: 120_000,
    hookTimeout: 180_000,
    pool: 'forks',
    maxWorkers: 2,
    globalSetup: ['test/support/once.ts', 'test/support/one-postgres.ts'],
  },
});
