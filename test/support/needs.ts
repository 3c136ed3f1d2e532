import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** Reads from the imports of a test file, direct and indirect, what it needs of a run. */

/** Imports that start processes; and the generator of exports, as to build what it makes takes as long. */
const PROCESSES = /^(node:child_process|node:cluster|playwright-core)$|\/data\/command-line\.ts$/;

/** Imports of the ClickHouse server that the tests of a run share, or of what starts others. */
const CLICKHOUSE = /\/clickhouse-(of-run|server)\.ts$/;

/** An import that remains when types are stripped, also `export … from` and `import('…')`. */
const IMPORT = /^(?:import|export)\s+(?!type\b)(?:[^'";]*?\sfrom\s+)?'([^']+)'|\bimport\('([^']+)'\)(?!\.)/gm;

interface Source {
  /** Imported packages, and the paths of imported files as they are written. */
  readonly imports: readonly string[];
  /** The imported files that are there: a text in a test may only look like an import. */
  readonly files: readonly string[];
  readonly replacesModules: boolean;
}

/** Each file is read once, and each asked once for each pattern: hundreds of tests reach the same thousand files. */
const sources = new Map<string, Source>();
const reached = new Map<RegExp, Map<string, boolean>>();

/** Returns true when a test asks a ClickHouse server, which there is not on every machine. */
export const needsClickHouse = (test: string): boolean => reaches(test, CLICKHOUSE);

/** Returns true when a test can start a process, or generates exports. */
export const needsProcesses = (test: string): boolean => reaches(test, PROCESSES);

/** Returns true when a test must not share its process with others: it replaces modules. */
export const needsIsolation = (test: string): boolean => sourceOf(test).replacesModules;

function reaches(file: string, wanted: RegExp): boolean {
  const answers = reached.get(wanted) ?? new Map<string, boolean>();
  reached.set(wanted, answers);
  const known = answers.get(file);
  if (known !== undefined) return known;
  // No file imports itself by a detour, as `npm run check` proves; this is for one that is being written.
  answers.set(file, false);
  const { imports, files } = sourceOf(file);
  const found = imports.some((name) => wanted.test(name)) || files.some((imported) => reaches(imported, wanted));
  answers.set(file, found);
  return found;
}

function sourceOf(file: string): Source {
  const known = sources.get(file);
  if (known !== undefined) return known;
  const text = readFileSync(file, 'utf8');
  const imports = [...text.matchAll(IMPORT)].map(([, name, dynamic]) => name ?? dynamic ?? '');
  const files = imports
    .filter((name) => name.startsWith('.') && name.endsWith('.ts'))
    .map((name) => resolve(dirname(file), name))
    .filter((path) => existsSync(path));
  const source = { imports, files, replacesModules: /\bvi\.(?:mock|doMock|stubGlobal)\(/.test(text) };
  sources.set(file, source);
  return source;
}
