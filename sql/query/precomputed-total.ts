import type { Comparison } from '../catalogue/field.ts';
import { type Condition, comparisonTarget } from './conditions.ts';
import type { Dialect } from './dialect.ts';
import { REFERENCE_SETS } from './reference-sets.ts';
import { type Binder, binder, type WarehouseStatement } from './statement.ts';

const NOT_COUNTED: ReadonlySet<Comparison> = new Set(['signals', 'anomalies', 'place', 'box', 'circle', 'polygon']);

/**
 * Selects a total that the build has counted: for one filter with a value help, alone or for some carriers. A unit has one
 * value of each such field, so that totals of several values add up; for signals and rules they do not, and one spelling of a place
 * may cover several. Where flags are bits, reading those of all units takes longer than anything else, so they are counted, too.
 * @returns a statement of one row `total`; null for any other conditions
 */
export function precomputedTotal(conditions: readonly Condition[], dialect: Dialect): WarehouseStatement | null {
  if (!dialect.counted) return null;
  const carriers = conditions.find(({ filter }) => filter.name === 'einheitTyp');
  const others = conditions.filter((condition) => condition !== carriers);
  const main = others[0] ?? carriers;
  if (main === undefined || others.length > 1 || NOT_COUNTED.has(main.filter.compare)) return null;
  if (!REFERENCE_SETS.has(main.filter.name) && dialect.flag(comparisonTarget(main.field).name) === null) return null;
  const values = binder();
  const where = [`filter = ${values.bind(main.filter.name)}`, valueIs(main, dialect, values)];
  if (carriers !== undefined && carriers !== main) where.push(isOneOf('einheitTyp', carriers, values));
  return {
    text: `SELECT CAST(coalesce(sum(anzahl), 0) AS DOUBLE) AS total\nFROM referenzwerte\nWHERE ${where.join('\n  AND ')}`,
    values: values.values,
  };
}

function valueIs(condition: Condition, dialect: Dialect, values: Binder): string {
  if (condition.filter.compare === 'prefix') return dialect.startsWith('wert', String(condition.value), values);
  return isOneOf('wert', condition, values);
}

function isOneOf(column: string, { value }: Condition, values: Binder): string {
  const list = Array.isArray(value) ? value : [String(value)];
  return `${column} IN (${list.map((item) => values.bind(item)).join(', ')})`;
}
