import type { z } from 'zod';
import { described, type Filter, type UnitField } from '../../sql/catalogue/field.ts';
import { UNIT_FILTERS } from '../../sql/catalogue/unit-fields.ts';
import type { Condition } from '../../sql/query/conditions.ts';
import { calendarDay, decimal, fault, list, text } from '../wire/parameters.ts';

/** The unit filters as parameters and as conditions: both are derived from the catalogue. */

type FilterEntry = { readonly field: UnitField; readonly filter: Filter };

/** Schema of one filter as it stands in a query. */
function filterSchema({ field, filter }: FilterEntry) {
  switch (filter.compare) {
    case 'oneOf':
      return list({
        numbers: field.kind === 'number',
        ...(field.values === null ? {} : { closed: field.values }),
        ...(filter.most === undefined ? {} : { most: filter.most }),
      });
    case 'min':
    case 'max':
      return decimal();
    case 'from':
    case 'to':
      return calendarDay();
    case 'equals':
    case 'prefix':
      return text();
  }
}

/** Every filter as an optional query parameter, by name. */
export const filterParameters: Readonly<Record<string, z.ZodOptional<z.ZodType<Condition['value'], string>>>> =
  Object.fromEntries(
    [...UNIT_FILTERS].map(([name, entry]) => {
      const schema: z.ZodType<Condition['value'], string> = filterSchema(entry);
      return [name, schema.optional().describe(described(entry.field))];
    }),
  );

/** The conditions that a checked query asks for, in the order of the catalogue. */
export function conditionsOf(query: Readonly<Record<string, unknown>>): Condition[] {
  return [...UNIT_FILTERS].flatMap(([name, { field, filter }]) => {
    const value = query[name] as Condition['value'] | undefined;
    return value === undefined ? [] : [{ field, compare: filter.compare, value }];
  });
}

/** Pairs of filters that bound one field from below and above. */
const RANGES: readonly (readonly [from: string, to: string])[] = [...UNIT_FILTERS].flatMap(([from, lower]) => {
  if (lower.filter.compare !== 'min' && lower.filter.compare !== 'from') return [];
  const upper = [...UNIT_FILTERS].find(
    ([, { field, filter }]) =>
      field === lower.field && filter.compare === (lower.filter.compare === 'min' ? 'max' : 'to'),
  );
  return upper === undefined ? [] : [[from, upper[0]] as const];
});

/** A range that ends before it begins would find nothing in silence. */
export function rangesAreOrdered(query: Readonly<Record<string, unknown>>, context: z.RefinementCtx): void {
  for (const [from, to] of RANGES) {
    const [low, high] = [query[from], query[to]];
    const reversed =
      (typeof low === 'number' && typeof high === 'number' && low > high) ||
      (typeof low === 'string' && typeof high === 'string' && low > high);
    if (reversed) context.issues.push(fault('FILTER_CONFLICT', `lies beyond ${to}`, [from]));
  }
}
