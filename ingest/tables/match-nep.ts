import type { WantedTables } from '../destination/version-tables.ts';
import type { WarehouseConnection } from '../duckdb/connection.ts';
import { literal } from '../duckdb/sql-files.ts';
import type { NepRow } from './read-nep.ts';

const numbersOf = (rows: readonly NepRow[]): string[] => rows.flatMap(({ mastrNummer }) => mastrNummer ?? []);

/** The units that rows of the list may name. */
export function unitsToMatch(rows: readonly NepRow[]): WantedTables {
  const numbers = numbersOf(rows).map(literal);
  const named = numbers.length === 0 ? '' : ` OR mastrNummer IN (${numbers.join(', ')})`;
  return { units: { columns: ['mastrNummer', 'kraftwerksnummer'], where: `kraftwerksnummer IS NOT NULL${named}` } };
}

/** Finds the rows of the list that name a unit of a version, so that a wrong list shows before a build applies it. */
export async function matchNep(
  engine: WarehouseConnection,
  rows: readonly NepRow[],
): Promise<{ matched: number; unmatched: string[] }> {
  const [wanted] = Object.values(unitsToMatch(rows));
  const units = await engine.rows<{ mastrNummer: string; kraftwerksnummer: string | null }>(
    `SELECT mastrNummer, upper(kraftwerksnummer) AS kraftwerksnummer FROM units WHERE ${wanted?.where}`,
  );
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
}
