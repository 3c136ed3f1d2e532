import { z } from 'zod';
import { UNIT_COLUMN_NAMES } from '../catalogue/unit-columns.ts';
import { mastrBits } from '../register/mastr-number.ts';
import type { Dialect } from './dialect.ts';
import { BEGIN } from './state.ts';
import { binder, type WarehouseStatement } from './statement.ts';

/** What a version knows of the past of single units: rows that were replaced, and the last ones of those that have left. */

/** Name of an operator, which former rows do not have. */
const OPERATOR_NAME = 'betreiberName';

/**
 * Selects the former rows of units, in no order, with the build in which each began and that in which it ended.
 * @param read the expression that reads a column
 */
export function formerRowsOfUnits(
  numbers: readonly string[],
  dialect: Dialect,
  read: (name: string) => string,
): WarehouseStatement {
  const values = binder();
  const [only, ...others] = numbers;
  const isAsked =
    only !== undefined && others.length === 0
      ? `nummer = ${dialect.numberBits(only, values)}`
      : dialect.isOneOfBits(
          'nummer',
          numbers.map((number) => String(mastrBits(number))),
          values,
        );
  const columns = UNIT_COLUMN_NAMES.filter((name) => name !== OPERATOR_NAME);
  const list = columns.map((name) => `${read(name)} AS ${dialect.column(name)}`).join(', ');
  const rows = (table: string, end: string, reason: string): string =>
    `SELECT ${columns.join(', ')}, ${BEGIN} AS seit, ${end} AS bis, ${reason} AS grund FROM ${table} WHERE ${isAsked}`;
  const text = `SELECT ${list}, CAST(seit AS INTEGER) AS seit, CAST(bis AS INTEGER) AS bis, CAST(grund AS VARCHAR) AS grund
FROM (
  ${rows('units_ersetzt', 'ersetztSeit', "''")}
  UNION ALL ${rows('units_departed', 'abgangSeit', 'abgangGrund')}
) AS units`;
  return { text, values: values.values };
}

/** What is known of a unit: since when its present row holds, 0 where there is none, and how many former ones there are. */
export const knownRow = z.strictObject({ since: z.number(), former: z.number() });

/** Selects what is known of a unit, as one row of knownRow: most have no former rows, which are wide. */
export function knownOfUnit(number: string, dialect: Dialect): WarehouseStatement {
  const values = binder();
  const bits = dialect.numberBits(number, values);
  const former = (table: string): string => `SELECT 0 AS seit, 1 AS frueher FROM ${table} WHERE nummer = ${bits}`;
  return {
    text: `SELECT CAST(coalesce(max(seit), 0) AS DOUBLE) AS since, CAST(coalesce(sum(frueher), 0) AS DOUBLE) AS former
FROM (
  SELECT ${BEGIN} AS seit, 0 AS frueher FROM units WHERE nummer = ${bits}
  UNION ALL ${former('units_ersetzt')} UNION ALL ${former('units_departed')}
) AS known`,
    values: values.values,
  };
}

/** Selects the names that organisations had until a build, and have: `bis` is null for those of today. */
export function namesOfActors(numbers: readonly string[], dialect: Dialect): WarehouseStatement {
  const values = binder();
  const isAsked = dialect.isOneOf('mastrNummer', values.bind(numbers));
  return {
    text: `SELECT mastrNummer AS "number", name AS "name", CAST(NULL AS INTEGER) AS "until" FROM marktakteure WHERE ${isAsked}
UNION ALL SELECT mastrNummer, name, CAST(bis AS INTEGER) FROM akteurnamen WHERE ${isAsked}`,
    values: values.values,
  };
}
