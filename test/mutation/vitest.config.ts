import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { QUICK_START } from '../support/environment.ts';
import { allFiles } from '../support/long-files.ts';
import { needsClickHouse, needsProcesses } from '../support/needs.ts';

/** The tests of one room, in the sandbox of the mutation run. */

const ROOT = join(import.meta.dirname, '../..');
const FOLDERS = process.env.MUTATION_TESTS?.split(',') ?? [];

const include = allFiles().filter(
  (file) => FOLDERS.some((folder) => file.startsWith(`${folder}/`)) && !needsClickHouse(file) && !needsProcesses(file),
);

export default defineConfig({
  root: ROOT,
  test: {
    include,
    experimental: { viteModuleRunner: false },
    execArgv: [...QUICK_START],
    testTimeout: 60_000,
    hookTimeout: 240_000,
    globalSetup: ['test/support/shared-folder.ts', 'test/support/shared-postgres.ts'],
  },
});
