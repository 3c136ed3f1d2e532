import type { Comparison, UnitField } from '../catalogue/field.ts';
import type { Dialect } from './dialect.ts';
import type { Binder } from './statement.ts';

/** One filter of a question: the field it looks at, how it compares, and the value or values asked for. */
export interface Condition {
  readonly field: UnitField;
  readonly compare: Comparison;
  readonly value: string | number | readonly string[];
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

/** A condition as SQL. A null in the field satisfies no condition. */
export function conditionSql(condition: Condition, dialect: Dialect, values: Binder): string {
  const { field, compare, value } = condition;
  const expression = fieldExpression(field, dialect);
  if (compare === 'oneOf') {
    const list = (typeof value === 'object' ? value : [String(value)]).map((item) =>
      dialect.filterValue(field.kind, values.bind(item)),
    );
    return `${expression} IN (${list.join(', ')})`;
  }
  const placeholder = values.bind(value);
  if (compare === 'prefix') return dialect.startsWith(expression, placeholder);
  return `${expression} ${OPERATORS[compare]} ${dialect.filterValue(field.kind, placeholder)}`;
}

const OPERATORS = { equals: '=', min: '>=', max: '<=', from: '>=', to: '<=' } as const;
