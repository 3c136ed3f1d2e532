import { type RegionOrCountry, unitQuery } from '../../regions/region.ts';
import type { Criteria } from '../../v1/organisation-answers.ts';
import type { ApiRequest, Query } from '../../v1/request.ts';

/** Units of a page of the list. */
export const UNITS_OF_A_PAGE = 100;

export interface Chosen {
  readonly region: RegionOrCountry;
  /** Carrier, name of a grid operator, id of a rule; '' = all. */
  readonly traeger: string;
  readonly netzbetreiber: string;
  readonly regel: string;
  /** Units of the own portfolio alone. */
  readonly portfolio: boolean;
}

/** The filters of units that have been chosen, apart from the rule. */
export function filtersOf({ region, traeger, netzbetreiber, portfolio }: Chosen): Query {
  const { bundesland, ...place } = unitQuery(region);
  return {
    ...place,
    ...(bundesland === undefined ? {} : { bundesland: [String(bundesland)] }),
    ...(traeger === '' ? {} : { einheitTyp: [traeger] }),
    ...(netzbetreiber === '' ? {} : { netzbetreiber: [netzbetreiber] }),
    ...(portfolio ? { portfolio } : {}),
  };
}

const ruleOf = ({ regel }: Chosen): Query => (regel === '' ? { auffaellig: true } : { auffaelligkeit: [regel] });

/** The same units for an alert; the own portfolio is none of the register. */
export const criteriaOf = (chosen: Chosen): Criteria => ({
  ...filtersOf({ ...chosen, portfolio: false }),
  ...ruleOf(chosen),
});

/** The request for the units of the list, the largest first. @param fields that are compared, beside those of every row */
export const unitsRequest = (chosen: Chosen, fields: readonly string[]): ApiRequest => ({
  path: '/v1/units',
  query: {
    ...filtersOf(chosen),
    ...ruleOf(chosen),
    sort: 'bruttoleistungKw:desc',
    fields: [...new Set([...ALWAYS, ...fields])],
  },
});

const ALWAYS = [
  ...['mastrNummer', 'name', 'bruttoleistungKw', 'netzbetreiber', 'plz', 'ort', 'bundesland'],
  ...['auffaelligkeiten', 'vorschlag'],
];
