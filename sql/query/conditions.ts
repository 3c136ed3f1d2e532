import type { Comparison, Filter, UnitField } from '../catalogue/field.ts';
import { signalMask } from '../catalogue/signals.ts';
import type { Dialect } from './dialect.ts';
import type { Binder } from './statement.ts';
import { sucheSql } from './suche.ts';

/** One filter of a question: the field it looks at, how it compares, and the value or values asked for. */
export interface Condition {
  readonly field: UnitField;
  readonly filter: Filter;
  readonly value: string | number | boolean | readonly string[];
}

/**
 * The expression that yields a field: its column, or the catalogue's own way of reading it. The column is named with its
 * table, as ORDER BY would otherwise mean the alias, which is the text of a day and no day.
 */
export function fieldExpression(field: UnitField, dialect: Dialect): string {
  return field.read === null ? `units.${dialect.column(field.name)}` : `(${field.read})`;
}

/** `WHERE` with all conditions joined by AND; the empty text when there are none. */
export function whereAll(parts: readonly string[]): string {
  return parts.length === 0 ? '' : `WHERE ${parts.join('\n  AND ')}`;
}

/** A condition as SQL. A null in the field satisfies no condition but `is` and `present` with the value false. */
export function conditionSql({ field, filter, value }: Condition, dialect: Dialect, values: Binder): string {
  // Announced and without values: whatever is asked for, no unit has it.
  if (field.pending) return 'false';
  const expression = filter.over === undefined ? fieldExpression(field, dialect) : `(${filter.over})`;
  const list = Array.isArray(value) ? value : [String(value)];
  switch (filter.compare) {
    case 'oneOf':
      return `${expression} IN (${list.map((item) => dialect.filterValue(field.kind, values.bind(item))).join(', ')})`;
    case 'signals':
      return `(${expression} & ${dialect.filterValue(field.kind, values.bind(signalMask(list)))}) <> 0`;
    case 'search':
      return sucheSql(list, dialect, values);
    case 'is':
      return value === true ? expression : `${expression} IS DISTINCT FROM true`;
    case 'present':
      return `${expression} IS ${value === true ? 'NOT NULL' : 'NULL'}`;
    case 'prefix':
      return dialect.startsWith(expression, values.bind(value));
    default:
      return `${expression} ${OPERATORS[filter.compare]} ${dialect.filterValue(field.kind, values.bind(value))}`;
  }
}

const OPERATORS = { equals: '=', min: '>=', max: '<=', from: '>=', to: '<=' } as const satisfies Partial<
  Record<Comparison, string>
>;
