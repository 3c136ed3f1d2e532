import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { hasClickHouse } from './test/support/clickhouse-server.ts';
import { QUICK_START, ROOMY } from './test/support/environment.ts';
import { allFiles, LONG_FILES } from './test/support/long-files.ts';
import { needsClickHouse, needsIsolation, needsProcesses } from './test/support/needs.ts';
import { nameRun } from './test/support/seed.ts';

// Hundreds of processes and threads start in a run, each from the same sources: they are read and compiled once.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/compiled');

/** As in test/support/cases.ts. */
const CASES = Number(process.env.CASES ?? 1);

/**
 * Long files first, as one that is begun last would leave the other workers idle; and each project in one piece: a worker is
 * kept from file to file of a project that shares it.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId, project }: TestSpecification): number => {
      const place = LONG_FILES.findIndex((name) => moduleId.endsWith(name));
      return PROJECTS.indexOf(project.name) * 1000 + (place === -1 ? LONG_FILES.length : place);
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

nameRun();
const FILES = allFiles().filter((file) => hasClickHouse() || !needsClickHouse(file));

export default defineConfig({
  test: {
    pool: 'forks',
    // Node imports the sources itself, as it does in production: what Vite makes of them is compiled anew by every worker,
    // and each use of an import is a call of a getter. It took a sixth of the processor time.
    experimental: { viteModuleRunner: false },
    // Two more than cores, as many tests wait for processes and servers; of more than four none was tried.
    maxWorkers: Math.min(4, availableParallelism() + 2),
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
        execArgv: [...QUICK_START, ...ROOMY],
        // Most suites build or open real warehouses; the slowest takes tens of seconds on two idle cores.
        testTimeout: 240_000 * CASES,
        hookTimeout: 240_000,
        // The default of a second is too short on a busy machine; a test that passes sooner does not wait.
        expect: { poll: { timeout: 60_000 } },
      },
    })),
  },
});
