import { atMostThreeDecimals } from './decimals.ts';
import type { Dialect } from './dialect.ts';

/** How a filter's value is compared, in every engine alike; what a stored value looks like is the engine's own. */
export const filterValueBy =
  (storedValue: Dialect['storedValue']): Dialect['filterValue'] =>
  (target, value, compare, values) => {
    // A filter may carry more digits than the column has. It is rounded to where no stored value lies in between, since a
    // comparison in another type than the column's would have to look at every row.
    if (target.kind === 'decimal' && typeof value === 'number') {
      return storedValue(target, atMostThreeDecimals(value, compare === 'min' ? 'up' : 'down'), values);
    }
    if (target.kind === 'degree' || target.kind === 'integer') return `CAST(${values.bind(value)} AS DOUBLE)`;
    return storedValue(target, String(value), values);
  };
