import { UNIT_FILTERS } from '../../sql/catalogue/unit-fields.ts';
import { joinList, plainDecimal } from '../wire/parameters.ts';
import { type SortTerm, writtenSort } from './selection.ts';

/** Writes the body of POST /v1/units/search, once validated, as the query of GET /v1/units. */
export function equivalentQuery(body: Readonly<Record<string, unknown>>): URLSearchParams {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(body)) {
    if (value !== undefined) query.append(name, queryText(name, value));
  }
  return query;
}

function queryText(name: string, value: unknown): string {
  if (name === 'sort') return writtenSort(value as readonly SortTerm[]);
  if (UNIT_FILTERS.get(name)?.filter.compare === 'search') return (value as readonly string[]).join(' ');
  if (Array.isArray(value)) return joinList(value);
  return typeof value === 'number' ? decimalText(name, value) : String(value);
}

function decimalText(name: string, value: number): string {
  const digits = plainDecimal(value);
  if (digits === null) throw new Error(`${name} was validated, but has no plain decimal notation`);
  return digits;
}
