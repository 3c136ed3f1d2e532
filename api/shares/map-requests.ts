import { CARRIERS } from '../../sql/catalogue/carriers.ts';
import { UNIT_FILTERS } from '../../sql/catalogue/unit-fields.ts';
import { STATE_NAMES } from '../../sql/register/states.ts';
import { ANY, type Area, IN_OPERATION, listOf, type Rule } from './rules.ts';

/** What a map asks: which part of the country, and which units. */

/** The part of the country that a map shows, and by which areas: a municipality is shown in its district. */
export function mapOf(place: Area, level: string): { readonly place: Area; readonly groupBy: string } {
  if (place?.level === 'landkreis' || place?.level === 'gemeinde') {
    return { place: { level: 'landkreis', value: place.value.slice(0, 5) }, groupBy: 'gemeinde' };
  }
  if (place?.level !== 'bundesland') return { place: null, groupBy: level };
  return { place, groupBy: level === 'gemeinde' ? 'gemeinde' : 'landkreis' };
}

/** The units that count for a measure of the map, whose name begins with what it is made of. */
function counted(measure: string): Readonly<Record<string, Rule>> {
  if (measure.startsWith('zubau')) return { inbetriebnahmeVon: ANY, inbetriebnahmeBis: ANY };
  return measure === 'pipeline' ? { betriebsStatus: 'In Planung' } : IN_OPERATION;
}

/** Filters of units that are choices of the map: carriers and places have others. */
export const MAP_FILTERS: readonly string[] = [...UNIT_FILTERS.keys()].filter(
  (name) => !['einheitTyp', 'bundesland', 'landkreis', 'gemeinde'].includes(name),
);

/** Years from 1990 on. */
const MOST_YEARS = 60;

/** The units of a map, the units of which they are a share, and the days whose stock is shown. */
export function questionsOf(choices: URLSearchParams): readonly Readonly<Record<string, Rule>>[] {
  const measure = choices.get('wert') ?? 'leistung';
  const filters = Object.fromEntries([...choices].filter(([name]) => MAP_FILTERS.includes(name)));
  const [isChange, isShare] = [measure.startsWith('zuwachs'), measure.startsWith('anteil')];
  const isStock = isChange || (choices.has('jahr') && !/^(zubau|pipeline)/.test(measure));
  const most = isChange ? 2 : MOST_YEARS;
  const days = isStock ? { bestandAm: (text: string) => listOf(text).length <= most } : {};
  const usual = isStock ? {} : counted(measure);
  const status = choices.get('betriebsStatus');
  const carriers = carriersOf(choices);
  const part = { ...carriers, ...filters, ...usual, ...(status === null ? {} : { betriebsStatus: status }), ...days };
  if (!isShare) return [part];
  const chosen = choices.has('traeger') ? carriers : impliedBy(Object.keys(filters));
  const whole = { ...(choices.get('anteilAn') === 'alle' ? {} : chosen), ...usual, ...days };
  return [part, { ...whole, ...(status === null ? {} : { betriebsStatus: status }) }];
}

/** Filters that units of one carrier alone can meet begin so: where none is chosen, theirs is the whole of a share. */
const IMPLIED: readonly (readonly [start: RegExp, carrier: string])[] = [
  [/^solar/, 'solar'],
  [/^wind/, 'wind'],
  [/^biomasse/, 'biomass'],
  [/^wasserkraft/, 'hydro'],
  [/^(speicher|pumpspeicher)/, 'storage'],
  [/^kernkraft/, 'nuclear'],
];

function impliedBy(filters: readonly string[]): Readonly<Record<string, Rule>> {
  const implied = IMPLIED.filter(([start]) => filters.some((name) => start.test(name))).map(([, carrier]) => carrier);
  return implied.length === 0
    ? {}
    : { einheitTyp: (text) => listOf(text).toSorted().join() === implied.toSorted().join() };
}

/** Keys of districts begin with that of their state. */
export const isDistrictOf =
  (state: string) =>
  (key: string): boolean =>
    /^\d{5}$/.test(key) && STATE_NAMES[key.slice(0, 2)] === state;

/** The filter for the carriers that a map shows; all of them are none. */
function carriersOf(choices: URLSearchParams): Readonly<Record<string, Rule>> {
  const chosen = choices.get('traeger')?.split(',') ?? CARRIERS;
  if (CARRIERS.every((carrier) => chosen.includes(carrier))) return {};
  return { einheitTyp: (text) => listOf(text).toSorted().join() === [...new Set(chosen)].sort().join() };
}
