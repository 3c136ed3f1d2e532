import { z } from 'zod';
import { conditionSql, whereAll } from './conditions.ts';
import type { Dialect } from './dialect.ts';
import { binder, type WarehouseStatement } from './statement.ts';
import { type UnitCriteria, withToday } from './units.ts';

/** The conspicuous units once more, few, with every column of the projections; a version of an earlier release has no such table. */
export const CONSPICUOUS_UNITS = 'units_auffaellig';

export const conspicuousRow = z.strictObject({
  count: z.number(),
  /** Gross capacity, kW; unknown capacity adds nothing. */
  kw: z.number(),
});

/** Counts the conspicuous units among those that meet all conditions, as one row of conspicuousRow. */
export function conspicuousStatement({ conditions, today }: UnitCriteria, dialect: Dialect): WarehouseStatement {
  const values = binder();
  const text = [
    'SELECT CAST(count(*) AS DOUBLE) AS "count", CAST(coalesce(sum(units.bruttoleistungKw), 0) AS DOUBLE) AS kw',
    `FROM ${CONSPICUOUS_UNITS} AS units`,
    whereAll(conditions.map((condition) => conditionSql(condition, dialect, values))),
  ];
  return withToday(text, values.values, today, dialect);
}
