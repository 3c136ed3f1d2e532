import { UNIT_FILTERS } from '../../sql/catalogue/unit-fields.ts';
import type { Scope } from '../../sql/org/rights.ts';
import { isStorable } from '../wire/parameters.ts';
import { isDistrictOf, MAP_FILTERS, mapOf, questionsOf } from './map-requests.ts';
import { ANY, type Area, IN_OPERATION, LEVELS, listOf, type Place, type Rule } from './rules.ts';

/**
 * The views that a public link can show, and the requests that each needs. A link admits those and no others: it is the key
 * to one picture of the register, never to the interface. Whoever changes what a page asks changes it here, too;
 * test/dashboards/shares.test.ts opens every view through a link.
 */

/** A page with its choices, as its address has them. */
export interface View {
  readonly page: string;
  /** Without `?`. */
  readonly query: string;
}

/** Requests to one operation. Parameters that are not named may not be sent. */
export interface Admitted {
  /** Id of the operation. */
  readonly operation: string;
  readonly path?: Readonly<Record<string, string>>;
  /** Parameters that have to be sent. */
  readonly needs?: Readonly<Record<string, Rule>>;
  /** Parameters that have to be sent, and may be several times, each with one of these values. */
  readonly several?: Readonly<Record<string, readonly string[]>>;
  /** Parameters that may be sent: those that do not widen what is seen. */
  readonly may?: Readonly<Record<string, Rule>>;
}

/** The reason why an address is no view that can be shared. */
export interface ViewFault {
  readonly fault: string;
}

interface Page {
  /** Scopes of the operations: who shares a view must be able to see it. */
  readonly scopes: readonly Scope[];
  /** Names of the choices that the address may have. */
  readonly choices: readonly string[];
  /** Choices that a view keeps where the address has none: what it shows stays, whatever the page begins with later. */
  readonly usual?: Readonly<Record<string, string>>;
  admits(choices: URLSearchParams): readonly Admitted[] | ViewFault;
}

export function readPlace(text: string): Place | ViewFault {
  const [, level, value] = /^([a-z]+):(.+)$/.exec(text) ?? [];
  const known = LEVELS.find((name) => name === level);
  const isWritten = known === 'plz' ? /^\d{1,5}$/.test(value ?? '') : isStorable(value ?? '');
  return known === undefined || value === undefined || !isWritten
    ? { fault: 'names no place such as landkreis:09162' }
    : { level: known, value };
}

/** The one place of a view; null = the country. */
function placeOf(choices: URLSearchParams): Area | ViewFault {
  const text = choices.get('region');
  return text === null ? null : readPlace(text);
}

/** Compared places are no more than a page takes. */
const MOST_PLACES = 8;

/** Several places; one of them may be the country. */
export function placesIn(text: string): readonly (Area | ViewFault)[] {
  const all = text.split(/,(?=[a-z]+:|deutschland(?:,|$))/);
  if (all.length > MOST_PLACES) return [{ fault: `names more than ${MOST_PLACES} places` }];
  return all.map((one) => (one === 'deutschland' ? null : readPlace(one)));
}

/** Several filters of the list; those of the organisation's own data are none that a link may show. */
export function filtersIn(text: string): readonly Record<string, string>[] | ViewFault {
  const all = text.split(';').filter(Boolean);
  if (all.length > MOST_PLACES) return { fault: `names more than ${MOST_PLACES} filters` };
  const filters = all.map((one) => Object.fromEntries(new URLSearchParams(one)));
  const others = filters.flatMap((one) => Object.keys(one)).filter((name) => !UNIT_FILTERS.has(name));
  return others.length > 0 ? { fault: `has a series by ${others[0]}, which is no filter of the register` } : filters;
}

/** The places that Vergleich begins with. */
const EXAMPLE_PLACES = 'bundesland:Bayern,bundesland:Brandenburg,bundesland:Niedersachsen';

const isFault = <Value>(value: Value | ViewFault): value is ViewFault =>
  typeof value === 'object' && value !== null && 'fault' in value;

