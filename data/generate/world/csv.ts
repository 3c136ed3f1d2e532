/** Reads the small reference tables of the generator. */
import { readFileSync } from 'node:fs';

/** Rows of a comma separated file without its heading; fields with commas are in double quotes. */
export function readTable(name: string): string[][] {
  const text = readFileSync(new URL(`../../reference/${name}`, import.meta.url), 'utf8');
  return text
    .split('\n')
    .slice(1)
    .filter((line) => line !== '')
    .map((line) =>
      [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map((m) => m[1]?.replaceAll('""', '"') ?? m[2] ?? ''),
    );
}
