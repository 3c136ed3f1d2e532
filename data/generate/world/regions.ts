/** Municipalities, how frequent units of a carrier are in them, and the grid areas to which they belong. */

import { entryOf, itemAt } from '../../../runtime/present.ts';
import { readTable } from './csv.ts';
import { escapeText } from './text.ts';

export interface Region {
  /** Federal state in the list of the units (1400 …). */
  readonly state: number;
  /** Federal state in the list of actors and grids (332 …); 0 at sea. */
  readonly actorState: number;
  readonly district: string;
  readonly municipality: string;
  readonly key: string;
  readonly postcode: string;
  readonly town: string;
  /** Degrees WGS 84, middle of the municipality. */
  readonly longitude: number;
  readonly latitude: number;
  /** Index of the distribution grid (one per district). */
  readonly grid: number;
  /** Elements Land to Postleitzahl of a unit. */
  readonly head: string;
  /** Element Ort of a unit. */
  readonly place: string;
}

interface State {
  readonly name: string;
  readonly actorId: number;
  /** Thousand solar and storage units. */
  readonly solar: number;
  /** Wind units. */
  readonly wind: number;
  /** Control zone. */
  readonly zone: number;
}

const HERTZ = 1000001;
const AMPRION = 1000010;
const TENNET = 1001564;
const TRANSNET = 1001572;

/** Federal states by unit id; numbers of units rounded from the register. */
export const STATES: ReadonlyMap<number, State> = new Map([
  [1400, { name: 'Brandenburg', actorId: 332, solar: 230, wind: 4100, zone: HERTZ }],
  [1401, { name: 'Berlin', actorId: 333, solar: 60, wind: 8, zone: HERTZ }],
  [1402, { name: 'Baden-Württemberg', actorId: 334, solar: 1060, wind: 820, zone: TRANSNET }],
  [1403, { name: 'Bayern', actorId: 335, solar: 1330, wind: 1250, zone: TENNET }],
  [1404, { name: 'Bremen', actorId: 336, solar: 22, wind: 95, zone: TENNET }],
  [1405, { name: 'Hessen', actorId: 337, solar: 490, wind: 1250, zone: TENNET }],
  [1406, { name: 'Hamburg', actorId: 338, solar: 32, wind: 70, zone: HERTZ }],
  [1407, { name: 'Mecklenburg-Vorpommern', actorId: 339, solar: 130, wind: 1950, zone: HERTZ }],
  [1408, { name: 'Niedersachsen', actorId: 340, solar: 780, wind: 6400, zone: TENNET }],
  [1409, { name: 'Nordrhein-Westfalen', actorId: 341, solar: 1270, wind: 4000, zone: AMPRION }],
  [1410, { name: 'Rheinland-Pfalz', actorId: 342, solar: 420, wind: 1850, zone: AMPRION }],
  [1411, { name: 'Schleswig-Holstein', actorId: 343, solar: 250, wind: 3350, zone: TENNET }],
  [1412, { name: 'Saarland', actorId: 344, solar: 100, wind: 220, zone: AMPRION }],
  [1413, { name: 'Sachsen', actorId: 345, solar: 240, wind: 900, zone: HERTZ }],
  [1414, { name: 'Sachsen-Anhalt', actorId: 346, solar: 170, wind: 2850, zone: HERTZ }],
  [1415, { name: 'Thüringen', actorId: 347, solar: 160, wind: 900, zone: HERTZ }],
  [1416, { name: 'Ausschließliche Wirtschaftszone', actorId: 0, solar: 0, wind: 1650, zone: TENNET }],
]);

const SEA = 1416;

export const REGIONS: readonly Region[] = readRegions();

/** Names of the distribution grids: one per district, by index. The waters have none. */
export const GRIDS: readonly { readonly district: string; readonly region: Region }[] = gridsOf(REGIONS);

function readRegions(): Region[] {
  const gridOf = new Map<string, number>();
  return readTable('regions.csv').map((row) => {
    const [state = '', district = '', municipality = '', key = '', postcode = '', town = '', lon = '', lat = ''] = row;
    const area = key.slice(0, 5);
    if (area !== '' && !gridOf.has(area)) gridOf.set(area, gridOf.size);
    const inland =
      key === ''
        ? ''
        : `<Landkreis>${escapeText(district)}</Landkreis><Gemeinde>${escapeText(municipality)}</Gemeinde>` +
          `<Gemeindeschluessel>${key}</Gemeindeschluessel><Postleitzahl>${postcode}</Postleitzahl>`;
    return {
      state: Number(state),
      actorState: entryOf(STATES, Number(state)).actorId,
      district,
      municipality,
      key,
      postcode,
      town,
      longitude: Number(lon),
      latitude: Number(lat),
      grid: gridOf.get(area) ?? -1,
      head: `<Land>84</Land><Bundesland>${state}</Bundesland>${inland}`,
      place: key === '' ? '' : `<Ort>${escapeText(town)}</Ort>`,
    };
  });
}

function gridsOf(regions: readonly Region[]): { district: string; region: Region }[] {
  const grids: { district: string; region: Region }[] = [];
  for (const region of regions) {
    if (region.grid >= 0) grids[region.grid] ??= { district: region.district, region };
  }
  return grids;
}

/** Cumulated weights of all regions for one kind of unit. */
function cumulate(weightOf: (state: State, region: Region) => number): Float64Array {
  const weights = readTable('regions.csv').map((row) => Number(row[8]));
  const perState = new Map<number, number>();
  const raw = REGIONS.map((region, i) => {
    const weight = itemAt(weights, i) * (weightOf(entryOf(STATES, region.state), region) > 0 ? 1 : 0);
    perState.set(region.state, (perState.get(region.state) ?? 0) + weight);
    return weight;
  });
  const cumulated = new Float64Array(raw.length);
  let sum = 0;
  for (let i = 0; i < raw.length; i++) {
    const region = itemAt(REGIONS, i);
    const total = entryOf(perState, region.state);
    if (total > 0) sum += (weightOf(entryOf(STATES, region.state), region) * itemAt(raw, i)) / total;
    cumulated[i] = sum;
  }
  return cumulated;
}

/** Independent towns, whose district and municipality have the same name. They have few wind turbines. */
const rural = (region: Region): boolean => region.district !== region.municipality;

const WEIGHTS = {
  solar: cumulate((state) => state.solar),
  wind: cumulate((state, region) => (region.state === SEA ? 0 : rural(region) ? state.wind : state.wind / 12)),
  sea: cumulate((state, region) => (region.state === SEA ? state.wind : 0)),
};

export type Spread = keyof typeof WEIGHTS;

/** Region for a uniform number in [0, 1). */
export function regionFor(spread: Spread, u: number): Region {
  const cumulated = WEIGHTS[spread];
  const target = u * itemAt(cumulated, cumulated.length - 1);
  let low = 0;
  let high = cumulated.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (itemAt(cumulated, middle) > target) high = middle;
    else low = middle + 1;
  }
  return itemAt(REGIONS, low);
}

/** Control zone of a region. */
export function zoneOf(region: Region): number {
  if (region.state === SEA && region.longitude > 12) return HERTZ;
  return entryOf(STATES, region.state).zone;
}

/** The four transmission zones in the order of their grids. */
export const ZONES: readonly { readonly id: number; readonly name: string }[] = [
  { id: HERTZ, name: '50Hertz' },
  { id: AMPRION, name: 'Amprion' },
  { id: TENNET, name: 'TenneT' },
  { id: TRANSNET, name: 'TransnetBW' },
];
