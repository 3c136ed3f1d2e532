import { useEffect, useMemo, useState } from 'preact/hooks';
import { pageNumber, useNavigation } from '../../address/address.ts';
import { faultsOf, type LinkFault } from '../../address/link-faults.ts';
import { type Changes, type FilterAddress, OWN_FILTERS } from '../../filters/filter-address.ts';
import { withLists } from '../../filters/filter-choices.ts';
import { LEVELS, type RegionOrCountry } from '../../regions/region.ts';
import type { Catalogue } from '../../units/catalogue.ts';
import type { UnitFilter } from '../../units/filters.ts';
import { listItems, listText, type Query } from '../../v1/request.ts';
import { useVisit } from '../../v1/use-answer.ts';
import { keptColumns } from './kept-columns.ts';
import { listChoices } from './list-choices.ts';

/**
 * The address of the page as a list. Filters, order and fields have the names that the interface gives them: the links of
 * events, and a query that somebody wrote for the interface, open the same list here.
 */
export interface ListAddress extends FilterAddress {
  /** The first field that the list is ordered by. */
  readonly sort: Sort | null;
  /** The whole order, as the interface takes it. */
  readonly order: string | null;
  /** Fields that are shown. */
  readonly columns: readonly string[];
  /** The beginning of the page; null = that of the list. */
  readonly cursor: string | null;
  /** Number of the page, from 1. */
  readonly page: number;
  /** Rows of a page that the link asks for; null = as many as usual. */
  readonly limit: number | null;
  /** The page cannot follow these parts of the address, and lists nothing then. */
  readonly faults: readonly LinkFault[];
  /** The query that selects the units. */
  readonly criteria: Query;
}

export interface Sort {
  readonly field: string;
  readonly direction: 'asc' | 'desc';
}

/** Fields that are shown unless others are chosen; the number is always there. */
const DEFAULT_COLUMNS = [
  'name',
  'einheitTyp',
  'bruttoleistungKw',
  'betriebsStatus',
  'inbetriebnahmedatum',
  'plz',
  'ort',
  'bundesland',
];

/** A cursor belongs to a list: it goes with what the list was asked by. */
const FIRST_PAGE: Changes = { cursor: null, seite: null };
const KEEPS_THE_PAGE = ['fields', 'cursor'];

export function useListAddress(catalogue: Catalogue | null, filters: readonly UnitFilter[]): ListAddress {
  const { address, go, at } = useNavigation();
  const { isShared } = useVisit();
  const names = address.query.has('fields') || address.query.has('include');
  // A link that is copied has to name them, so the address does, from the beginning: the back button leads to what was chosen.
  const [kept, keep] = useState(() => (isShared || names ? null : keptColumns()));
  const mine = names || kept === null || catalogue === null ? null : kept.filter(availableIn(catalogue));
  const missing = mine === null ? null : listText(mine) || 'mastrNummer';
  useEffect(() => {
    if (missing === null) return;
    go(at(address.path, { ...Object.fromEntries(address.query), fields: missing }), true);
    keep(null);
  }, [missing, address, go, at]);
  return useMemo(() => {
    const { path } = address;
    const query = withLists(address.query, filters);
    if (missing !== null) query.set('fields', missing);
    const known = new Set(filters.flatMap(({ parameters }) => parameters.map(({ name }) => name)));
    const values = new Map([...query].filter(([name]) => known.has(name)));
    const own = new Map([...query].filter(([name]) => OWN_FILTERS.has(name)));
    const choices = catalogue === null || filters.length === 0 ? null : listChoices(catalogue, filters);
    const [savedFilterId, eventId] = [query.get('savedFilterId'), query.get('eventId')];
    return {
      values,
      savedFilterId,
      eventId,
      own,
      region: regionOf(values),
      sort: sortOf(query.get('sort')),
      order: query.get('sort'),
      columns: columnsOf(query, catalogue),
      cursor: query.get('cursor'),
      page: pageNumber.read(query.get('seite') ?? '') ?? 1,
      limit: pageNumber.read(query.get('limit') ?? '') ?? null,
      faults: choices === null ? [] : faultsOf(query, choices),
      criteria: { ...Object.fromEntries([...values, ...own]), savedFilterId, eventId },
      change(changes) {
        const keepsPage = Object.keys(changes).some((name) => KEEPS_THE_PAGE.includes(name));
        go(at(path, { ...Object.fromEntries(query), ...(keepsPage ? {} : FIRST_PAGE), ...changes }));
      },
    };
  }, [address, go, at, catalogue, filters, missing]);
}

/** Another key may read less than the one that they were chosen with. */
const availableIn =
  ({ byName }: Catalogue) =>
  (name: string): boolean => {
    const field = byName.get(name);
    return field?.lesbar === true && field.verfuegbar && field.typ !== 'object';
  };

function sortOf(text: string | null): Sort | null {
  const [, field, direction] = /^(\w+)(?::(asc|desc))?(?:,|$)/.exec(text ?? '') ?? [];
  return field === undefined ? null : { field, direction: direction === 'desc' ? 'desc' : 'asc' };
}

/** `fields` names the columns; `include` adds those of a block to the usual ones, as it does in the interface. */
function columnsOf(query: URLSearchParams, catalogue: Catalogue | null): readonly string[] {
  const readable = (name: string): boolean => {
    const field = catalogue?.byName.get(name);
    return field?.lesbar === true && field.typ !== 'object' && name !== 'mastrNummer';
  };
  const chosen = query.get('fields');
  if (chosen !== null) return listItems(chosen).filter(readable);
  const blocks = listItems(query.get('include') ?? '');
  const included = catalogue?.fields.filter(({ block }) => block !== null && blocks.includes(block)) ?? [];
  return [...DEFAULT_COLUMNS, ...included.map(({ name }) => name)].filter(readable);
}

/** A list is of one region if one level of places is asked for, with one value. */
function regionOf(values: ReadonlyMap<string, string>): RegionOrCountry {
  const [level, more] = LEVELS.filter((name) => values.has(name));
  if (level === undefined || more !== undefined) return null;
  const written = values.get(level) ?? '';
  if (level !== 'bundesland') return { level, value: written };
  const [state, another] = listItems(written);
  return state === undefined || another !== undefined ? null : { level, value: state };
}