const atMost =
  (most: number) =>
  (value: string): boolean =>
    /^[1-9]\d{0,3}$/.test(value) && Number(value) <= most;

const analysis = (place: Area): Record<string, string> =>
  place === null ? {} : { ebene: place.level, region: place.value };
const filter = (place: Area): Record<string, string> => (place === null ? {} : { [place.level]: place.value });

/** The source and the day of what is shown stand beneath every figure. */
const DATASETS: Admitted = { operation: 'datasets.list' };

/** The filters of units, and what their values are called. */
const CATALOGUE: readonly Admitted[] = [
  { operation: 'units.fields' },
  { operation: 'reference.list' },
  { operation: 'reference.values', path: { set: 'signals' } },
];

const STATES: Admitted = { operation: 'reference.values', path: { set: 'bundesland' } };

/** Pages look up what a place is called, and whether there is such a place. */
function namesOf(place: Area): readonly Admitted[] {
  if (place === null) return [];
  const { level, value } = place;
  const name = value.replace(/, [^,]*$/, '');
  const asked = (set: string, q: string): Admitted => ({
    operation: 'reference.values',
    path: { set },
    needs: { q },
    may: { limit: atMost(100) },
  });
  return [
    ...[...new Set([value, name])].map((q) => asked(level, q)),
    ...(level === 'bundesland' ? [STATES] : []),
    ...(level === 'landkreis' ? [asked('gemeinde', `${value}000`)] : []),
    ...(level === 'gemeinde' ? [asked('landkreis', value.slice(0, 5))] : []),
  ];
}

/** The most rows of a list of the newest units. */
const NEWEST = 8;

/** The figures that Überblick and Region have of a place. */
const figuresOf = (place: Area): readonly Admitted[] => [
  ...namesOf(place),
  { operation: 'region.momentaufnahme', needs: { ...analysis(place), bis: ANY } },
  { operation: 'region.altersstruktur', needs: analysis(place) },
  { operation: 'region.zeitreihe', needs: { ...analysis(place), periode: 'monat', von: ANY, bis: ANY } },
  { operation: 'aggregations.show', needs: { ...filter(place), ...IN_OPERATION, groupBy: 'einheitTyp' } },
  {
    operation: 'units.list',
    needs: {
      ...filter(place),
      ...IN_OPERATION,
      leistungMinKw: ['30', '100', '1000'],
      sort: 'inbetriebnahmedatum:desc',
      limit: atMost(NEWEST),
    },
  },
];

const REGIONAL: readonly Scope[] = ['region:read', 'units:read', 'reference:read'];

/** Columns of the list of units unless others are chosen. */
const COLUMNS: readonly string[] = [
  ...['mastrNummer', 'name', 'einheitTyp', 'bruttoleistungKw', 'betriebsStatus', 'inbetriebnahmedatum'],
  ...['plz', 'ort', 'bundesland'],
];

const ROWS_OF_A_PAGE = 100;

/** The choices of a list of units that are not filters. */
const LIST_CHOICES: readonly string[] = ['sort', 'fields'];

