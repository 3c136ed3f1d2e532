import { z } from 'zod';
import type { Dialect } from './dialect.ts';
import { binder, type WarehouseStatement } from './statement.ts';

/** Finds the units that stand at one location. */

export const neighbourRow = z.strictObject({
  /** The twelve digits of its number. */
  digits: z.number(),
  /** Units there in all. */
  total: z.number(),
});

/** Selects the other units at the location of a unit, by number. It reads one column of the whole register. */
export function neighboursStatement(
  { location, unit, limit }: { readonly location: string; readonly unit: string; readonly limit: number },
  dialect: Dialect,
): WarehouseStatement {
  const values = binder();
  const lines = [
    `SELECT ${dialect.numberDigits(dialect.unitNumber)} AS digits, CAST(count(*) OVER () AS DOUBLE) AS total`,
    'FROM units',
    `WHERE ${dialect.unitColumn('lokationMastrNummer')} = ${values.bind(location)}`,
    `  AND ${dialect.unitColumn('mastrNummer')} <> ${values.bind(unit)}`,
    `ORDER BY ${dialect.unitNumber}`,
    `LIMIT ${values.bind(limit)}`,
  ];
  return { text: lines.join('\n'), values: values.values };
}
