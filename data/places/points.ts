import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import type { MultiPolygon, Position } from 'geojson';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';

/**
 * A point of each municipality, at which units without published coordinates are counted: on the widest part of a line through the
 * middle of its area, so that it never lies outside, as the centre of gravity may.
 */

const REFERENCE = new URL('../reference/', import.meta.url);

export const POINTS = new URL('places/punkte.csv', REFERENCE);

type Rings = readonly (readonly Position[])[];

interface Point {
  readonly longitude: number;
  readonly latitude: number;
}

/** The lines that are tried, as shares of the height: in an area of several parts, the first may meet none. */
const SHARES = [0.5, 0.3, 0.7, 0.2, 0.8, 0.1, 0.9, 0.05, 0.95];

/** @param rings of areas that make up the municipality: what two of them have in common is no border */
export function pointOf(rings: Rings): Point {
  const latitudes = rings.flat().map(([, y = 0]) => y);
  const south = latitudes.reduce((least, y) => Math.min(least, y));
  const north = latitudes.reduce((most, y) => Math.max(most, y));
  for (const share of SHARES) {
    const latitude = south + share * (north - south);
    const crossings = crossingsOf(rings, latitude);
    let widest: readonly [number, number] | null = null;
    for (let at = 0; at + 1 < crossings.length; at += 2) {
      const [west = 0, east = 0] = crossings.slice(at, at + 2);
      if (widest === null || east - west > widest[1] - widest[0]) widest = [west, east];
    }
    if (widest !== null && widest[1] > widest[0]) {
      return { longitude: rounded((widest[0] + widest[1]) / 2), latitude: rounded(latitude) };
    }
  }
  throw new Error('No line meets the area');
}

/** Where the border crosses a line of latitude, from west to east: the area lies between each first and second. */
const crossingsOf = (rings: Rings, latitude: number): number[] =>
  rings
    .flatMap((ring) =>
      ring.flatMap(([x1 = 0, y1 = 0], at) => {
        const [x2 = 0, y2 = 0] = ring[(at + 1) % ring.length] ?? [];
        return y1 > latitude === y2 > latitude ? [] : [x1 + ((latitude - y1) * (x2 - x1)) / (y2 - y1)];
      }),
    )
    .sort((one, other) => one - other);

/** About ten metres. */
const rounded = (degrees: number): number => Math.round(degrees * 1e4) / 1e4;

const rowsOf = (file: string): string[][] => parse(readFileSync(new URL(file, REFERENCE)), { from_line: 2 });

type Boundaries = Topology<{ gemeinden: GeometryCollection }>;

/** The points by the keys of today that the map has, as the lines of a table. */
export function pointsTable(): string {
  const map = JSON.parse(readFileSync(new URL('boundaries/gemeinden.json', REFERENCE), 'utf8')) as Boundaries;
  const rings = new Map(
    feature(map, map.objects.gemeinden).features.map(({ id, geometry }) => [
      String(id),
      (geometry as MultiPolygon).coordinates.flat(),
    ]),
  );
  const former = new Map(rowsOf('places/former-keys.csv').map(([key = '', today = '']) => [key, today]));
  const divided = rowsOf('boundaries/divided-areas.csv');
  const parts = [...rings.keys()].map((key) => [former.get(key) ?? key, key] as const);
  const further = divided.map(([area = '', also = '']) => [also, area] as const).filter(([, area]) => rings.has(area));
  const areas = Map.groupBy([...parts, ...further], ([today]) => today);
  const lines = [...areas]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, of]) => {
      const { longitude, latitude } = pointOf(of.flatMap(([, area]) => rings.get(area) ?? []));
      return `${key},${longitude},${latitude}\n`;
    });
  return `schluessel,laenge,breite\n${lines.join('')}`;
}
