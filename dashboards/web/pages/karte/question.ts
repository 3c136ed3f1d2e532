import { CARRIERS, chosenCarriers } from '../../charts/carriers.ts';
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
  const carriers: Query = traeger.length === CARRIERS.length ? {} : { einheitTyp: traeger };
  const usual = year === null ? filtersOfKind(kind, asOf) : {};
  // A status that was chosen is the one that counts, for the whole as well.
  const status = filters.betriebsStatus === undefined ? {} : { betriebsStatus: filters.betriebsStatus };
  const own = Object.entries({ portfolioRelationType, portfolioExternalRef, portfolioCustomField });
  return {
    filters: {
      ...carriers,
      ...narrowed(usual, filters),
      ...(portfolio ? { portfolio } : {}),
      ...Object.fromEntries(own.filter(([, value]) => value !== '')),
    },
    whole: kind === 'anteil' ? { ...(choices.anteilAn === 'alle' ? {} : carriers), ...usual, ...status } : null,
    days: kind === 'zuwachs' ? daysOfPeriod(periodOf(choices, asOf)) : year === null ? [] : daysOfYears(asOf),
  };
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
  const whole =
    measure.kind !== 'anteil'
      ? null
      : choices.anteilAn === 'alle' || carriers === null
        ? say('von allen Anlagen', 'of all units')
        : say(`von allen Anlagen: ${carriers}`, `of all units: ${carriers}`);
  const counted = [measure.unit, countedBy(choices, measure, filters, asOf)].filter((part) => part !== null);
  return {
    title: `${measure.title}${status} ${say('nach', 'by')} ${LEVEL_NOUNS[level]}: ${place}${year === null ? '' : `, ${year}`}`,
    unit: [counted.join(', '), whole, whole === null ? carriers : null, ...words]
      .filter((part) => part !== null)
      .join('; '),
  };
}
