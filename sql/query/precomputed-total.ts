import type { Condition } from './conditions.ts';
import type { Dialect } from './dialect.ts';
import { REFERENCE_SETS } from './reference-sets.ts';
import { type Binder, binder, type WarehouseStatement } from './statement.ts';

/**
 * Totals that the build has counted: of one filter that has a value help, alone or for some carriers. A unit has one value
 * of each such field, so the units of several values are the sum; signals are another matter.
 * @returns one row `total`; null where the conditions are others
 */
export function precomputedTotal(conditions: readonly Condition[], dialect: Dialect): WarehouseStatement | null {
  const carriers = conditions.find(({ filter }) => filter.name === 'einheitTyp');
  const others = conditions.filter((condition) => condition !== carriers);
  const asked = others[0] ?? carriers;
  if (asked === undefined || others.length > 1 || asked.filter.compare === 'signals') return null;
  if (asked.field.pending || !REFERENCE_SETS.has(asked.filter.name)) return null;
  const values = binder();
  const where = [`filter = ${values.bind(asked.filter.name)}`, valueIs(asked, dialect, values)];
  if (carriers !== undefined && carriers !== asked) where.push(isOneOf('einheitTyp', carriers, values));
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
