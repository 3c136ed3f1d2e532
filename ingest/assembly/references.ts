import { mkdirSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { literal, warehouseSql } from '../duckdb/sql-files.ts';
import { duckdbSliceOf } from '../stage/slices.ts';
import type { Assembly } from './assembly.ts';
import { runOnLanes } from './lanes.ts';

/** Splits the records to which units refer by the slices of these units, so that no slice reads records of the others. */

/** The folder of the staged records, and the number of slices. */
type References = Pick<Assembly, 'stage' | 'slices'>;

/** The records: a view, its key, and the element of the unit that names the key; null where the key is the unit's number. */
export const REFERENCES = [
  { name: 'eeg', key: 'EegMaStRNummer', reference: 'EegMaStRNummer' },
  { name: 'speicher', key: 'einheit', reference: null },
  { name: 'betreiber', key: 'nummer', reference: 'AnlagenbetreiberMastrNummer' },
  { name: 'lokation', key: 'nummer', reference: 'LokationMaStRNummer' },
  { name: 'anschluss', key: 'location', reference: 'LokationMaStRNummer' },
  { name: 'standort', key: 'location', reference: 'LokationMaStRNummer' },
] as const;

/** Slices of units whose references are split at once: two numbers of each unit wait in memory on every lane. */
const SLICES_AT_ONCE = 24;

/** Writes the numbers that units name: the files of the units are many, and each reference reads these numbers. */
export async function nameNumbers({
  warehouse,
  stage,
  slices,
}: Pick<Assembly, 'warehouse'> & References): Promise<void> {
  if (slices === 1) return;
  mkdirSync(referenceFolder(stage), { recursive: true });
  await warehouse.run(
    warehouseSql('named-numbers.sql', {
      columns: [...new Set(REFERENCES.flatMap(({ reference }) => reference ?? []))].join(', '),
      sliceOfUnit: duckdbSliceOf('EinheitMastrNummer', slices),
      file: literal(join(referenceFolder(stage), 'named.parquet')),
    }),
  );
}

/** Writes the records by slices, unless one slice has all units. */
export async function splitReferences({ warehouse, lanes, stage, slices }: Assembly): Promise<void> {
  if (slices === 1) return;
  const parts = Math.ceil(slices / SLICES_AT_ONCE);
  const tasks = REFERENCES.flatMap(({ name, key, reference }) => {
    mkdirSync(join(referenceFolder(stage), name), { recursive: true });
    const view = `referenced_${name}`;
    const shape = warehouseSql('reference-shape.sql', { view, file: literal(shapeOf(stage, name)) });
    const folder = (part: number): string => literal(join(referenceFolder(stage), name, String(part)));
    if (reference === null) {
      const sliceOfUnit = duckdbSliceOf(key, slices);
      return [shape, warehouseSql('unit-slices.sql', { view, sliceOfUnit, folder: folder(0) })];
    }
    return [
      shape,
      ...Array.from({ length: parts }, (_, part) =>
        warehouseSql('reference-slices.sql', {
          ...{ view, key, reference, parts, part },
          folder: folder(part),
        }),
      ),
    ];
  });
  // Left to itself, the engine keeps in memory what it takes for few: all points of the grid, since it knows no distribution.
  await warehouse.run(`SET disabled_optimizers = 'build_side_probe_side'`);
  await runOnLanes(
    lanes,
    tasks.map((text) => (lane) => lane.run(text)),
  );
  await warehouse.run('RESET disabled_optimizers');
}

/** The statement that makes the view of the records to which the units of a slice refer. */
export function referencesOfSlice({ stage, slices }: References, name: string, slice: number): string {
  const view = `CREATE OR REPLACE TEMP VIEW slice_${name} AS FROM`;
  if (slices === 1) return `${view} referenced_${name}`;
  const files = [shapeOf(stage, name), ...filesOfSlice(stage, name, slice)].map(literal);
  return `${view} read_parquet([${files.join(', ')}], hive_partitioning = false)`;
}

/** Removes the records of a slice, which nothing else reads. */
export async function removeReferencesOfSlice({ stage, slices }: References, slice: number): Promise<void> {
  if (slices === 1) return;
  for (const { name } of REFERENCES) for (const file of filesOfSlice(stage, name, slice)) await rm(file);
}

const filesOfSlice = (stage: string, name: string, slice: number): string[] =>
  readdirSync(join(referenceFolder(stage), name), { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile() && file.parentPath.endsWith(`slice=${slice}`))
    .map((file) => join(file.parentPath, file.name));

const referenceFolder = (stage: string): string => join(stage, 'references');
const shapeOf = (stage: string, name: string): string => join(referenceFolder(stage), `${name}.parquet`);
