import type { z } from 'zod';
import { describedInEnglish } from '../../sql/catalogue/english.ts';
import type { Comparison, Filter, UnitField } from '../../sql/catalogue/field.ts';
import { UNIT_FILTERS } from '../../sql/catalogue/unit-fields.ts';
import type { Condition } from '../../sql/query/conditions.ts';
import { plainSigns } from '../../sql/register/mastr-number.ts';
import { boxParameter, circleParameter } from '../wire/areas.ts';
import type { Notation } from '../wire/notation.ts';
import { fault } from '../wire/parameters.ts';
import { polygonParameter } from '../wire/polygons.ts';
import { searchWords } from '../wire/search-words.ts';

/** Derives from the catalogue the unit filters as parameters and as conditions. */

type FilterValue = Condition['value'];

/** Every text of the register that is compared as a whole is shorter. */
const MAX_VALUE_LENGTH = 200;

function filterSchema(field: UnitField, { compare }: Filter, notation: Notation): z.ZodType<FilterValue> {
  switch (compare) {
    case 'oneOf':
    case 'carriers':
    case 'signals':
    case 'anomalies':
      return notation.list({
        numbers: field.kind === 'number',
        ...(field.values === null ? {} : { closed: field.values }),
        ...(compare === 'signals' ? { unknown: 'UNKNOWN_SIGNAL' } : {}),
      });
    case 'hasAny':
      return notation.list({ integers: true });
    case 'min':
    case 'max':
      return notation.decimal();
    case 'from':
    case 'to':
      return notation.calendarDay();
    case 'is':
    case 'present':
      return notation.flag();
    case 'place':
    case 'prefix':
      return notation.text(MAX_VALUE_LENGTH);
    case 'box':
      return boxParameter();
    case 'circle':
      return circleParameter();
    case 'polygon':
      return polygonParameter(notation);
    case 'search':
      return searchWords(notation);
  }
}

/** Notes on comparisons for the documentation; comparisons that need none have no entry. */
const COMPARISON_NOTES: Partial<Record<Comparison, string>> = {
  place: '`Name`, `Name, Bundesland` or the official key',
  prefix: 'whole, or its beginning',
  min: 'at least',
  max: 'at most',
  from: 'earliest day, inclusive',
  to: 'latest day, inclusive',
  hasAny: 'at least one of these ids',
  carriers: 'at least one of these',
  is: 'true: only units for which it holds; false: all others, also those that state nothing',
  present: 'true: only with it; false: only without',
};

const meaningOf = (field: UnitField, { compare }: Filter): string =>
  [describedInEnglish(field), COMPARISON_NOTES[compare]].filter((part) => part !== undefined).join('; ');

/** Every filter by name in a notation, as an optional part of the schema of a query or a body. */
export const unitFilterShape = (notation: Notation): Readonly<Record<string, z.ZodOptional<z.ZodType<FilterValue>>>> =>
  Object.fromEntries(
    [...UNIT_FILTERS].map(([name, { field, filter }]) => [
      name,
      filterSchema(field, filter, notation).optional().describe(meaningOf(field, filter)),
    ]),
  );

/** Returns the conditions of a validated query or body, in the order of the catalogue. */
export function filterConditions(query: Readonly<Record<string, unknown>>): Condition[] {
  return [...UNIT_FILTERS].flatMap(([name, entry]) => {
    const value = query[name] as FilterValue | undefined;
    return value === undefined ? [] : [conditionOn(entry, value)];
  });
}

/** A condition on a field; texts are compared as the register has them. */
export function conditionOn(entry: Omit<Condition, 'value'>, value: FilterValue): Condition {
  const { field, filter } = entry;
  const isText = (field.kind === 'text' || field.kind === 'label') && filter.compare !== 'search';
  if (!isText || typeof value === 'number' || typeof value === 'boolean') return { ...entry, value };
  return { ...entry, value: typeof value === 'string' ? plainSigns(value) : value.map(plainSigns) };
}

/** The condition that a unit is one of these; there may be more of them than a caller may send. */
export function numbersCondition(mastrNumbers: readonly string[]): Condition {
  const entry = UNIT_FILTERS.get('mastrNummern');
  if (entry === undefined) throw new Error('There is no filter for MaStR numbers');
  return { ...entry, value: mastrNumbers };
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

/** Refuses ranges that end before they begin, which would silently find nothing. */
export function rangesAreOrdered(query: Readonly<Record<string, unknown>>, context: z.RefinementCtx): void {
  for (const [from, to] of RANGES) {
    const [low, high] = [query[from], query[to]];
    const reversed =
      (typeof low === 'number' && typeof high === 'number' && low > high) ||
      (typeof low === 'string' && typeof high === 'string' && low > high);
    if (reversed) context.issues.push(fault('FILTER_CONFLICT', `lies beyond ${to}`, [from]));
  }
}

/** Refuses filters next to a saved filter, which replaces all of them: they would silently be dropped. */
export function savedFilterStandsAlone(query: Readonly<Record<string, unknown>>, context: z.RefinementCtx): void {
  if (query.savedFilterId === undefined) return;
  for (const name of ['eventId', ...UNIT_FILTERS.keys()]) {
    if (query[name] === undefined) continue;
    context.issues.push(
      fault('FILTER_CONFLICT', 'cannot stand beside savedFilterId, which replaces every filter', [name]),
    );
  }
}
