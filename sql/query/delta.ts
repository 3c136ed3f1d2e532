import { type Condition, conditionSql } from './conditions.ts';
import type { Dialect } from './dialect.ts';
import type { Binder } from './statement.ts';

/** Where a delta begins. */
export interface Delta {
  /** Number of a build: everything that changed in later ones comes. */
  readonly since: number;
  /** Whether every row that was replaced since is known. */
  readonly complete: boolean;
}

/**
 * The rows of a delta, as a table with the columns of `units` and `geloescht`: units with new content that meet the
 * conditions, and beside them, as `geloescht`, the last row that met them of every unit that no longer does: those that
 * left the register, and those that have changed since and left the conditions.
 *
 * Rows that are no longer served carry no names of operators. Conditions that look at these are passed over for them, and
 * all of them where not every replaced row is known: then a unit may be told as gone that the reader never had.
 */
export function deltaRows(
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
    'SELECT *, abgangSeit AS seit FROM units_departed',
    ...(conditions.length > 0 ? ['SELECT *, ersetztSeit AS seit FROM units_ersetzt'] : []),
    ...(conditions.length > 0 && !complete ? ['SELECT *, inhaltSeit AS seit FROM units'] : []),
  ];
  return `(
  SELECT *, false AS geloescht FROM units WHERE ${now}
  UNION ALL BY NAME
  SELECT *, true AS geloescht FROM (
    SELECT * FROM (
      ${left.join('\n      UNION ALL BY NAME ')}
    ) AS units
    WHERE ${former}
    QUALIFY row_number() OVER (PARTITION BY units.mastrNummer ORDER BY units.seit DESC) = 1
  ) AS frueher
  ANTI JOIN (SELECT mastrNummer FROM units WHERE ${now}) AS jetzt USING (mastrNummer)
) AS units`;
}

/** Whether former rows have what the condition looks at. */
const isKept = ({ field, filter }: Condition): boolean =>
  filter.compare !== 'search' && field.name !== 'betreiberName' && !(filter.over ?? '').includes('betreiberName');