export const SHARED_PAGES: Readonly<Record<string, Page>> = {
  ueberblick: {
    scopes: REGIONAL,
    choices: ['region', 'traeger'],
    admits(choices) {
      const place = placeOf(choices);
      return isFault(place) ? place : [DATASETS, ...figuresOf(place)];
    },
  },
  region: {
    scopes: REGIONAL,
    choices: ['region', 'vergleich', 'traeger'],
    admits(choices) {
      const compared = choices.get('vergleich');
      const places = [placeOf(choices), ...(compared === null ? [] : placesIn(compared))];
      const fault = places.find(isFault);
      if (fault !== undefined) return fault;
      // The country stands beside every place.
      return [DATASETS, STATES, ...[...places, null].flatMap((place) => figuresOf(place as Area))];
    },
  },
  vergleich: {
    scopes: ['region:read', 'units:read', 'reference:read'],
    choices: [
      ...['orte', 'reihe', 'wert', 'bezug', 'traeger', 'einzeln', 'periode', 'zeitraum', 'von', 'bis', 'form', 'ohne'],
      ...['filter', 'ohneFilter'],
    ],
    usual: { orte: EXAMPLE_PLACES },
    admits(choices) {
      const filters = filtersIn(choices.get('filter') ?? '');
      if (isFault(filters)) return filters;
      const places = placesIn(choices.get('orte') ?? '');
      const fault = places.find(isFault);
      if (fault !== undefined) return fault;
      const areas = [...places, null] as readonly Area[];
      const periode = choices.get('periode') ?? 'jahr';
      // Places of a level are asked for together.
      const asked = [...Map.groupBy(areas, (place) => place?.level)].map(([level, those]) => ({
        operation: 'region.zeitreihe',
        needs: { ...(level === undefined ? {} : { ebene: level }), periode },
        ...(level === undefined ? {} : { several: { region: those.flatMap((place) => place?.value ?? []) } }),
      }));
      const filtered = filters.map((needs) => ({
        operation: 'aggregations.zeitreihe',
        needs: { ...needs, periode },
      }));
      return [DATASETS, ...areas.flatMap(namesOf), ...asked, ...filtered, ...(filters.length > 0 ? CATALOGUE : [])];
    },
  },
  zeitreihe: {
    scopes: ['region:read', 'reference:read'],
    choices: [
      ...['region', 'zeitraum', 'von', 'bis', 'periode', 'wert', 'kumuliert', 'anordnung', 'traeger', 'reihen'],
    ],
    admits(choices) {
      const place = placeOf(choices);
      if (isFault(place)) return place;
      const series = { needs: analysis(place), may: { periode: ANY, von: ANY, bis: ANY, energietraeger: ANY } };
      return [DATASETS, ...namesOf(place), { operation: 'region.zeitreihe', ...series }];
    },
  },
  altersstruktur: {
    scopes: REGIONAL,
    choices: ['region', 'traeger', 'wert', 'pyramide'],
    admits(choices) {
      const place = placeOf(choices);
      if (isFault(place)) return place;
      const years = { ...filter(place), ...IN_OPERATION, groupBy: 'inbetriebnahmejahr' };
      return [
        DATASETS,
        ...namesOf(place),
        { operation: 'region.altersstruktur', needs: analysis(place), may: { energietraeger: ANY } },
        { operation: 'aggregations.show', needs: years, may: { einheitTyp: ANY } },
      ];
    },
  },
  karte: {
    scopes: ['units:read', 'reference:read'],
    choices: [
      ...['ebene', 'region', 'wert', 'traeger', 'anteilAn', 'von', 'bis', 'jahr', 'klassen', 'alle'],
      ...MAP_FILTERS,
    ],
    admits(choices) {
      const named = placeOf(choices);
      if (isFault(named)) return named;
      const { place, groupBy } = mapOf(named, choices.get('ebene') ?? 'landkreis');
      const areas = { ...filter(place), groupBy };
      const questions = questionsOf(choices);
      const isFiltered = MAP_FILTERS.some((name) => choices.has(name));
      return [
        DATASETS,
        ...namesOf(named),
        ...namesOf(place),
        ...(isFiltered ? CATALOGUE : []),
        ...questions.map((units) => ({ operation: 'aggregations.show', needs: { ...areas, ...units } })),
        // All municipalities of a state come district by district.
        ...(choices.get('alle') === 'ja' && place?.level === 'bundesland' && groupBy === 'gemeinde'
          ? questions.map((units) => ({
              operation: 'aggregations.show',
              needs: { groupBy, landkreis: isDistrictOf(place.value), ...units },
            }))
          : []),
        // Which municipalities there are, whatever stands in them.
        ...(place !== null && groupBy === 'gemeinde' ? [{ operation: 'aggregations.show', needs: areas }] : []),
      ];
    },
  },
  einheiten: {
    scopes: ['units:read', 'reference:read'],
    choices: [...UNIT_FILTERS.keys(), ...LIST_CHOICES],
    admits(choices) {
      const filters = Object.fromEntries([...choices].filter(([name]) => !LIST_CHOICES.includes(name)));
      const chosen = choices.get('fields');
      const columns = chosen === null ? COLUMNS : [...listOf(chosen), 'mastrNummer'];
      const areColumns = (names: readonly string[]): boolean =>
        names.length > 0 && names.every((name) => columns.includes(name));
      const isOrder = (text: string): boolean => areColumns(listOf(text).map((term) => term.replace(/:.*/, '')));
      const [level, ...others] = LEVELS.filter((name) => choices.has(name));
      const place = level === undefined || others.length > 0 ? null : { level, value: choices.get(level) ?? '' };
      return [
        DATASETS,
        ...namesOf(place),
        ...CATALOGUE,
        {
          operation: 'units.list',
          needs: { ...filters, fields: (text) => areColumns(listOf(text)), limit: atMost(ROWS_OF_A_PAGE) },
          // How far a cursor reaches is looked at when it is followed.
          may: { sort: (text) => text === choices.get('sort') || isOrder(text), cursor: ANY },
        },
      ];
    },
  },
  ausschreibungen: {
    scopes: ['ausschreibungen:read', 'reference:read'],
    choices: ['technologie'],
    admits: () => [DATASETS, { operation: 'ausschreibungen.list' }],
  },
};

