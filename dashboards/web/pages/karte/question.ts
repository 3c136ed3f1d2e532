import { CARRIERS, type Carrier, chosenCarriers } from '../../charts/carriers.ts';
import { day, monthsFrom } from '../../format/dates.ts';
import { say } from '../../format/language.ts';
import type { Query } from '../../v1/request.ts';
import { type AreaQuestion, LEVEL_NOUNS } from './load-areas.ts';
import { FIRST_MAP_YEAR, type MapChoices } from './map-choices.ts';
import { filtersOfKind, hasYears, MEASURE, type Measure } from './measures.ts';
import type { Scope } from './scope.ts';

/** What the choices of a map ask the interface, and what they are called. */

/** The days between which something has changed, the earlier first: the last twelve months unless others are chosen. */
export function periodOf({ von, bis }: MapChoices, asOf: string): { readonly von: string; readonly bis: string } {
  const last = bis ?? asOf;
  const first = von ?? monthsFrom(last, -12);
  return first <= last ? { von: first, bis: last } : { von: last, bis: first };
}

/** The year of the time line; null = the map shows today. */
export function yearOf({ jahr, wert }: MapChoices, asOf: string): number | null {
  if (jahr === null || !hasYears(MEASURE[wert])) return null;
  return Math.min(jahr, lastYear(asOf));
}

export const lastYear = (asOf: string): number => Number(asOf.slice(0, 4));

/** The last day of a year that the register knows. */
export const dayOfYear = (year: number, asOf: string): string => (year < lastYear(asOf) ? `${year}-12-31` : asOf);

/** @param asOf day of the register */
export function questionOf(choices: MapChoices, filters: Query, asOf: string): AreaQuestion {
  const { kind } = MEASURE[choices.wert];
  const year = yearOf(choices, asOf);
  const { portfolio, portfolioRelationType, portfolioExternalRef, portfolioCustomField, traeger } = choices;
  const usual = year === null ? filtersOfKind(kind, asOf) : {};
  // A status that was chosen is the one that counts, for the whole as well.
  const status = filters.betriebsStatus === undefined ? {} : { betriebsStatus: filters.betriebsStatus };
  const own = Object.entries({ portfolioRelationType, portfolioExternalRef, portfolioCustomField });
  return {
    filters: {
      ...carriersOf(traeger),
      ...narrowed(usual, filters),
      ...(portfolio ? { portfolio } : {}),
      ...Object.fromEntries(own.filter(([, value]) => value !== '')),
    },
    whole: kind === 'anteil' ? { ...carriersOf(wholeCarriers(choices, filters)), ...usual, ...status } : null,
    days: kind === 'zuwachs' ? daysOfPeriod(periodOf(choices, asOf)) : year === null ? [] : daysOfYears(asOf),
  };
}

const carriersOf = (carriers: readonly Carrier[]): Query =>
  carriers.length === CARRIERS.length ? {} : { einheitTyp: carriers };

/** Carriers whose units alone have what a filter looks at: its parameter begins so. */
const IMPLIED: readonly (readonly [start: RegExp, carrier: Carrier])[] = [
  [/^solar/, 'solar'],
  [/^wind/, 'wind'],
  [/^biomasse/, 'biomass'],
  [/^wasserkraft/, 'hydro'],
  [/^(speicher|pumpspeicher)/, 'storage'],
  [/^kernkraft/, 'nuclear'],
];

/** The carriers of the whole: those that are chosen, or while all are, the one that alone can meet the filters. */
export function wholeCarriers({ anteilAn, traeger }: MapChoices, filters: Query): readonly Carrier[] {
  if (anteilAn === 'alle') return CARRIERS;
  if (traeger.length < CARRIERS.length) return traeger;
  const implied = IMPLIED.filter(([start]) => Object.keys(filters).some((name) => start.test(name)));
  return implied.length === 0 ? CARRIERS : implied.map(([, carrier]) => carrier);
}

