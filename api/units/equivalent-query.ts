import { UNIT_FILTERS } from '../../sql/catalogue/unit-fields.ts';
import { plainDecimal } from '../wire/parameters.ts';
import { type SortTerm, writtenSort } from './sort.ts';

/** The query of GET /v1/units that asks the same as a checked body of POST /v1/units/search. */
export function equivalentQuery(question: Readonly<Record<string, unknown>>): URLSearchParams {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(question)) {
    if (value !== undefined) query.append(name, written(name, value));
  }
  return query;
}

function written(name: string, value: unknown): string {
  if (name === 'sort') return writtenSort(value as readonly SortTerm[]);
  if (UNIT_FILTERS.get(name)?.filter.compare === 'search') return (value as readonly string[]).join(' ');
  if (Array.isArray(value)) return value.map(quoted).join(',');
  return typeof value === 'number' ? plainDecimal(value)! : String(value);
}

/** An item as a list parameter takes it: quoted where a comma or a quote would be read otherwise. */
const quoted = (item: string): string => (/[",]/.test(item) ? `"${item.replaceAll('"', '""')}"` : item);
