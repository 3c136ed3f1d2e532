import { useMemo } from 'preact/hooks';
import { type Parameters, useNavigation } from '../address/address.ts';
import { faultsOf, type LinkFault } from '../address/link-faults.ts';
import { filtersOf, type UnitFilter } from '../units/filters.ts';
import { useCatalogue } from '../units/use-catalogue.ts';
import { type Loaded, shown } from '../v1/loaded.ts';
import type { ApiRequest, Query } from '../v1/request.ts';
import type { ReferenceSetList } from '../v1/unit-answers.ts';
import { useAnswer } from '../v1/use-answer.ts';
import { type FilterAddress, OWN_FILTERS } from './filter-address.ts';
import { filterChoices, withLists } from './filter-choices.ts';

/** The filters of the list of units, in the address of a page with choices of its own, under the same names. */
export interface PageFilters extends FilterAddress {
  readonly filters: readonly UnitFilter[];
  /** The part of a query that selects the units. */
  readonly query: Query;
  readonly faults: readonly LinkFault[];
  /** What the filters wait for; null = they are known, or there is none to be known. */
  readonly waiting: Loaded<unknown> | null;
}

const SETS: ApiRequest = { path: '/v1/reference' };

const NONE: readonly UnitFilter[] = [];

/**
 * @param choices of the page itself; other parameters are filters
 * @param elsewhere filters that the page chooses by itself, or cannot ask by
 * @param isWanted true: the filters are to be chosen from, and are loaded though the address has none
 */
export function usePageFilters(choices: Parameters, elsewhere: readonly string[], isWanted: boolean): PageFilters {
  const { address, go, at } = useNavigation();
  const isNeeded = isWanted || [...address.query.keys()].some((name) => !Object.hasOwn(choices, name));
  const loaded = useCatalogue(isNeeded);
  const catalogue = shown(loaded);
  const sets = useAnswer<ReferenceSetList>(isNeeded ? SETS : null);
  const filters = useMemo(
    () =>
      catalogue === null || sets.state === 'loading'
        ? NONE
        : filtersOf(catalogue, shown(sets)?.data ?? null).filter(({ id }) => !elsewhere.includes(id)),
    [catalogue, sets, elsewhere],
  );
  return useMemo(() => {
    const query = withLists(address.query, filters);
    const known = new Set(filters.flatMap(({ parameters }) => parameters.map(({ name }) => name)));
    const values = new Map([...query].filter(([name]) => known.has(name)));
    const own = new Map([...query].filter(([name]) => OWN_FILTERS.has(name) && name !== 'portfolio'));
    const isKnown = filters.length > 0;
    return {
      filters,
      values,
      own,
      savedFilterId: null,
      eventId: null,
      region: null,
      query: Object.fromEntries([...values, ...own]),
      faults: isKnown ? faultsOf(query, { ...choices, ...filterChoices(filters) }) : [],
      waiting: isKnown || !isNeeded ? null : loaded.state === 'ready' ? sets : loaded,
      change: (changes) => go(at(address.path, { ...Object.fromEntries(query), ...changes })),
    };
  }, [address, go, at, filters, isNeeded, loaded, sets, choices]);
}
