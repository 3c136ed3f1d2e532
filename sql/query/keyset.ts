import type { UnitField } from '../catalogue/field.ts';
import { comparisonTarget, fieldExpression } from './conditions.ts';
import type { Dialect } from './dialect.ts';
import type { Binder } from './statement.ts';

/** One key of an order. Nulls come last in both directions. */
export interface SortKey {
  readonly field: UnitField;
  readonly direction: 'asc' | 'desc';
}

/** Value of a sort key in a row, as `Dialect.toJson` writes it. */
export type KeyValue = string | number | null;

/** @param backwards true where every row has a value of the first key, and a table sorted by it may be read from its end */
export function orderBy(sort: readonly SortKey[], dialect: Dialect, backwards = false): string {
  const keys = sort.map(({ field, direction }, index) => {
    // There are none, but an engine reads a table backwards only in an order that is the reverse of the table's to the last word.
    const nulls = backwards && index === 0 && direction === 'desc' ? 'FIRST' : 'LAST';
    return `${fieldExpression(field, dialect)} ${direction.toUpperCase()} NULLS ${nulls}`;
  });
  return `ORDER BY ${keys.join(', ')}`;
}

/**
 * Writes the condition that is true for exactly the rows after the one with these key values. The last key has to be unique
 * and never null (mastrNummer), so that the order is total and paging meets every row once.
 *
 * The condition for keys a, b is `(a after) OR (a ties AND b after)`, where null ties with null and follows every value.
 */
export function afterRow(sort: readonly SortKey[], row: readonly KeyValue[], dialect: Dialect, values: Binder): string {
  const ties: string[] = [];
  const alternatives: string[] = [];
  for (const [index, { field, direction }] of sort.entries()) {
    const expression = fieldExpression(field, dialect);
    const value = row[index] ?? null;
    if (value === null) {
      ties.push(`${expression} IS NULL`);
      continue;
    }
    const stored = dialect.storedValue(comparisonTarget(field), String(value), values);
    const last = index === sort.length - 1;
    const beyond = `${expression} ${direction === 'asc' ? '>' : '<'} ${stored}`;
    alternatives.push([...ties, last ? beyond : `(${beyond} OR ${expression} IS NULL)`].join(' AND '));
    ties.push(`${expression} = ${stored}`);
  }
  // AND binds closer than OR, so the alternatives need no brackets of their own.
  return alternatives.length === 1 ? alternatives.join() : `(${alternatives.join(' OR ')})`;
}

/**
 * Writes the same condition for rows with a value of the first key alone, after a row that has one. It begins with a comparison
 * by which the engine skips blocks, as it does not by alternatives.
 */
export function valuedAfterRow(
  [first, ...others]: readonly SortKey[],
  [value = null, ...row]: readonly KeyValue[],
  dialect: Dialect,
  values: Binder,
): string {
  if (first === undefined || value === null) throw new Error('The row has no value of the first key');
  const expression = fieldExpression(first.field, dialect);
  const stored = dialect.storedValue(comparisonTarget(first.field), String(value), values);
  const operator = first.direction === 'asc' ? '>' : '<';
  if (others.length === 0) return `${expression} ${operator} ${stored}`;
  const tied = afterRow(others, row, dialect, values);
  return `${expression} ${operator}= ${stored} AND (${expression} ${operator} ${stored} OR ${tied})`;
}
