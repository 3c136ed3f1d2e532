import type { z } from 'zod';
import { edgesAcross, polygonsOf } from '../../sql/query/polygon.ts';
import { isOfTheCountry, isOutOfRange, MOST_DEGREES, RANGE } from './areas.ts';
import type { Notation } from './notation.ts';

/** Polygons of GeoJSON as a caller writes them: an object in a body, in a query its text. */

const MOST_POSITIONS = 1000;

/** Edges that a line from west to east meets on average: each point is compared with so many. */
const MOST_ACROSS = 64;

const FORM =
  'must be a Polygon or MultiPolygon of GeoJSON: {"type":"Polygon","coordinates":[[[9,48],[10,48],[10,49],[9,48]]]}';

const POSITIONS =
  'must have rings of positions: each is an array of two numbers, the longitude first, or three with the altitude';

type Schema = z.core.JSONSchema.JSONSchema;

type Position = readonly [longitude: number, latitude: number];

const arrayOf = (items: Schema, minItems = 1): Schema => ({ type: 'array', items, minItems });

const RINGS = arrayOf(arrayOf({ ...arrayOf({ type: 'number' }, 2), maxItems: 3 }, 4));

const geometry = (type: string, coordinates: Schema): Schema => ({
  type: 'object',
  required: ['type', 'coordinates'],
  properties: { type: { enum: [type] }, coordinates },
  additionalProperties: false,
});

/** @returns the text of a MultiPolygon, as conditions have it */
export const polygonParameter = (notation: Notation) =>
  notation.json(FORM, canonical, { anyOf: [geometry('Polygon', RINGS), geometry('MultiPolygon', arrayOf(RINGS))] });

function canonical(value: unknown): string | { readonly fault: string } {
  if (typeof value !== 'object' || value === null) return { fault: FORM };
  const { type, coordinates, ...others } = value as Readonly<Record<string, unknown>>;
  if (type === 'Feature' || type === 'FeatureCollection') {
    return { fault: `must be a geometry alone, not a ${type}: pass what its member geometry has` };
  }
  if (type !== 'Polygon' && type !== 'MultiPolygon') return { fault: FORM };
  const [other] = Object.keys(others);
  if (other !== undefined) return { fault: 'must have the members type and coordinates alone' };
  const polygons = type === 'Polygon' ? [coordinates] : coordinates;
  if (!isListOf(polygons, (rings) => isListOf(rings, (ring) => Array.isArray(ring)))) return { fault: POSITIONS };
  const rings = (polygons as unknown[][][]).flat();
  const count = rings.reduce((sum, ring) => sum + ring.length, 0);
  if (count > MOST_POSITIONS) {
    return { fault: `has ${count} positions; at most ${MOST_POSITIONS} are taken: simplify it` };
  }
  if (!rings.every((ring) => ring.every(isPosition))) return { fault: POSITIONS };
  const wrong = faultOf(rings as Position[][]) ?? faultOfHoles(polygons as Position[][][]);
  if (wrong !== null) return { fault: wrong };
  const text = JSON.stringify({
    type: 'MultiPolygon',
    coordinates: (polygons as Position[][][]).map((one) =>
      one.map((ring) => ring.map(([x, y]) => [x, y].map((degrees) => Number(degrees.toFixed(6))))),
    ),
  });
  const across = Math.max(...polygonsOf(text).map(edgesAcross));
  if (across <= MOST_ACROSS) return text;
  return {
    fault: `is too jagged: a line from west to east meets ${Math.ceil(across)} of its edges on average, and at most ${MOST_ACROSS} are taken; simplify it`,
  };
}

const isListOf = (value: unknown, isItem: (item: unknown) => boolean): boolean =>
  Array.isArray(value) && value.length > 0 && value.every(isItem);

/** A third number is the altitude, which counts for nothing (RFC 7946, 3.1.1). */
const isPosition = (value: unknown): value is Position =>
  Array.isArray(value) &&
  (value.length === 2 || value.length === 3) &&
  value.every((number) => Number.isFinite(number));

const widest = (values: readonly number[]): number => Math.max(...values) - Math.min(...values);

/** A hole beside its polygon would add units to it. */
function faultOfHoles(polygons: readonly (readonly (readonly Position[])[])[]): string | null {
  for (const [outer = [], ...holes] of polygons) {
    const [west, east] = [Math.min(...outer.map(([x]) => x)), Math.max(...outer.map(([x]) => x))];
    const [south, north] = [Math.min(...outer.map(([, y]) => y)), Math.max(...outer.map(([, y]) => y))];
    const outside = holes.flat().find(([x, y]) => x < west || x > east || y < south || y > north);
    if (outside !== undefined) {
      return `has a hole outside of its first ring, at ${JSON.stringify(outside)}: further areas are those of a MultiPolygon`;
    }
  }
  return null;
}

function faultOf(rings: readonly (readonly Position[])[]): string | null {
  const all = rings.flat();
  if (all.length > 0 && all.every(([x, y]) => isOfTheCountry(y, x))) {
    return 'has latitudes where longitudes belong: a position is [longitude, latitude]';
  }
  if (all.some(([x, y]) => isOutOfRange(x, y))) return RANGE;
  for (const ring of rings) {
    const [first, last] = [ring[0], ring.at(-1)];
    if (first === undefined || last === undefined || first[0] !== last[0] || first[1] !== last[1]) {
      return `has a ring that is not closed: its last position has to be its first, ${JSON.stringify(first ?? [])}`;
    }
    if (ring.length < 4)
      return `has a ring of ${ring.length} positions; a ring has at least 4, of which the last is the first`;
    if (widest(ring.map(([x]) => x)) === 0 || widest(ring.map(([, y]) => y)) === 0) {
      return `has a ring without area, which begins at ${JSON.stringify(first)}`;
    }
  }
  if (widest(all.map(([x]) => x)) <= MOST_DEGREES && widest(all.map(([, y]) => y)) <= MOST_DEGREES) return null;
  return `is larger than the country: at most ${MOST_DEGREES} degrees either way; leave it out for all units`;
}
