import { monthsFrom } from '../format/dates.ts';
import { analysisQuery, type RegionOrCountry, unitQuery } from '../regions/region.ts';
import type { ApiRequest } from '../v1/request.ts';
import type { Span } from './months.ts';

/**
 * These are the requests of the figures of a place. The pages Überblick and Region ask the same, so that going from one to
 * the other costs no request.
 */

const IN_OPERATION = 'In Betrieb';

/** The 90 days up to that of the register: those up to today would be empty where it is old. @param own only units of the own portfolio */
export const snapshotRequest = (place: RegionOrCountry, { asOf }: Pick<Span, 'asOf'>, own = false): ApiRequest => ({
  path: '/v1/region/momentaufnahme',
  query: { ...analysisQuery(place, own), bis: asOf },
});

/** The same days a year before. */
export const snapshotBefore = (place: RegionOrCountry, { asOf }: Span, own = false): ApiRequest =>
  snapshotRequest(place, { asOf: monthsFrom(asOf, -12) }, own);

/** @param span months that are over */
export const seriesRequest = (place: RegionOrCountry, { from, to }: Span, own = false): ApiRequest => ({
  path: '/v1/region/zeitreihe',
  query: { ...analysisQuery(place, own), periode: 'monat', von: from, bis: to },
});

export const ageRequest = (place: RegionOrCountry, own = false): ApiRequest => ({
  path: '/v1/region/altersstruktur',
  query: analysisQuery(place, own),
});

/** Units in operation by carrier, with their sum. @param own only units of the own portfolio */
export const stockRequest = (place: RegionOrCountry, own = false): ApiRequest => ({
  path: '/v1/aggregations',
  query: { groupBy: 'einheitTyp', betriebsStatus: IN_OPERATION, ...unitQuery(place, own) },
});

/** Units that count as large, from so many kW: fewer are built where the place is smaller. */
const LARGE_KILOWATTS = { country: 1000, bundesland: 1000, landkreis: 100, gemeinde: 30, plz: 30 } as const;

export const largeFrom = (place: RegionOrCountry): number => LARGE_KILOWATTS[place?.level ?? 'country'];

/** The filters of the newest large units, which the page of units understands as well. */
export const newestFilters = (place: RegionOrCountry, own = false): Readonly<Record<string, string>> => ({
  ...placeFilter(place, own),
  betriebsStatus: IN_OPERATION,
  leistungMinKw: String(largeFrom(place)),
  sort: 'inbetriebnahmedatum:desc',
});

export const newestRequest = (place: RegionOrCountry, limit: number, own = false): ApiRequest => ({
  path: '/v1/units',
  query: { ...newestFilters(place, own), limit },
});

/** Filters of the page of units for the units of a place in a state. */
export const statusFilters = (
  place: RegionOrCountry,
  betriebsStatus: string,
  own = false,
): Readonly<Record<string, string>> => ({
  ...placeFilter(place, own),
  betriebsStatus,
});

const placeFilter = (place: RegionOrCountry, own: boolean): Readonly<Record<string, string>> => ({
  ...(place === null ? {} : { [place.level]: place.value }),
  ...(own ? { portfolio: 'true' } : {}),
});