/** The view of an address, as it is kept. */
export function viewOf(page: string, query: string): View {
  const choices = new URLSearchParams(query);
  const usual = Object.hasOwn(SHARED_PAGES, page) ? (SHARED_PAGES[page]?.usual ?? {}) : {};
  for (const [name, value] of Object.entries(usual)) if (!choices.has(name)) choices.set(name, value);
  return { page, query: choices.toString() };
}

/** Lists the requests that a view needs; or says why it is none that can be shared. */
export function admittedBy({ page, query }: View): readonly Admitted[] | ViewFault {
  const known = Object.hasOwn(SHARED_PAGES, page) ? SHARED_PAGES[page] : undefined;
  if (known === undefined) return { fault: `is about ${page}, which cannot be shared` };
  const choices = new URLSearchParams(query);
  const names = [...choices.keys()];
  const strange = names.find((name) => !known.choices.includes(name));
  if (strange !== undefined) return { fault: `has ${strange}, which is no choice of a page that can be shared` };
  if (new Set(names).size < names.length) return { fault: 'has a choice twice' };
  return known.admits(choices);
}

/** A request, as the router has found its operation. */
export interface AskedRequest {
  /** Id of the operation. */
  readonly operation: string;
  readonly path: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
}

export const isAdmitted = (request: AskedRequest, view: View): boolean => {
  const admitted = admittedBy(view);
  return !isFault(admitted) && admitted.some((one) => fits(request, one));
};

function fits(
  { operation, path, query }: AskedRequest,
  { needs = {}, may = {}, several = {}, ...admitted }: Admitted,
): boolean {
  if (operation !== admitted.operation) return false;
  const segments = admitted.path ?? {};
  if (!sameNames(path, segments) || Object.entries(path).some(([name, value]) => segments[name] !== value))
    return false;
  const names = [...query.keys()].filter((name) => !Object.hasOwn(several, name));
  // What is sent twice could be read in two ways.
  if (new Set(names).size < names.length) return false;
  const rules: Readonly<Record<string, Rule>> = { ...may, ...needs, ...several };
  return (
    Object.keys({ ...needs, ...several }).every((name) => query.has(name)) &&
    [...query].every(([name, value]) => Object.hasOwn(rules, name) && follows(value, rules[name]))
  );
}

const sameNames = (one: object, other: object): boolean => Object.keys(one).length === Object.keys(other).length;

function follows(value: string, rule: Rule | undefined): boolean {
  if (typeof rule === 'function') return rule(value);
  return typeof rule === 'string' ? value === rule : rule?.includes(value) === true;
}
