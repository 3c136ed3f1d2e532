import { readFileSync } from 'node:fs';
import type { MultiPolygon, Topology } from 'topojson-specification';
import { itemAt } from '../../runtime/present.ts';
import { splitCsv } from '../tables/csv.ts';
import { type Area, areaOf, distanceTo } from './area.ts';
import { atlasOf } from './atlas.ts';
import { linesOf } from './topology.ts';

/**
 * The municipalities of Germany as areas, by every key that they have or had. The map is older than the keys of today: an area of
 * it lies in the municipality to which its key leads, or in several where it was divided; a municipality consists of all areas that
 * lie in it.
 */
export interface Municipalities {
  /** The distance from a point to the municipality with a key, in metres, 0 in it; null for a key that the map does not have. */
  distanceTo(key: string, x: number, y: number): number | null;
  /** The municipality in which a point lies, or null. */
  at(x: number, y: number): Municipality | null;
  /** The distance from a point to the nearest municipality in metres, 0 in one. */
  toNearest(x: number, y: number): number;
}

interface Municipality {
  /** Official key of today. */
  readonly key: string;
  /** Its name of today, and of that part of it in which the point lies, as far as the map has them. */
  readonly names: readonly string[];
}

/** These lists lead from the keys of the map, and of the register, to those of today. */
export interface Keys {
  /** Of a key that is no longer given to a municipality, the key of today. */
  readonly former: ReadonlyMap<string, string>;
  /** Of a key whose area was divided, the further keys of today. */
  readonly divided: readonly (readonly [string, string])[];
}

export function municipalitiesOf(areas: readonly Area[], { former, divided }: Keys): Municipalities {
  const today = (key: string): string => former.get(key) ?? key;
  const parts = new Map<string, Set<Area>>();
  const add = (key: string, area: Area): void => {
    const there = parts.get(key);
    if (there === undefined) parts.set(key, new Set([area]));
    else there.add(area);
  };
  const byKey = new Map(areas.map((area) => [area.key, area]));
  for (const area of areas) add(today(area.key), area);
  for (const [key, further] of divided) {
    const area = byKey.get(key);
    if (area !== undefined) add(further, area);
  }
  const atlas = atlasOf(areas);
  return {
    distanceTo(key, x, y) {
      let least: number | null = null;
      for (const area of parts.get(today(key)) ?? []) {
        if (least === 0) break;
        least = Math.min(least ?? Number.POSITIVE_INFINITY, distanceTo(area, x, y));
      }
      return least;
    },
    at(x, y) {
      const area = atlas.at(x, y);
      if (area === null) return null;
      const key = today(area.key);
      return { key, names: [...new Set([area.name, byKey.get(key)?.name ?? area.name])] };
    },
    toNearest: atlas.toNearest,
  };
}

const REFERENCE = new URL('../../data/reference/', import.meta.url);

let ofProduct: Municipalities | null = null;

/** The municipalities of the product's map, and the keys that it knows: some 20 MB, which are read once. */
export function referenceMunicipalities(): Municipalities {
  ofProduct ??= municipalitiesOf(areasOfMap(), {
    former: new Map(pairsOf('places/former-keys.csv')),
    divided: pairsOf('boundaries/divided-areas.csv'),
  });
  return ofProduct;
}

/** The first two cells of each row below the header. */
const pairsOf = (file: string): (readonly [string, string])[] =>
  splitCsv(readFileSync(new URL(file, REFERENCE), 'utf8'))
    .slice(1)
    .map(({ cells: [first = '', second = ''] }) => [first, second]);

type MapOfMunicipalities = Topology<{
  gemeinden: { readonly type: 'GeometryCollection'; readonly geometries: MultiPolygon<{ readonly name: string }>[] };
}>;

function areasOfMap(): Area[] {
  const text = readFileSync(new URL('boundaries/gemeinden.json', REFERENCE), 'utf8');
  const map = JSON.parse(text) as MapOfMunicipalities;
  const lines = linesOf(map);
  return map.objects.gemeinden.geometries.map(({ id, properties, arcs }) => {
    // A line that is named by the complement of its place runs backwards.
    const own = arcs.flat(2).map((place) => itemAt(lines, place < 0 ? ~place : place));
    return areaOf(String(id), properties?.name ?? '', own);
  });
}
