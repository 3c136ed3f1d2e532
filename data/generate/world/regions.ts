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
  /** Power in GW: wind, ground-mounted solar, biomass, power stations, hydro. */
  readonly wind: number;
  readonly ground: number;
  readonly biomass: number;
  readonly stations: number;
  readonly hydro: number;
  /** Control zone. */
  readonly zone: number;
}

const HERTZ = 1000001;
const AMPRION = 1000010;
const TENNET = 1001564;
const TRANSNET = 1001572;

/** Federal states by unit id. */
export const STATES: ReadonlyMap<number, State> = new Map(
  readTable('states.csv').map(([state, name = '', actorId, zone, ...figures]) => {
    const [solar = 0, wind = 0, ground = 0, biomass = 0, stations = 0, hydro = 0] = figures.map(Number);
    const power = { solar, wind, ground, biomass, stations, hydro };
    return [Number(state), { name, actorId: Number(actorId), zone: Number(zone), ...power }];
  }),
);

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
  ground: cumulate((state) => state.ground),
  biomass: cumulate((state) => state.biomass),
  stations: cumulate((state) => state.stations),
  hydro: cumulate((state) => state.hydro),
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
