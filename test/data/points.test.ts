import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { POINTS, pointOf, pointsTable } from '../../data/places/points.ts';
import { referenceMunicipalities } from '../../ingest/boundaries/municipalities.ts';
import { municipalityPoints } from '../../sql/register/municipality-points.ts';

/** The points of municipalities, at which units without published coordinates are counted. */

test('the committed table is made of the committed map', () => {
  expect(readFileSync(POINTS, 'utf8')).toBe(pointsTable());
});

test('each point lies in its municipality', () => {
  const map = referenceMunicipalities();
  // A point is rounded to ten metres.
  const outside = municipalityPoints().filter(
    ({ key, longitude, latitude }) => (map.distanceTo(key, longitude, latitude) ?? 1e9) > 10,
  );
  expect(outside).toEqual([]);
  expect(municipalityPoints().length).toBeGreaterThan(10_000);
});

test('a point lies in the widest part of an area, never in its hole or between its parts', () => {
  const square = (west: number, south: number, size: number) => [
    [west, south],
    [west + size, south],
    [west + size, south + size],
    [west, south + size],
  ];
  expect(pointOf([square(0, 0, 10)])).toEqual({ longitude: 5, latitude: 5 });
  expect(pointOf([square(0, 0, 10), square(3, 3, 4)])).toEqual({ longitude: 1.5, latitude: 5 });
  const { latitude } = pointOf([square(0, 0, 2.5), square(0, 7.5, 2.5)]);
  expect(latitude < 2.5 || latitude > 7.5).toBe(true);
});
