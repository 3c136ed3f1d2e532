import { CARRIERS } from '../../sql/catalogue/carriers.ts';
import { UNIT_FILTERS } from '../../sql/catalogue/unit-fields.ts';
import type { Condition } from '../../sql/query/conditions.ts';
import { conditionOn } from '../units/filters.ts';
import { calendarDay, decimal, oneWord, text } from '../wire/parameters.ts';

/** The filters of the older variant, and their names today. */

/** States of operation that have another name in the register; all others have the same. */
const STATUS_NAMES: Readonly<Record<string, string>> = { 'Endgültig stillgelegt': 'Stillgelegt' };

const STATUSES = ['In Betrieb', 'In Planung', 'Stillgelegt', 'Vorübergehend stillgelegt'] as const;

export const olderStatus = (status: string | null): string | null =>
  status === null ? null : (STATUS_NAMES[status] ?? status);

const registerStatus = (status: string): string =>
  Object.keys(STATUS_NAMES).find((name) => STATUS_NAMES[name] === status) ?? status;

export const carrierFilter = () => oneWord(CARRIERS).optional().describe('Energy carrier');
export const stateFilter = () => text().optional().describe('Federal state');

/** The filters of the list. */
export const filterParameters = {
  energyType: carrierFilter(),
  bundesland: stateFilter(),
  plz: text().optional().describe('Postal code or its beginning'),
  landkreis: text().optional().describe('District'),
  gemeinde: text().optional().describe('Municipality'),
  status: oneWord(STATUSES).optional().describe('State of operation'),
  inbetriebnahmeVon: calendarDay().optional().describe('First day of commissioning'),
  inbetriebnahmeBis: calendarDay().optional().describe('Last day of commissioning'),
  geplanteInbetriebnahmeVon: calendarDay().optional().describe('First planned day of commissioning'),
  geplanteInbetriebnahmeBis: calendarDay().optional().describe('Last planned day of commissioning'),
  leistungMin: decimal().optional().describe('Least gross capacity (kW)'),
  leistungMax: decimal().optional().describe('Greatest gross capacity (kW)'),
};

type Filters = { readonly [Name in keyof typeof filterParameters]?: string | number | undefined };

/** Filters that have another name today. */
const FILTER_NAMES: { readonly [Name in keyof Filters]?: string } = {
  energyType: 'einheitTyp',
  status: 'betriebsStatus',
  leistungMin: 'leistungMinKw',
  leistungMax: 'leistungMaxKw',
};

/** Makes conditions of the filters. */
export function olderConditions(query: Filters): Condition[] {
  const names = Object.keys(filterParameters) as (keyof Filters)[];
  return names.flatMap((name) => {
    const given = query[name];
    if (given === undefined) return [];
    const value = name === 'status' ? registerStatus(String(given)) : given;
    const entry = UNIT_FILTERS.get(FILTER_NAMES[name] ?? name);
    if (entry === undefined) throw new Error(`The catalogue has no filter for ${name}`);
    return [conditionOn(entry, entry.filter.compare === 'oneOf' ? [String(value)] : value)];
  });
}
