import type { UnitField } from '../catalogue/field.ts';
import { UNIT_COLUMN_NAMES } from '../warehouse/duckdb/columns.ts';
import { type Condition, conditionSql, fieldExpression, whereAll } from './conditions.ts';
import type { Dialect } from './dialect.ts';
import { afterRow, orderBy } from './keyset.ts';
import { type Binder, binder, type Statement } from './statement.ts';
import { type Criteria, type PageQuestion, withToday } from './units.ts';

/** Where a delta begins. */
export interface Delta {
  /** Number of a build: everything that changed in later ones comes. */
  readonly since: number;
  /** Whether every row that was replaced since is known. */
  readonly complete: boolean;
}

/**
 * One page of what has changed: a row for each unit with the fields asked for, every sort key and `geloescht`. Rows that
 * are no longer served stand in no row file, so the tables answer all of it.
 */
export function deltaPageStatement(
  { conditions, sort, after, limit, today }: Omit<PageQuestion, 'delivered' | 'total'>,
  delta: Delta,
  fields: Iterable<UnitField>,
  dialect: Dialect,
): Statement {
  const values = binder();
  const columns = [...new Set([...fields, ...sort.map(({ field }) => field)])].map(
    (field) => `  ${dialect.toJson(field.kind, fieldExpression(field, dialect))} AS ${dialect.column(field.name)}`,
  );
  const text = [
    `SELECT\n${columns.join(',\n')},\n  units.geloescht AS geloescht`,
    `FROM ${deltaRows(conditions, delta, dialect, values)}`,
    whereAll(after === null ? [] : [afterRow(sort, after, dialect, values)]),
    orderBy(sort, dialect),
    `LIMIT ${values.bind(limit)}`,
  ];
  return withToday(text, values.values, today, dialect);
}

/** How many rows a delta has, in one row as `total`. */
export function deltaTotalStatement({ conditions, today }: Criteria, delta: Delta, dialect: Dialect): Statement {
  const values = binder();
  const text = ['SELECT CAST(count(*) AS DOUBLE) AS total', `FROM ${deltaRows(conditions, delta, dialect, values)}`];
  return withToday(text, values.values, today, dialect);
}

/**
 * The rows of a delta, as a table with the columns of `units` and `geloescht`: units with new content that meet the
 * conditions, and beside them, as `geloescht`, the last row that met them of every unit that no longer does: those that
 * left the register, and those that have changed since and left the conditions.
 *
 * Rows that are no longer served carry no names of operators. Conditions that look at these are passed over for them, and
 * all of them where not every replaced row is known: then a unit may be told as gone that the reader never had.
 */
function deltaRows(
  conditions: readonly Condition[],
  { since, complete }: Delta,
  dialect: Dialect,
  values: Binder,
): string {
  const begin = values.bind(since);
  const where = (column: string, some: readonly Condition[]): string =>
    [`units.${column} > ${begin}`, ...some.map((condition) => conditionSql(condition, dialect, values))].join(' AND ');
  const now = where('inhaltSeit', conditions);
  const former = where('seit', complete ? conditions.filter(isKept) : []);
  const left = [
    `SELECT ${COLUMNS}, abgangSeit AS seit FROM units_departed`,
    ...(conditions.length > 0 ? [`SELECT ${COLUMNS}, ersetztSeit AS seit FROM units_ersetzt`] : []),
    ...(conditions.length > 0 && !complete ? [`SELECT ${COLUMNS}, inhaltSeit AS seit FROM units`] : []),
  ];
  return `(
  SELECT ${COLUMNS}, false AS geloescht FROM units WHERE ${now}
  UNION ALL
  SELECT ${COLUMNS}, true AS geloescht FROM (
    SELECT ${COLUMNS} FROM (
      ${left.join('\n      UNION ALL ')}
    ) AS units
    WHERE ${former}
    QUALIFY row_number() OVER (PARTITION BY units.mastrNummer ORDER BY units.seit DESC) = 1
  ) AS frueher
  WHERE mastrNummer NOT IN (SELECT mastrNummer FROM units WHERE ${now})
) AS units`;
}

/** By name, as the tables have other columns beside these. */
const COLUMNS = UNIT_COLUMN_NAMES.join(', ');

/** Whether former rows have what the condition looks at. */
const isKept = ({ field, filter }: Condition): boolean =>
  filter.compare !== 'search' && field.name !== 'betreiberName' && !(filter.over ?? '').includes('betreiberName');
