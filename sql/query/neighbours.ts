import { z } from 'zod';
import type { Dialect } from './dialect.ts';
import { binder, type WarehouseStatement } from './statement.ts';

/** Finds the units that stand at one location. */

/** Location and unit, sorted by location; a version of an earlier release has no such table. */
export const LOCATIONS = 'standorte';

export const neighbourRow = z.strictObject({
  /** The twelve digits of its number. */
  digits: z.number(),
  /** Units there in all. */
  total: z.number(),
});

/** Selects the other units at the location of a unit, by number. */
export function neighboursStatement(
  { location, unit, limit }: { readonly location: string; readonly unit: string; readonly limit: number },
  dialect: Dialect,
): WarehouseStatement {
  const values = binder();
  const lines = [
    `SELECT ${dialect.numberDigits('nummer')} AS digits, CAST(count(*) OVER () AS DOUBLE) AS total`,
    `FROM ${LOCATIONS}`,
    `WHERE lokation = ${dialect.numberBits(location, values)} AND nummer <> ${dialect.numberBits(unit, values)}`,
    'ORDER BY nummer',
    `LIMIT ${values.bind(limit)}`,
  ];
  return { text: lines.join('\n'), values: values.values };
}
