import { z } from 'zod';
import { columnsRead, type UnitField } from '../catalogue/field.ts';
import { UNIT_COLUMN_NAMES } from '../catalogue/unit-columns.ts';
import { type Condition, conditionSql, fieldExpression, whereAll } from './conditions.ts';
import type { Dialect } from './dialect.ts';
import { afterRow, orderBy } from './keyset.ts';
import { hasLostPlace } from './state.ts';
import { type Binder, binder, type WarehouseStatement } from './statement.ts';
import { type PageRequest, type UnitCriteria, withToday } from './units.ts';

/**
 * A page of changes is read in two steps: first its units, by the few columns of filters and order, and then their rows.
 * Whole rows of everything that has changed would not fit into memory.
 */

/** The beginning of a delta. */
export interface Delta {
  /** Number of a build: the delta has everything that changed in later ones. */
  readonly since: number;
  /** True when every row that was replaced since is known. */
  readonly complete: boolean;
}

/** A unit of a delta. */
export const changedUnitRow = z.strictObject({
  mastrNummer: z.string(),
  geloescht: z.boolean(),
  /** True for a row that is no longer served; every other row is as the version has it. */
  isFormer: z.boolean(),
});

/** Selects one page of the changes, in order, as rows of changedUnitRow. */
export function deltaPageStatement(
  { conditions, sort, after, limit, today }: Omit<PageRequest, 'delivered' | 'total'>,
  delta: Delta,
  dialect: Dialect,
): WarehouseStatement {
  const values = binder();
  const columns = columnsAfter(sort.map(({ field }) => field));
  const text = [
    'SELECT units.mastrNummer AS mastrNummer, units.geloescht AS geloescht, units.isFormer AS isFormer',
    `FROM ${changedRows(columns, conditions, delta, dialect, values)}`,
    whereAll(after === null ? [] : [afterRow(sort, after, dialect, values)]),
    orderBy(sort, dialect),
    `LIMIT ${values.bind(limit)}`,
  ];
  return withToday(text, values.values, today, dialect);
}

/** Selects the number of rows of a delta, in one row as `total`. */
export function deltaTotalStatement(
  { conditions, today }: UnitCriteria,
  delta: Delta,
  dialect: Dialect,
): WarehouseStatement {
  const values = binder();
  const rows = changedRows(columnsAfter([]), conditions, delta, dialect, values);
  return withToday(['SELECT CAST(count(*) AS DOUBLE) AS total', `FROM ${rows}`], values.values, today, dialect);
}

/** Selects the former rows of these units, in no order, with these fields, which include mastrNummer: also what must not be shown today. */
export function formerRowsStatement(
  numbers: readonly string[],
  { conditions, today }: UnitCriteria,
  delta: Delta,
  fields: Iterable<UnitField>,
  dialect: Dialect,
): WarehouseStatement {
  const values = binder();
  const shown = [...fields];
  const columns = shown.map(
    (field) => `  ${dialect.toJson(field.kind, fieldExpression(field, dialect))} AS ${dialect.column(field.name)}`,
  );
  const among = dialect.isOneOf('units.mastrNummer', values.bind(numbers));
  const rows = formerRows(columnsAfter(shown), conditions, delta, [among], dialect, values);
  return withToday([`SELECT\n${columns.join(',\n')}`, `FROM ${rows} AS units`], values.values, today, dialect);
}

/** The columns that fields are read from, and those that identify a row. */
function columnsAfter(fields: readonly UnitField[]): readonly string[] {
  const known = fields.flatMap(columnsRead).filter((name) => UNIT_COLUMN_NAMES.includes(name));
  return [...new Set(['mastrNummer', 'inhaltSeit', 'inhalt', ...known])];
}

/**
 * The rows of a delta, as a table with these columns, `geloescht` and `isFormer`: units with new content that meet the
 * conditions, and, as `geloescht`, those that no longer do, because they have left the register or changed. The latter have
 * the last row that met the conditions; when not every replaced row is known, every changed unit has its current row and
 * may be reported as gone to a reader that never had it.
 */
function changedRows(
  columns: readonly string[],
  conditions: readonly Condition[],
  delta: Delta,
  dialect: Dialect,
  values: Binder,
): string {
  const isChanged = `units.inhaltSeit > ${values.bind(delta.since)}`;
  const meets = conditions.map((condition) => conditionSql(condition, dialect, values));
  const isServed = [isChanged, ...meets].join(' AND ');
  const isGone = `units.mastrNummer NOT IN (SELECT mastrNummer FROM units WHERE ${isServed})`;
  const hasLeft = meets.length === 0 ? 'false' : `CASE WHEN ${meets.join(' AND ')} THEN false ELSE true END`;
  const list = listOf(columns);
  const needsReplaced = conditions.length > 0 && delta.complete;
  const [left, where, among] = needsReplaced ? ['false', isServed, [isGone]] : [hasLeft, isChanged, []];
  return `(
  SELECT ${list}, ${left} AS geloescht, false AS isFormer FROM units WHERE ${where}
  UNION ALL
  SELECT ${list}, true AS geloescht, true AS isFormer
  FROM ${formerRows(columns, conditions, delta, among, dialect, values)} AS units
) AS units`;
}

const listOf = (columns: readonly string[]): string => columns.map((name) => `units.${name} AS ${name}`).join(', ');

/**
 * Rows that are no longer served, one for each unit that had one since the delta begins. They have no names of operators,
 * so conditions on these are left out, and so are all conditions when not every replaced row is known. A unit that may not have
 * coordinates any more is gone from wherever it may have been: its readers drop it, and nobody learns where it was.
 * @param among conditions on the units, in SQL
 */
function formerRows(
  columns: readonly string[],
  conditions: readonly Condition[],
  { since, complete }: Delta,
  among: readonly string[],
  dialect: Dialect,
  values: Binder,
): string {
  const begin = values.bind(since);
  const rowsOf = (table: string, seit: string, where: readonly string[], kept: readonly string[] = []): string => {
    const held = kept.map((one) =>
      /\blatitude\b/.test(one) ? `(${one} OR ${hasLostPlace('units', table, dialect.isIn)})` : one,
    );
    const conditionsOfAll = [`units.${seit} > ${begin}`, ...held, ...where].join(' AND ');
    return `SELECT ${listOf(columns)}, units.${seit} AS since FROM ${table} AS units WHERE ${conditionsOfAll}`;
  };
  // A unit that has left has one tombstone. Changed units are still served, with their current rows.
  if (conditions.length === 0 || !complete) return `(${rowsOf('units_departed', 'abgangSeit', among)})`;
  const kept = conditions.filter(holdsForFormerRows).map((condition) => conditionSql(condition, dialect, values));
  return `(
    SELECT * FROM (
      ${rowsOf('units_departed', 'abgangSeit', among, kept)}
      UNION ALL ${rowsOf('units_ersetzt', 'ersetztSeit', among, kept)}
    ) AS former_rows
    QUALIFY row_number() OVER (PARTITION BY mastrNummer ORDER BY since DESC, inhaltSeit DESC, inhalt) = 1
  )`;
}

/** Returns true when former rows have the columns of the condition. */
const holdsForFormerRows = ({ field, filter }: Condition): boolean =>
  filter.compare !== 'search' &&
  field.name !== 'betreiberName' &&
  filter.over?.reads.includes('betreiberName') !== true;
