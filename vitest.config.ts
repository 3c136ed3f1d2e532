import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

// Hundreds of processes and threads start in a run, each from the same sources: they are read and compiled once.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('node_modules/.cache/compiled', import.meta.url));

/** As in test/support/cases.ts. */
const CASES = Number(process.env.CASES ?? 1);

/** Files that take longest, the longest first: begun last, one of them would leave the other worker idle. */
const LONG = [
  'ingest/assembly/crash-points',
  'admin/socket',
  'crash/mutation',
  'two-engines/two-engines',
  'ingest/assembly/history',
  'ingest/nightly/nights',
  'load/load',
  'delta/delta',
  'load/broken',
  'crash/history',
  'fuzz/fuzz',
  'recount/sample',
  'ingest/assembly/checks',
  'ingest/cli/interrupted',
].map((name) => `test/${name}.test.ts`);

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number => {
      const index = LONG.findIndex((name) => moduleId.endsWith(name));
      return index === -1 ? LONG.length : index;
    };
    return (await super.sort(files)).sort((a, b) => place(a) - place(b));
  }
}

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Most suites build or open real warehouses; the slowest takes tens of seconds on two cores.
    testTimeout: 120_000 * CASES,
    hookTimeout: 180_000,
    pool: 'forks',
    // One more than cores, as many tests wait for processes and servers; of more than four none was tried.
    maxWorkers: Math.min(4, availableParallelism() + 1),
    sequence: { sequencer: LongestFirst },
    globalSetup: ['test/support/once.ts', 'test/support/one-postgres.ts'],
  },
});
