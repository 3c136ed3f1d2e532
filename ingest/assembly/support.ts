import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { rateStatements, supportStatements } from '../../sql/eeg/support.ts';
import { parcelKeys, parcelsOfRegister } from '../../sql/tenders/parcels.ts';
import type { WarehouseConnection } from '../duckdb/connection.ts';
import { literal, warehouseSql } from '../duckdb/sql-files.ts';

/**
 * Support values of EEG plants, computed once for each plant before `units` is filled, so that all its units of one carrier and
 * in one state have the same. A plant of one unit is computed in the slice of that unit, so the size of a slice bounds the memory; plants of
 * several units, whose slices may differ, are computed before the first slice.
 */

/** The inputs of the support values of a build. */
export interface SupportAssembly {
  readonly warehouse: WarehouseConnection;
  /** The day that counts as today, YYYY-MM-DD. */
  readonly day: string;
  readonly slices: number;
}

/** Prepares the rates, which each lane has for itself. */
export async function prepareRates(lanes: readonly WarehouseConnection[]): Promise<void> {
  for (const lane of lanes) for (const text of rateStatements()) await lane.run(text);
}

/**
 * Finds the plants of several units and those that count as one.
 * @param stage folder for what is written on the way
 */
export async function findSharedPlants(warehouse: WarehouseConnection, stage: string): Promise<void> {
  await warehouse.run(warehouseSql('eeg-shared.sql'));
  const parcels = join(stage, 'parcels.jsonl');
  await writeParcels(warehouse, parcels);
  await warehouse.run(warehouseSql('eeg-before.sql', { parcels: literal(parcels) }));
}

/** It separates the two texts of a unit; the register cannot hold it. */
const SEPARATOR = '\u001f';

/** Lines that are written at once. */
const LINES = 10_000;

/** Writes the parcels of the units whose plants may stand on one with others, as JSON lines. */
async function writeParcels(warehouse: WarehouseConnection, path: string): Promise<void> {
  const file = openSync(path, 'w');
  try {
    let lines: string[] = [];
    await warehouse.pairs(
      `SELECT einheit, gemarkung || '${SEPARATOR}' || flurstuecke FROM parcel_texts`,
      (einheit, text) => {
        const [gemarkung = '', flurstuecke = ''] = text.split(SEPARATOR);
        for (const flurstueck of parcelKeys(parcelsOfRegister(gemarkung, flurstuecke))) {
          // Without its cadastral district a number is that of many parcels.
          if (flurstueck.startsWith('|')) continue;
          lines.push(`${JSON.stringify({ einheit, flurstueck })}\n`);
        }
        if (lines.length < LINES) return;
        writeSync(file, lines.join(''));
        lines = [];
      },
    );
    writeSync(file, lines.join(''));
  } finally {
    closeSync(file);
  }
}

/** Computes the support values of plants of several units, unless one slice has them all. */
export async function supportAcrossSlices(assembly: SupportAssembly): Promise<void> {
  const { warehouse, slices } = assembly;
  if (slices === 1) return;
  await computeSupport(assembly, PLANTS_OF_SEVERAL_UNITS);
  await warehouse.run('CREATE TABLE scratch.shared_support AS FROM eeg_support');
}

/** Fills `eeg_support` for the plants of the units in the table `slice`. */
export async function supportOfSlice(assembly: SupportAssembly): Promise<void> {
  const { warehouse, slices } = assembly;
  if (slices === 1) return computeSupport(assembly, PLANTS_OF_ONE_SLICE);
  await computeSupport(assembly, PLANTS_OF_SLICE);
  await warehouse.run(
    'INSERT INTO eeg_support BY NAME FROM shared_support SEMI JOIN slice ON slice.EegMaStRNummer = shared_support.eeg',
  );
}

const PLANTS_OF_SEVERAL_UNITS = warehouseSql('eeg-plants.sql', {
  units: 'served_units',
  plants: 'referenced_eeg',
  condition: 'leading_units.einheit IS NOT NULL',
});

const PLANTS_OF_SLICE = warehouseSql('eeg-plants.sql', {
  units: 'slice',
  plants: 'slice_eeg',
  condition: 'NOT eeg.shared',
});

const PLANTS_OF_ONE_SLICE = warehouseSql('eeg-plants.sql', {
  units: 'slice',
  plants: 'slice_eeg',
  condition: '(NOT eeg.shared OR leading_units.einheit IS NOT NULL)',
});

/** Fills `eeg_support` from the plants that a statement selects, and keeps inputs and results. */
async function computeSupport({ warehouse, day }: SupportAssembly, plants: string): Promise<void> {
  await warehouse.run(plants);
  for (const text of supportStatements(day)) await warehouse.run(text);
  await warehouse.run(warehouseSql('eeg-kept.sql'));
}
