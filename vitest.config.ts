import { globSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { QUICK_START } from './test/support/environment.ts';
import { needsIsolation, needsProcesses } from './test/support/needs.ts';

// Hundreds of processes and threads start in a run, each from the same sources: they are read and compiled once.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/compiled');

/** As in test/support/cases.ts. */
const CASES = Number(process.env.CASES ?? 1);

/** Files that take longest, the longest first: begun last, one of them would leave the other worker idle. */
const LONG = [
  'ingest/load/broken',
  'two-engines/two-engines',
  'two-engines/shards',
  'ingest/assembly/crash-points',
  'ingest/load/load',
  'api/start',
  'crash/alerts',
  'api/admin/socket',
  'ingest/assembly/history',
  'ingest/export/places',
  'ingest/nightly/nights',
  'sql/org/backup',
  'crash/mutation',
  'real/days',
  'ingest/checks/checks',
  'ingest/checks/holes',
  'ingest/commands/commands',
  'api/delta/delta',
  'docs/guides',
  'crash/backup',
  'ingest/commands/interrupted',
  'conformance/process',
  'ingest/assembly/derived',
  'ingest/commands/damaged',
  'conformance/isolation',
  'fuzz/fuzz',
  'conformance/statuses',
  'api/admin/transfer',
  'conformance/bounded-work',
  'conformance/publishing',
  'conformance/event-units',
  'api/webhooks/delivery/dispatcher',
  'sql/org/store',
  'conformance/audit',
].map((name) => `test/${name}.test.ts`);

/** Long files first, and each project in one piece: a worker is kept from file to file of a project that shares it. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId, project }: TestSpecification): number => {
      const index = LONG.findIndex((name) => moduleId.endsWith(name));
      return PROJECTS.indexOf(project.name) * 1000 + (index === -1 ? LONG.length : index);
    };
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}

/** In the order in which they run. */
const PROJECTS = ['processes-isolated', 'processes', 'quick-isolated', 'quick'];

/**
 * Test files by what they need. Where modules may be shared, the service is imported once by each worker, not by each
 * file. The quick ones, which start no process and generate no export, are
 * `npm run test:quick`.
 */
const projectOf = (file: string): string =>
  `${needsProcesses(file) ? 'processes' : 'quick'}${needsIsolation(file) ? '-isolated' : ''}`;

const FILES = globSync('test/**/*.test.ts', { cwd: import.meta.dirname }).map((file) =>
  join(import.meta.dirname, file),
);

export default defineConfig({
  test: {
    pool: 'forks',
    // Node imports the sources itself, as it does in production: what Vite makes of them is compiled anew by every worker,
    // and each use of an import is a call of a getter. It took a sixth of the processor time.
    experimental: { viteModuleRunner: false },
    // One more than cores, as many tests wait for processes and servers; of more than four none was tried.
    maxWorkers: Math.min(4, availableParallelism() + 1),
    sequence: { sequencer: LongestFirst },
    globalSetup: [
      'test/support/seed.ts',
      'test/support/shared-folder.ts',
      'test/support/shared-postgres.ts',
      'test/support/shared-clickhouse.ts',
    ],
    projects: PROJECTS.map((name) => ({
      test: {
        name,
        include: FILES.filter((file) => projectOf(file) === name),
        isolate: name.endsWith('-isolated'),
        // A project does not inherit it: the workers would start without.
        execArgv: [...QUICK_START],
        // Most suites build or open real warehouses; the slowest takes tens of seconds on two idle cores.
        testTimeout: 240_000 * CASES,
        hookTimeout: 240_000,
        // The default of a second is too short on a busy machine; a test that passes sooner does not wait.
        expect: { poll: { timeout: 60_000 } },
      },
    })),
  },
});
