import { z } from 'zod';
import { conditionSql, whereAll } from './conditions.ts';
import type { Dialect } from './dialect.ts';
import { withCoordinates } from './space.ts';
import { binder, type WarehouseStatement } from './statement.ts';
import { type UnitCriteria, withToday } from './units.ts';

/** The conspicuous units once more, few, with every column of the projections; a version of an earlier release has no such table. */
export const CONSPICUOUS_UNITS = 'units_auffaellig';

/** Counts by rule and day of export; a version of an earlier release has no such table. */
export const ANOMALY_HISTORY = 'auffaelligkeiten_verlauf';

export const historyRow = z.strictObject({ day: z.string(), rule: z.string(), count: z.number(), kw: z.number() });

/** Selects the days of these rules within two days, as rows of historyRow: the oldest day first, then by rule. */
export function historyStatement(
  { rules, from, to }: { readonly rules: readonly string[]; readonly from: string; readonly to: string },
  dialect: Dialect,
): WarehouseStatement {
  const values = binder();
  const text = `SELECT CAST(tag AS VARCHAR) AS "day", CAST(regel AS VARCHAR) AS "rule",
  CAST(anzahl AS DOUBLE) AS "count", CAST(history.kw AS DOUBLE) AS kw
FROM ${ANOMALY_HISTORY} AS history
WHERE ${dialect.isAmong('regel', values.bind(rules))}
  AND CAST(tag AS VARCHAR) BETWEEN ${values.bind(from)} AND ${values.bind(to)}
ORDER BY 1, 2`;
  return { text, values: values.values };
}

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
    whereAll(conditions.map((condition) => conditionSql(condition, withCoordinates(dialect), values))),
  ];
  return withToday(text, values.values, today, dialect);
}
