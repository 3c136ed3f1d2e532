import { DuckDBInstance } from '@duckdb/node-api';
import { versionFile } from '../../sql/warehouse/versions.ts';
import type { NepRow } from './read-nep.ts';

/** Finds the rows of the list that name a unit of a version, so that a wrong list shows before a build applies it. */
export async function matchNep(
  warehouse: string,
  version: string,
  rows: readonly NepRow[],
): Promise<{ matched: number; unmatched: string[] }> {
  const instance = await DuckDBInstance.create(versionFile(warehouse, version), { access_mode: 'READ_ONLY' });
  const connection = await instance.connect();
  try {
    const reader = await connection.runAndReadAll(
      `SELECT mastrNummer, upper(kraftwerksnummer) AS kraftwerksnummer FROM units
       WHERE kraftwerksnummer IS NOT NULL OR list_contains(from_json($numbers, '["VARCHAR"]'), mastrNummer)`,
      { numbers: JSON.stringify(rows.flatMap(({ mastrNummer }) => mastrNummer ?? [])) },
    );
    const units = reader.getRowObjectsJS();
    const numbers = new Set(units.map((unit) => unit.mastrNummer));
    const plants = new Set(units.map((unit) => unit.kraftwerksnummer));
    const unmatched = rows.filter(
      ({ mastrNummer, kraftwerksnummer }) =>
        !(mastrNummer !== null && numbers.has(mastrNummer)) &&
        !(kraftwerksnummer !== null && plants.has(kraftwerksnummer.toUpperCase())),
    );
    return {
      matched: rows.length - unmatched.length,
      unmatched: unmatched.map(({ mastrNummer, kraftwerksnummer }) => mastrNummer ?? kraftwerksnummer ?? ''),
    };
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}
