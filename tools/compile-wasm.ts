import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import asc from 'assemblyscript/asc';

/**
 * Compiles the AssemblyScript below ingest/wasm: `npm run wasm`. What comes out is committed, so that neither a build of the
 * register nor its installation needs the compiler; a test compiles it again and compares.
 */

const FOLDER = join(import.meta.dirname, '../ingest/wasm');

/** The sources by name, with the options that are theirs alone. */
export const SOURCES: Readonly<Record<string, readonly string[]>> = {
  // The pieces of its memory have fixed places.
  inflate: ['--initialMemory', '7'],
  'flat-record': [],
  // It works in the memory of the scanner.
  columns: ['--importMemory'],
};

const OPTIONS = ['-O3', '--runtime', 'stub', '--noAssert', '--enable', 'simd', '--enable', 'bulk-memory'];

/** The path of the compiled module of a source. */
export const modulePath = (name: string): string => join(FOLDER, `${name}.wasm`);

/**
 * The module that a source compiles to.
 * @throws Error with what the compiler has to say
 */
export async function compile(name: string): Promise<Uint8Array> {
  const source = `${name}.ts`;
  let module: Uint8Array | null = null;
  const { error, stderr } = await asc.main([source, '--outFile', 'module', ...OPTIONS, ...(SOURCES[name] ?? [])], {
    readFile: (path) => (existsSync(join(FOLDER, path)) ? readFileSync(join(FOLDER, path), 'utf8') : null),
    writeFile: (_path, content) => {
      if (typeof content !== 'string') module = content;
    },
    listFiles: () => [],
  });
  if (error !== null || module === null) throw new Error(`${source}: ${error?.message}\n${stderr}`);
  return module;
}

if (import.meta.main) for (const name of Object.keys(SOURCES)) writeFileSync(modulePath(name), await compile(name));
