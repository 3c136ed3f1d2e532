import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path/posix';
import type { Graph } from './cycles.ts';

/** A relative path in `import … from`, `export … from`, `import '…'` or `import('…')`; imports of types count too. */
const IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*'(\.{1,2}\/[^']+)'/g;

/** Source files below a folder, as paths with the folder before them. */
export function sourcesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.parentPath.includes('node_modules'))
    .map((entry) => join(entry.parentPath, entry.name));
}

/** Every file and the files of the list that it imports. */
export function importsOf(files: readonly string[], read = (file: string) => readFileSync(file, 'utf8')): Graph {
  const known = new Set(files);
  return new Map(
    files.map((file) => {
      const imports = [...read(file).matchAll(IMPORT)].map(([, path = '']) => normalize(join(dirname(file), path)));
      return [file, new Set(imports.filter((path) => known.has(path) && path !== file))];
    }),
  );
}

/** The same imports between folders; a folder stands for the files directly in it, so that parent and child differ. */
export function folderGraph(files: Graph): Graph {
  const folders = new Map<string, Set<string>>();
  for (const [file, imports] of files) {
    const folder = dirname(file);
    const targets = folders.get(folder) ?? new Set();
    for (const path of imports) if (dirname(path) !== folder) targets.add(dirname(path));
    folders.set(folder, targets);
  }
  return folders;
}

/** Imports that cross from a layer into one it must not know; each layer lists those it may import from. */
export function forbiddenImports(files: Graph, layers: Readonly<Record<string, readonly string[]>>): string[] {
  const layerOf = (path: string): string => path.split('/')[0] ?? '';
  return [...files].flatMap(([file, imports]) => {
    const own = layerOf(file);
    const allowed = [own, ...(layers[own] ?? [])];
    return [...imports].filter((path) => !allowed.includes(layerOf(path))).map((path) => `${file} → ${path}`);
  });
}
