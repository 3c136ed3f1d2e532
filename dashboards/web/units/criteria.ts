import type { Criteria } from '../v1/organisation-answers.ts';
import { listItems, listText } from '../v1/request.ts';
import { isOnePlace, type UnitFilter } from './filters.ts';

/** The same filters in two notations: in an address every value is a text, in a body it has its own type. */

/** @param values of filters by their parameters, as an address has them */
export function criteriaOf(values: ReadonlyMap<string, string>, filters: readonly UnitFilter[]): Criteria {
  const written = filters.flatMap(({ kind, parameters }) =>
    parameters.flatMap(({ name }) => {
      const value = values.get(name);
      return value === undefined ? [] : [[name, typed(kind, name, value)] as const];
    }),
  );
  return Object.fromEntries(written);
}

function typed(kind: UnitFilter['kind'], name: string, value: string): unknown {
  switch (kind) {
    case 'numbers':
      return Number(value);
    case 'flag':
      return value === 'true';
    case 'days':
    case 'words':
      return value;
    default:
      return isOnePlace(name) ? value : listItems(value);
  }
}

export const valuesOf = (criteria: Criteria): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(criteria).map(([name, value]) => [
      name,
      Array.isArray(value) ? listText(value.map(String)) : String(value),
    ]),
  );
