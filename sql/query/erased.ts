import { PERSONAL_COLUMNS } from '../catalogue/personal.ts';
import { mastrBits } from '../register/mastr-number.ts';
import { withSources } from './sources.ts';
import type { WarehouseStatement } from './statement.ts';

/** What is forgotten of the past of units and operators: former rows keep their figures, and lose what can tell of a person. */

/**
 * The condition that a former row is one of these units, or was one of these operators.
 * @param numbers MaStR numbers, at least one
 * @param row names the row in front of its columns, with the dot
 */
export const isErased = (numbers: readonly string[], row: string): string =>
  `(${row}betreiberMastrNummer IN (${numbers.map((number) => `'${number}'`).join(', ')}) OR ${row}nummer IN (${numbers.map(mastrBits).join(', ')}))`;

/** The value of a column of a former row, of which nothing personal is left where it is erased. */
export const rememberedColumn = (name: string, numbers: readonly string[], row = ''): string =>
  numbers.length === 0 || !PERSONAL_COLUMNS.includes(name)
    ? `${row}${name}`
    : `CASE WHEN ${isErased(numbers, row)} THEN NULL ELSE ${row}${name} END`;

/** Turns a statement over a version into one that finds nothing of these numbers in the past, which the version still has. */
export function withoutErased(statement: WarehouseStatement, numbers: readonly string[]): WarehouseStatement {
  if (numbers.length === 0) return statement;
  const replaced = PERSONAL_COLUMNS.map((name) => `${rememberedColumn(name, numbers, 'had.')} AS ${name}`).join(', ');
  const names = `SELECT * FROM akteurnamen WHERE mastrNummer NOT IN (${numbers.map((number) => `'${number}'`).join(', ')})`;
  const text = withSources(statement.text, (table) => {
    if (table === 'akteurnamen') return names;
    return table === 'units_ersetzt' || table === 'units_departed'
      ? `SELECT * REPLACE (${replaced}) FROM ${table} AS had`
      : null;
  });
  return { ...statement, text };
}
