import { day } from '../format/dates.ts';
import { quoted, say } from '../format/language.ts';
import { decimal, plural } from '../format/numbers.ts';
import { listItems } from '../v1/request.ts';
import type { UnitFilter } from './filters.ts';
import { roleName } from './roles.ts';
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
      return written === 'true' ? say('ja', 'yes') : written === 'false' ? say('nein', 'no') : written;
    case 'words':
      return quoted(written);
    default: {
      const items = listItems(written);
      const names = items.slice(0, NAMED).map((value) => nameOf(filter.id, value));
      return items.length > NAMED
        ? say(
            `${names.join(', ')} und ${items.length - NAMED} weitere`,
            `${names.join(', ')} and ${items.length - NAMED} more`,
          )
        : names.join(', ');
    }
  }
}

/** Values that say nothing without what they are of. */
const BARE: readonly string[] = ['ja', 'nein', 'ka'];

/** Says it with the name of the field wherever the values alone would not tell: „Leistung 100 bis 500 kW“, „Bayern“. */
export function namedFilter(filter: UnitFilter, values: ReadonlyMap<string, string>, nameOf: NameOf): string {
  const text = describedFilter(filter, values, nameOf);
  const isBare = listItems(values.get(filter.id) ?? '').some((value) => BARE.includes(value));
  return ['choice', 'search', 'words'].includes(filter.kind) && !isBare ? text : `${filter.title} ${text}`;
}

/** Says in words for what a filter by the own portfolio asks. */
export const describedOwn = (parameter: string, value: string): string =>
  parameter === 'portfolio'
    ? say('nur eigene Anlagen', 'own units alone')
    : parameter === 'portfolioRelationType'
      ? listItems(value).map(roleName).join(', ')
      : value;

/** Filters that a title names; the chips under it have all. */
const NAMED_IN_TITLE = 3;

/** The filters for a title, without the place: „Solar“, „Leistung 100 bis 500 kW“. */
export function titleParts(
  filters: readonly UnitFilter[],
  values: ReadonlyMap<string, string>,
  nameOf: NameOf,
  most = NAMED_IN_TITLE,
): readonly string[] {
  const parts = filters
    .filter((filter) => isChosen(filter, values))
    .map((filter) => namedFilter(filter, values, nameOf));
  const more = parts.length - most;
  return more > 0
    ? [
        ...parts.slice(0, most),
        `${plural(more, say('weiterer Filter', 'more filter'), say('weitere Filter', 'more filters'))}`,
      ]
    : parts;
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
  if (lower !== null && upper !== null) return say(`${lower} bis ${upper}${unit}`, `${lower} to ${upper}${unit}`);
  return lower !== null
    ? say(`ab ${lower}${unit}`, `from ${lower}${unit}`)
    : say(`bis ${upper}${unit}`, `up to ${upper}${unit}`);
}
