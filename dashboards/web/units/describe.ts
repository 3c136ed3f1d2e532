import { day } from '../format/dates.ts';
import { decimal } from '../format/numbers.ts';
import { listItems } from '../v1/request.ts';
import type { UnitFilter } from './filters.ts';
import type { NameOf } from './value-names.ts';

/** Values that are named; of more, their number. */
const NAMED = 3;

export const isChosen = ({ parameters }: UnitFilter, values: ReadonlyMap<string, string>): boolean =>
  parameters.some(({ name }) => values.has(name));

/** Says in words for what a filter asks: „100 bis 500 kW“, „Bayern, Hessen“. */
export function describedFilter(filter: UnitFilter, values: ReadonlyMap<string, string>, nameOf: NameOf): string {
  const written = values.get(filter.id) ?? '';
  switch (filter.kind) {
    case 'numbers':
    case 'days':
      return describedRange(filter, values);
    case 'flag':
      return written === 'true' ? 'ja' : written === 'false' ? 'nein' : written;
    case 'words':
      return `„${written}“`;
    default: {
      const items = listItems(written);
      const names = items.slice(0, NAMED).map((value) => nameOf(filter.id, value));
      return items.length > NAMED ? `${names.join(', ')} und ${items.length - NAMED} weitere` : names.join(', ');
    }
  }
}

function describedRange({ kind, parameters, field }: UnitFilter, values: ReadonlyMap<string, string>): string {
  const boundOf = (wanted: 'lower' | 'upper'): string | null => {
    const name = parameters.find(({ bound }) => bound === wanted)?.name;
    const value = name === undefined ? undefined : values.get(name);
    if (value === undefined) return null;
    if (kind === 'days') return day(value);
    const number = Number(value);
    return Number.isFinite(number) ? decimal(number, 6) : value;
  };
  const [lower, upper] = [boundOf('lower'), boundOf('upper')];
  const unit = field.einheit === null ? '' : `\u202f${field.einheit}`;
  if (lower !== null && upper !== null) return `${lower} bis ${upper}${unit}`;
  return lower !== null ? `ab ${lower}${unit}` : `bis ${upper}${unit}`;
}