const daysOfPeriod = ({ von, bis }: { readonly von: string; readonly bis: string }): readonly string[] =>
  von === bis ? [von] : [von, bis];

/** One request has all years. */
const daysOfYears = (asOf: string): readonly string[] =>
  Array.from({ length: Math.max(1, lastYear(asOf) - FIRST_MAP_YEAR + 1) }, (_, index) =>
    dayOfYear(FIRST_MAP_YEAR + index, asOf),
  );

/** Filters stand in place of what a measure counts otherwise; days of commissioning meet in what both allow. */
function narrowed(usual: Query, filters: Query): Query {
  const bound = (name: string, pick: (one: string, other: string) => string): Query => {
    const [one, other] = [usual[name], filters[name]];
    return typeof one === 'string' && typeof other === 'string' ? { [name]: pick(one, other) } : {};
  };
  return {
    ...usual,
    ...filters,
    ...bound('inbetriebnahmeVon', (one, other) => (one > other ? one : other)),
    ...bound('inbetriebnahmeBis', (one, other) => (one < other ? one : other)),
  };
}

/** What the figures count, for the line beneath the title; null = it says itself. */
function countedBy(choices: MapChoices, measure: Measure, filters: Query, asOf: string): string | null {
  const year = yearOf(choices, asOf);
  if (measure.kind === 'zuwachs') {
    const { von, bis } = periodOf(choices, asOf);
    return say(`Bestand vom ${day(von)} bis zum ${day(bis)}`, `stock from ${day(von)} to ${day(bis)}`);
  }
  if (year !== null) return say(`Bestand am ${day(dayOfYear(year, asOf))}`, `stock on ${day(dayOfYear(year, asOf))}`);
  if (measure.kind === 'zubau')
    return say(
      'in den zwölf Monaten bis zum Stand in Betrieb genommen',
      'commissioned in the twelve months to the day of the data',
    );
  if (filters.betriebsStatus !== undefined) return null;
  return measure.kind === 'pipeline'
    ? say('Anlagen in Planung', 'units that are planned')
    : say('Anlagen in Betrieb', 'units in operation');
}

/** Title and unit of the figure. @param words the filters in words */
export function headingOf(
  choices: MapChoices,
  filters: Query,
  words: readonly string[],
  { level }: Scope,
  place: string,
  asOf: string,
): { readonly title: string; readonly unit: string } {
  const measure = MEASURE[choices.wert];
  const carriers = chosenCarriers(choices.traeger);
  const year = yearOf(choices, asOf);
  const isUsual = year === null && measure.kind === 'bestand' && measure.isPerPlace !== true;
  const status = isUsual && filters.betriebsStatus === undefined ? say(' in Betrieb', ' in operation') : '';
  const wholeName = chosenCarriers(wholeCarriers(choices, filters));
  const whole =
    measure.kind !== 'anteil'
      ? null
      : wholeName === null
        ? say('von allen Anlagen', 'of all units')
        : say(`von allen Anlagen: ${wholeName}`, `of all units: ${wholeName}`);
  // A share is nothing without what it is of.
  const part = carriers === wholeName || carriers === null ? words : [carriers, ...words];
  const name =
    whole === null || part.length === 0
      ? `${measure.title}${status}`
      : say(
          `Anteil von „${part.join(', ')}“ an ${wholeName ?? 'allen Anlagen'}`,
          `Share of “${part.join(', ')}” in ${wholeName ?? 'all units'}`,
        );
  const counted = [measure.unit, countedBy(choices, measure, filters, asOf)].filter((part) => part !== null);
  return {
    title: `${name} ${say('nach', 'by')} ${LEVEL_NOUNS[level]}: ${place}${year === null ? '' : `, ${year}`}`,
    unit: [counted.join(', '), whole, whole === null ? carriers : null, ...words]
      .filter((part) => part !== null)
      .join('; '),
  };
}
