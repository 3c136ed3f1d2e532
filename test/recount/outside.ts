import { readFileSync } from 'node:fs';
import type { Position } from 'geojson';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';

/** A second way to what lies outside of its municipality: every side of every ring, of one point after the other. */

const REFERENCE = new URL('../../data/reference/', import.meta.url);
const text = (name: string): string => readFileSync(new URL(name, REFERENCE), 'utf8');
const pairs = (name: string) =>
  text(name)
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split(',') as [string, string]);

interface Drawn {
  readonly id: string;
  readonly name: string;
  /** Keys of today. */
  readonly keys: readonly string[];
  readonly rings: readonly Position[][];
  /** The least and the largest longitude, and latitude. */
  readonly box: readonly [readonly number[], readonly number[]];
}

const former = new Map(pairs('places/former-keys.csv'));
const today = (key: string): string => former.get(key) ?? key;

function drawn(): Drawn[] {
  const map = JSON.parse(text('boundaries/gemeinden.json')) as Topology;
  const { features } = feature(map, map.objects.gemeinden as GeometryCollection<{ name: string }>);
  const divided = pairs('boundaries/divided-areas.csv');
  return features.map(({ id, properties, geometry }) => {
    const rings = geometry.type === 'MultiPolygon' ? geometry.coordinates.flat() : [];
    const [xs, ys] = [rings.flat().map(([x = 0]) => x), rings.flat().map(([, y = 0]) => y)];
    return {
      id: String(id),
      name: properties.name,
      keys: [today(String(id)), ...divided.flatMap(([area, also]) => (area === id ? also : []))],
      rings,
      box: [
        [Math.min(...xs), Math.max(...xs)],
        [Math.min(...ys), Math.max(...ys)],
      ],
    };
  });
}

const DEGREE = 111_320;

function metres(rings: readonly Position[][], lon: number, lat: number): number {
  const scale = Math.cos((lat * Math.PI) / 180);
  let crossings = 0;
  let least = Number.POSITIVE_INFINITY;
  for (const ring of rings) {
    const [endX = 0, endY = 0] = ring.at(-1) ?? [];
    let [ax, ay] = [(endX - lon) * scale * DEGREE, (endY - lat) * DEGREE];
    for (const point of ring) {
      const bx = ((point[0] ?? 0) - lon) * scale * DEGREE;
      const by = ((point[1] ?? 0) - lat) * DEGREE;
      if (ay > 0 !== by > 0 && ax + (bx - ax) * (ay / (ay - by)) > 0) crossings += 1;
      const [dx, dy] = [bx - ax, by - ay];
      const along = Math.min(1, Math.max(0, -(ax * dx + ay * dy) / (dx * dx + dy * dy || 1)));
      least = Math.min(least, (ax + along * dx) ** 2 + (ay + along * dy) ** 2);
      [ax, ay] = [bx, by];
    }
  }
  return crossings % 2 === 1 ? 0 : Math.sqrt(least);
}

export interface Outside {
  /** To the municipality of the key, and to the nearest one, in whole metres; NaN of a key that no area has. */
  readonly own: number;
  readonly country: number;
  /** The names of the areas in which the point lies, with those of today that the map has. */
  readonly names: readonly string[];
  /** The keys of today of these areas. */
  readonly keys: readonly string[];
}

/** Tells of points by key, longitude and latitude. */
export function outsides(): (key: string, lon: number, lat: number) => Outside {
  const areas = drawn();
  const byKey = new Map<string, Drawn[]>();
  for (const area of areas) for (const key of area.keys) byKey.set(key, [...(byKey.get(key) ?? []), area]);
  const least = (among: readonly Drawn[], lon: number, lat: number): number =>
    Math.round(Math.min(...among.map(({ rings }) => metres(rings, lon, lat))));
  return (key, lon, lat) => {
    const mine = byKey.get(today(key)) ?? [];
    const own = mine.length === 0 ? Number.NaN : least(mine, lon, lat);
    if (own <= 500) return { own, country: 0, names: [], keys: [] };
    const there = areas.filter(
      ({ rings, box }) => isBetween(lon, box[0]) && isBetween(lat, box[1]) && metres(rings, lon, lat) === 0,
    );
    return {
      own,
      country: there.length > 0 ? 0 : least(areas, lon, lat),
      keys: there.flatMap(({ keys: [first] }) => first ?? []),
      names: there.flatMap(({ name, keys: [first] }) => [
        name,
        ...areas.flatMap((area) => (area.id === first ? area.name : [])),
      ]),
    };
  };
}

const isBetween = (value: number, values: readonly number[]): boolean =>
  value >= Math.min(...values) && value <= Math.max(...values);
