import { type RegionOrCountry, unitQuery } from '../../regions/region.ts';
import { ENTRIES_AT_ONCE, portfolioRequest } from '../../units/portfolio.ts';
import { allPages, chunks, PAGE_SIZE } from '../../v1/all-pages.ts';
import type { PageMeta } from '../../v1/answers.ts';
import type { Loaded } from '../../v1/loaded.ts';
import type { PortfolioEntry } from '../../v1/organisation-answers.ts';
import { type ApiRequest, addressOf, type Query } from '../../v1/request.ts';
import type { UnitFields, UnitRows } from '../../v1/unit-answers.ts';
import { useLoad } from '../../v1/use-answer.ts';

/** Units of a page of the list. */
export const UNITS_OF_A_PAGE = 100;

export interface Chosen {
  readonly region: RegionOrCountry;
  /** Carrier, name of a grid operator, id of a rule; '' = all. */
  readonly traeger: string;
  readonly netzbetreiber: string;
  readonly regel: string;
}

/** The filters of units that have been chosen, apart from the rule. */
export function filtersOf({ region, traeger, netzbetreiber }: Chosen): Query {
  const { bundesland, ...place } = unitQuery(region);
  return {
    ...place,
    ...(bundesland === undefined ? {} : { bundesland: [String(bundesland)] }),
    ...(traeger === '' ? {} : { einheitTyp: [traeger] }),
    ...(netzbetreiber === '' ? {} : { netzbetreiber: [netzbetreiber] }),
  };
}

/** The request for the units of the list, the largest first. @param fields that are compared, beside those of every row */
export const unitsRequest = (chosen: Chosen, fields: readonly string[]): ApiRequest => ({
  path: '/v1/units',
  query: {
    ...filtersOf(chosen),
    ...(chosen.regel === '' ? { auffaellig: true } : { auffaelligkeit: [chosen.regel] }),
    sort: 'bruttoleistungKw:desc',
    fields: [...new Set([...ALWAYS, ...fields])],
  },
});

const ALWAYS = [
  ...['mastrNummer', 'name', 'bruttoleistungKw', 'netzbetreiber', 'plz', 'ort', 'bundesland'],
  ...['auffaelligkeiten', 'vorschlag'],
];

/** The same among some units, in any order. */
export function amongRequest({ query = {} }: ApiRequest, numbers: readonly string[]): ApiRequest {
  const { sort: _, ...criteria } = query;
  return { path: '/v1/units/search', body: { ...criteria, mastrNummern: numbers, limit: PAGE_SIZE } };
}

export interface WorkList {
  readonly units: readonly UnitFields[];
  readonly total: number;
  /** null = all units are there. */
  readonly page: (PageMeta & { readonly total: number }) | null;
  /** False: the portfolio has more entries than were read. */
  readonly isComplete: boolean;
}

/**
 * Loads a page of the list, or all units of the portfolio that belong to it, as there is no filter for these.
 * @param request null = nothing yet
 * @param cursor '' = the first page
 */
export function useWorkList(request: ApiRequest | null, cursor: string, isOwn: boolean): Loaded<WorkList> {
  const id = request === null ? null : `${addressOf(request)} ${cursor} ${isOwn}`;
  return useLoad<WorkList>(id, async (loading) => {
    const asked = request as ApiRequest;
    if (!isOwn) {
      const query = { ...asked.query, limit: UNITS_OF_A_PAGE, cursor: cursor || null };
      const { data, meta } = await loading.ask<UnitRows>({ ...asked, query });
      return { units: data, total: meta.page.total, page: meta.page, isComplete: true };
    }
    const entries = await allPages<PortfolioEntry>(loading, portfolioRequest('', false), { most: ENTRIES_AT_ONCE });
    const numbers = [...new Set(entries.rows.map(({ mastrNummer }) => mastrNummer))];
    const units: UnitFields[] = [];
    let done = 0;
    for (const some of chunks(numbers, PAGE_SIZE)) {
      units.push(...(await loading.ask<UnitRows>(amongRequest(asked, some))).data);
      done += some.length;
      loading.progress({ done, of: numbers.length });
    }
    units.sort((one, other) => Number(other.bruttoleistungKw) - Number(one.bruttoleistungKw));
    return { units, total: units.length, page: null, isComplete: entries.isComplete };
  });
}
