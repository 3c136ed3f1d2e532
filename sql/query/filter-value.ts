import { atMostThreeDecimals } from './decimals.ts';
import type { Dialect } from './dialect.ts';

/** Writes the value of a filter alike for every engine; the engine itself writes a stored value. */
export const filterValueBy =
  (storedValue: Dialect['storedValue']): Dialect['filterValue'] =>
  (target, value, compare, values) => {
    // A filter may have more digits than the column. It is rounded so that no stored value lies in between, because a
    // comparison in another type than the column's would have to read every row.
    if (target.kind === 'decimal' && typeof value === 'number') {
      return storedValue(target, atMostThreeDecimals(value, compare === 'min' ? 'up' : 'down'), values);
    }
    if (target.kind === 'degree' || target.kind === 'integer') return `CAST(${values.bind(value)} AS DOUBLE)`;
    return storedValue(target, String(value), values);
  };
