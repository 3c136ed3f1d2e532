import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** Reads from the imports of a test file, direct and indirect, what it needs of a run. */

/** Imports that start processes; and the generator of exports, as to build what it makes takes as long. */
const PROCESSES = /^(node:child_process|node:cluster|playwright-core)$|\/data\/command-line\.ts$/;

/** Imports of the engine of ClickHouse, which has one folder for all tests of a process. */
const ENGINE = /^(chdb|chdb\/connection|ffi-rs)$/;

/** An import that remains when types are stripped, also `export … from` and `import('…')`. */
const IMPORT = /^(?:import|export)\s+(?!type\b)(?:[^'";]*?\sfrom\s+)?'([^']+)'|\bimport\('([^']+)'\)(?!\.)/gm;

interface Source {
  readonly imports: readonly string[];
  readonly replacesModules: boolean;
}

const sources = new Map<string, Source>();

/** Returns true when a test can start a process, generates exports, or loads the engine of ClickHouse. */
export const needsProcesses = (test: string): boolean => reaches(test, PROCESSES) || reaches(test, ENGINE);

/** Returns true when a test must not share its process with others: it replaces modules, or has an engine there. */
export const needsIsolation = (test: string): boolean => sourceOf(test).replacesModules || reaches(test, ENGINE);

function reaches(file: string, wanted: RegExp, seen: Set<string> = new Set()): boolean {
  if (seen.has(file)) return false;
  seen.add(file);
  return sourceOf(file).imports.some((name) => {
    if (wanted.test(name)) return true;
    if (!name.startsWith('.')) return false;
    const imported = resolve(dirname(file), name);
    // A text in a test may only look like an import.
    return name.endsWith('.ts') && existsSync(imported) && reaches(imported, wanted, seen);
  });
}

function sourceOf(file: string): Source {
  const known = sources.get(file);
  if (known !== undefined) return known;
  const text = readFileSync(file, 'utf8');
  const imports = [...text.matchAll(IMPORT)].map(([, name, dynamic]) => name ?? dynamic ?? '');
  const source = { imports, replacesModules: /\bvi\.(?:mock|doMock|stubGlobal)\(/.test(text) };
  sources.set(file, source);
  return source;
}
