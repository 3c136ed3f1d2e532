import { useMemo } from 'preact/hooks';
import { useNavigation } from '../../address/address.ts';
import { faultsOf, type LinkFault } from '../../address/link-faults.ts';
import { type FilterAddress, OWN_FILTERS } from '../../filters/filter-address.ts';
import { filterChoices, withLists } from '../../filters/filter-choices.ts';
import { filtersOf, type UnitFilter } from '../../units/filters.ts';
import { useCatalogue } from '../../units/use-catalogue.ts';
import { type Loaded, shown } from '../../v1/loaded.ts';
import type { ApiRequest, Query } from '../../v1/request.ts';
import type { ReferenceSetList } from '../../v1/unit-answers.ts';
import { useAnswer } from '../../v1/use-answer.ts';
import { CHOICES, isFurther } from './map-choices.ts';

/** The filters of the list of units, in the address of the map under the same names. */
export interface MapFilters extends FilterAddress {
  readonly filters: readonly UnitFilter[];
  /** The part of a query that selects the units. */
  readonly query: Query;
  readonly faults: readonly LinkFault[];
  /** What the filters wait for; null = they are known, or there is none to be known. */
  readonly waiting: Loaded<unknown> | null;
}

const SETS: ApiRequest = { path: '/v1/reference' };

/** The map chooses carriers and places by itself. */
const CHOSEN_ELSEWHERE: readonly string[] = ['einheitTyp', 'bundesland', 'landkreis', 'gemeinde'];

const NONE: readonly UnitFilter[] = [];

/** @param isWanted true: the filters are to be chosen from, and are loaded though the address has none */
export function useMapFilters(isWanted: boolean): MapFilters {
  const { address, go, at } = useNavigation();
  const isNeeded = isWanted || [...address.query.keys()].some(isFurther);
  const loaded = useCatalogue(isNeeded);
  const catalogue = shown(loaded);
  const sets = useAnswer<ReferenceSetList>(isNeeded ? SETS : null);
  const filters = useMemo(
    () =>
      catalogue === null || sets.state === 'loading'
        ? NONE
        : filtersOf(catalogue, shown(sets)?.data ?? null).filter(({ id }) => !CHOSEN_ELSEWHERE.includes(id)),
    [catalogue, sets],
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
      faults: isKnown ? faultsOf(query, { ...CHOICES, ...filterChoices(filters) }) : [],
      waiting: isKnown || !isNeeded ? null : loaded.state === 'ready' ? sets : loaded,
      change: (changes) => go(at(address.path, { ...Object.fromEntries(query), ...changes })),
    };
  }, [address, go, at, filters, isNeeded, loaded, sets]);
}
