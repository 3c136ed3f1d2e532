import { z } from 'zod';
import {
  type FormerTable,
  formerRows,
  type HeldRow,
  heldRow,
  heldRows,
  namesOfActors,
} from '../../sql/query/history.ts';
import { unitNumberOf } from '../../sql/register/mastr-number.ts';
import type { Dataset } from '../warehouse/warehouse.ts';
import { type FormerRow, formerRow, isPlainJson, wideColumns } from './rows.ts';

/** Finds the rows that units had: first by few columns which there are, and then those that are wanted. */

const textRow = z.strictObject({ row: z.string().transform((text) => formerRow.parse(JSON.parse(text))) });

/** Reads which rows units had and have, by number. */
export async function heldBy(numbers: readonly string[], version: Dataset): Promise<Map<string, HeldRow[]>> {
  if (numbers.length === 0) return new Map();
  const rows = await version.query(heldRow, heldRows(numbers, version.dialects.units));
  return Map.groupBy(rows, ({ digits }) => unitNumberOf(digits));
}

/** Reads the former rows of the units that have some, with the names that their operators had. */
export async function formerRowsOf(
  held: ReadonlyMap<string, readonly HeldRow[]>,
  version: Dataset,
): Promise<FormerRow[]> {
  const dialect = version.dialects.units;
  const rowsIn = async (table: FormerTable): Promise<FormerRow[]> => {
    const numbers = [...held].flatMap(([number, rows]) => (rows.some((row) => row.table === table) ? [number] : []));
    if (numbers.length === 0) return [];
    if (dialect.name !== 'duckdb')
      return version.query(
        formerRow,
        formerRows(numbers, table, dialect, (name) => wideColumns(dialect, name)),
      );
    const statement = formerRows(numbers, table, dialect, (name) =>
      isPlainJson(name) ? null : wideColumns(dialect, name),
    );
    return (await version.query(textRow, statement)).map(({ row }) => row);
  };
  const rows = await Promise.all([rowsIn('units_ersetzt'), rowsIn('units_departed')]);
  return withOperators(rows.flat(), version);
}

const actorRow = z.strictObject({ number: z.string(), name: z.string().nullable(), until: z.number().nullable() });

/** Gives former rows the names that their operators had. */
async function withOperators(rows: readonly FormerRow[], version: Dataset): Promise<FormerRow[]> {
  const numbers = [
    ...new Set(rows.flatMap((row) => (row.betreiberMastrNummer === null ? [] : [String(row.betreiberMastrNummer)]))),
  ];
  const known =
    numbers.length === 0 ? [] : await version.query(actorRow, namesOfActors(numbers, version.dialects.units));
  return rows.map((row) => {
    const names = known
      .filter(
        ({ number, until }) => number === row.betreiberMastrNummer && (until === null || until >= Number(row.bis)),
      )
      .sort((a, b) => (a.until ?? Number.POSITIVE_INFINITY) - (b.until ?? Number.POSITIVE_INFINITY));
    return { ...row, betreiberName: names[0]?.name ?? null };
  });
}
