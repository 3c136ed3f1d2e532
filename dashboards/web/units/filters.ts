import { say } from '../format/language.ts';
import { LEVELS } from '../regions/region.ts';
import type { CatalogField, ReferenceSet } from '../v1/unit-answers.ts';
import type { Catalogue } from './catalogue.ts';

/**
 * The filters of units, derived from the catalogue and from what is known of their values.
 *
 * - `choice`: some of few values, which can be listed
 * - `search`: some of many values, which are found by a part of them
 * - `numbers`, `days`: from a bound to another
 * - `flag`: yes, no, or all the same
 * - `codes`: some values that nobody can list, such as numbers of units or the corners of a rectangle
 * - `words`: words that occur somewhere
 */
type FilterKind = 'choice' | 'search' | 'numbers' | 'days' | 'flag' | 'codes' | 'words';

export interface UnitFilter {
  /** Name of the parameter, or of the first of two. */
  readonly id: string;
  readonly field: CatalogField;
  readonly title: string;
  readonly kind: FilterKind;
  /** Parameters of the interface: two of a range that has both bounds. */
  readonly parameters: readonly Parameter[];
}

interface Parameter {
  readonly name: string;
  /** Of ranges: which bound it is. */
  readonly bound: 'lower' | 'upper' | null;
}

/** The interface names bounds so: `leistungMinKw`, `inbetriebnahmeBis`. */
const BOUNDS = {
  numbers: /(?<lower>Min)(?=[A-Z]|$)|(?<upper>Max)(?=[A-Z]|$)/,
  days: /(?<lower>Von)$|(?<upper>Bis)$/,
} as const;

/** Questions for presence are named so: `hatKoordinaten`. */
const PRESENCE = /^hat[A-Z]/;

export const FREE_TEXT = 'suche';

/** @param sets null = the key may not look up values: what could be chosen is then typed */
export const filtersOf = (
  { fields, titleOf }: Catalogue,
  sets: readonly ReferenceSet[] | null,
): readonly UnitFilter[] =>
  fields
    .filter(({ filterbar }) => filterbar)
    .flatMap((field) => {
      const kinds = Map.groupBy(field.filter, (name) => kindOf(name, field, sets));
      return [...kinds].flatMap(([kind, names]): readonly UnitFilter[] => {
        const parameters = names.map((name) => ({ name, bound: boundOf(name, kind) }));
        const groups = kind === 'numbers' || kind === 'days' ? [parameters] : parameters.map((one) => [one]);
        return groups.map((group) => ({
          id: group[0]?.name ?? field.name,
          field,
          title: kind === 'words' ? say('Suche', 'Search') : titleOf(field),
          kind,
          parameters: group,
        }));
      });
    });

function kindOf(name: string, { typ, werte }: CatalogField, sets: readonly ReferenceSet[] | null): FilterKind {
  if (typ === 'boolean' || PRESENCE.test(name)) return 'flag';
  if ((typ === 'number' || typ === 'integer') && BOUNDS.numbers.test(name)) return 'numbers';
  if (typ === 'string' && BOUNDS.days.test(name)) return 'days';
  if (name === FREE_TEXT) return 'words';
  const set = sets?.find(({ filter }) => filter === name);
  if (set !== undefined) return set.requiresQuery ? 'search' : 'choice';
  return werte === null ? 'codes' : 'choice';
}

function boundOf(name: string, kind: FilterKind): Parameter['bound'] {
  if (kind !== 'numbers' && kind !== 'days') return null;
  return BOUNDS[kind].exec(name)?.groups?.upper === undefined ? 'lower' : 'upper';
}

/** Filters that take one place, and no list of them. */
export const isOnePlace = (parameter: string): boolean =>
  parameter !== 'bundesland' && LEVELS.some((level) => level === parameter);
