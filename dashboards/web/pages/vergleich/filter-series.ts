import type { Parameter } from '../../address/address.ts';
import type { Carrier } from '../../charts/carriers.ts';
import { OWN_FILTERS } from '../../filters/filter-address.ts';
import { say } from '../../format/language.ts';
import { ownPart, placeCriteria, type Watchable } from '../../keep/kept.ts';
import { criteriaOf } from '../../units/criteria.ts';
import { describedOwn, isChosen, namedFilter } from '../../units/describe.ts';
import { filtersOf, type UnitFilter } from '../../units/filters.ts';
import { useSignalTexts } from '../../units/signals.ts';
import { useCatalogue } from '../../units/use-catalogue.ts';
import { useValueNames } from '../../units/value-names.ts';
import type { SeriesPerPlace, SeriesRowPerPlace, TimeSeriesRow } from '../../v1/answers.ts';
import type { Answer } from '../../v1/client.ts';
import { shown } from '../../v1/loaded.ts';
import { type ApiRequest, listItems, listText } from '../../v1/request.ts';
import type { ReferenceSetList, SavedFilterList } from '../../v1/unit-answers.ts';
import { useAnswer, useVisit } from '../../v1/use-answer.ts';

/** Series that are no places: whatever units meet filters of the list, or a saved filter. Each is the query of its list, as text. */

const SETS: ApiRequest = { path: '/v1/reference' };
const SAVED: ApiRequest = { path: '/v1/saved-filters' };

/** Several filters; a semicolon in a value is encoded. */
export const queries = (most: number): Parameter<readonly string[]> => ({
  initial: [],
  read(text) {
    const all = [...new Set(text.split(';').filter(Boolean).map(canonical))];
    return all.length === 0 || all.length > most || all.includes('') ? undefined : all;
  },
  write: (chosen) => (chosen.length === 0 ? null : chosen.join(';')),
  takes: say(
    `höchstens ${most} Filter wie einheitTyp=wind&leistungMinKw=3000, mit Semikolon dazwischen`,
    `at most ${most} filters like einheitTyp=wind&leistungMinKw=3000, with semicolons between them`,
  ),
});

const canonical = (text: string): string => new URLSearchParams(text).toString();

/** The values of a filter, by parameter. */
const valuesIn = (query: string): ReadonlyMap<string, string> => new Map(new URLSearchParams(query));

export const queryOf = (values: ReadonlyMap<string, string>): string => new URLSearchParams([...values]).toString();

export const seriesRequest = (query: string, more: Readonly<Record<string, string | null>>): ApiRequest => ({
  path: '/v1/aggregations/zeitreihe',
  query: { ...Object.fromEntries(valuesIn(query)), ...more },
});

/** Narrows a series to units of the own portfolio. */
export const ownQuery = (own: boolean): Readonly<Record<string, string>> => (own ? { portfolio: 'true' } : {});

/** What filters are chosen from; null while it is not known. */
export function useFilters(isWanted: boolean): readonly UnitFilter[] | null {
  const catalogue = shown(useCatalogue(isWanted));
  const sets = useAnswer<ReferenceSetList>(isWanted ? SETS : null);
  return catalogue === null || sets.state === 'loading' ? null : filtersOf(catalogue, shown(sets)?.data ?? null);
}

export function useSavedFilters(isWanted: boolean) {
  const { me, isShared } = useVisit();
  const mayRead = isWanted && !isShared && me.key.scopes.includes('saved_filters:read');
  return shown(useAnswer<SavedFilterList>(mayRead ? SAVED : null))?.data ?? [];
}

/** What each filter is called: its values in words, or the name of the saved filter. */
export function useFilterNames(texts: readonly string[]): readonly string[] {
  const all = texts.map(valuesIn);
  const filters = useFilters(texts.length > 0);
  const saved = useSavedFilters(all.some((values) => values.has('savedFilterId')));
  const together = new Map<string, string>();
  for (const values of all) {
    for (const [name, value] of values)
      together.set(name, listText([...listItems(together.get(name) ?? ''), ...listItems(value)]));
  }
  const nameOf = useValueNames(together, useSignalTexts(together.has('signals')));
  return all.map((values, index) => {
    const id = values.get('savedFilterId');
    if (id !== undefined)
      return saved.find((one) => one.id === id)?.name ?? say('Gespeicherter Filter', 'Saved filter');
    const chosen = (filters ?? []).filter((filter) => isChosen(filter, values));
    const parts = [
      ...chosen.map((filter) => namedFilter(filter, values, nameOf)),
      ...[...values].flatMap(([name, value]) => (OWN_FILTERS.has(name) ? [describedOwn(name, value)] : [])),
    ];
    return parts.join(', ') || (texts[index] ?? '');
  });
}

export type FilteredSeries = Answer<readonly TimeSeriesRow[], { readonly periode: string }>;

/** What an alert can ask of a series; a filter that names no carriers has those of the chart. */
export function watchableOf(
  query: string,
  name: string,
  filters: readonly UnitFilter[],
  carriers: readonly Carrier[],
): Watchable {
  const values = valuesIn(query);
  const own = [...values.keys()].filter((parameter) => OWN_FILTERS.has(parameter));
  const savedFilterId = values.get('savedFilterId') ?? null;
  return {
    name,
    criteria: { ...placeCriteria(null, carriers), ...criteriaOf(values, filters) },
    savedFilterId,
    ...ownPart(own, { savedFilterId }),
  };
}

const RATIOS = ['zubau', 'abbau', 'pipeline'].flatMap((flow) =>
  ['AnzahlJe1000Einwohner', 'KwJe1000Einwohner', 'AnzahlJeKm2', 'KwJeKm2'].map((end) => `${flow}${end}`),
);
const NO_RATIOS = Object.fromEntries(RATIOS.map((name) => [name, null])) as unknown as Omit<
  SeriesRowPerPlace,
  keyof TimeSeriesRow
>;

/** A filter has no inhabitants and no area. */
export const withoutPlace = ({ data, meta }: FilteredSeries): SeriesPerPlace => ({
  data: data.map((row) => ({ ...row, ...NO_RATIOS })),
  meta: { periode: meta.periode, ebene: null, region: null, bezug: null },
});
