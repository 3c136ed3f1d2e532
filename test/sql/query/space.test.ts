import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { openDuckdbTables } from '../../../api/warehouse/duckdb/version.ts';
import type { VersionBeside } from '../../../api/warehouse/version.ts';
import { UNIT_FILTERS } from '../../../sql/catalogue/unit-fields.ts';
import type { Condition } from '../../../sql/query/conditions.ts';
import { dimensionNamed } from '../../../sql/query/dimensions.ts';
import { groupRow, groupStatement } from '../../../sql/query/groups.ts';
import { totalStatement } from '../../../sql/query/units.ts';
import { municipalityPoints } from '../../../sql/register/municipality-points.ts';
import { currentPublication, versionFile } from '../../../sql/warehouse/versions.ts';
import { publishSample } from '../../support/built.ts';
import { cases } from '../../support/cases.ts';
import { makeProjectionsEarlier } from '../../support/earlier-projections.ts';
import { temporaryFolder } from '../../support/fixture.ts';

/** Any part of the map has the units that plain code finds there, whatever table they are read from. */

const TODAY = '2026-11-23';
const LIMITS = { threads: 1, memoryMb: 200 };
const METER = { statementEnded: () => {}, unitsRead: () => {} };

const folder = temporaryFolder();
let now: VersionBeside;
let earlier: VersionBeside;

/** Where each unit lies that lies somewhere. */
interface Placed {
  readonly carrier: string;
  readonly state: string | null;
  readonly kw: number | null;
  readonly own: boolean;
  readonly longitude: number;
  readonly latitude: number;
}
let units: Placed[];

beforeAll(async () => {
  await publishSample(folder.path);
  const file = versionFile(folder.path, currentPublication(folder.path)!.version);
  const copy = join(folder.path, 'earlier.duckdb');
  copyFileSync(file, copy);
  await makeProjectionsEarlier(copy);
  now = await openDuckdbTables(file, LIMITS, METER, 1);
  earlier = await openDuckdbTables(copy, LIMITS, METER, 1);
  units = await placedUnits();
});
afterAll(() => {
  now?.close();
  earlier?.close();
  folder.remove();
});

async function placedUnits(): Promise<Placed[]> {
  const points = new Map(municipalityPoints().map((point) => [point.key, point]));
  const shape = z.object({
    ...{ carrier: z.string(), state: z.string().nullable(), kw: z.number().nullable() },
    ...{ longitude: z.number().nullable(), latitude: z.number().nullable(), key: z.string().nullable() },
  });
  const text = `SELECT einheitTyp AS carrier, units.bundesland AS state, CAST(bruttoleistungKw AS DOUBLE) AS kw,
      CAST(longitude AS DOUBLE) AS longitude, CAST(latitude AS DOUBLE) AS latitude, gebiete.ort AS key
    FROM units LEFT JOIN gebiete ON gebiete.ebene = 'gemeinde' AND gebiete.gebiet = units.gemeindegebiet`;
  return (await now.query(shape, { text, values: {} })).flatMap((unit) => {
    const { longitude, latitude } = unit.latitude === null ? (points.get(unit.key ?? '') ?? unit) : unit;
    return longitude === null || latitude === null
      ? []
      : [{ ...unit, own: unit.latitude !== null, longitude, latitude }];
  });
}

/** Kilometres, by the angle between two vectors: another way than the statement's. */
function kilometres(one: Placed, longitude: number, latitude: number): number {
  const vector = (x: number, y: number) => {
    const [a, b] = [(x * Math.PI) / 180, (y * Math.PI) / 180];
    return [Math.cos(b) * Math.cos(a), Math.cos(b) * Math.sin(a), Math.sin(b)] as const;
  };
  const [from, to] = [vector(one.longitude, one.latitude), vector(longitude, latitude)];
  return 2 * 6371.0088 * Math.asin(Math.hypot(from[0] - to[0], from[1] - to[1], from[2] - to[2]) / 2);
}

const condition = (name: string, value: Condition['value']): Condition => ({ ...UNIT_FILTERS.get(name)!, value });

/** The number of units, and figures of their groups, as a version answers. */
async function answered(version: VersionBeside, conditions: readonly Condition[]) {
  const { projections } = version.dialects;
  const totals = await version.query(
    z.object({ total: z.number() }),
    totalStatement({ conditions, today: TODAY }, projections),
  );
  const dimension = dimensionNamed('bundesland');
  const request = { conditions, today: TODAY, dimension, ids: [], limit: 50 };
  const groups = await version.query(groupRow, groupStatement(request, projections));
  return {
    total: totals[0]!.total,
    groups: groups
      .map(({ key, count, kw }) => [key, count, kw] as const)
      .sort((a, b) => (String(a) < String(b) ? -1 : 1)),
  };
}

function expected(found: readonly Placed[]) {
  const groups = [...Map.groupBy(found, ({ state }) => state)].map(
    ([key, of]) => [key, of.length, of.reduce((sum, { kw }) => sum + Math.round((kw ?? 0) * 1000), 0) / 1000] as const,
  );
  return { total: found.length, groups: groups.sort((a, b) => (String(a) < String(b) ? -1 : 1)) };
}

/** What else is asked: nothing, or in a way that needs another table. */
const others = fc.constantFrom<readonly [Condition[], (unit: Placed) => boolean]>(
  [[], () => true],
  [[condition('einheitTyp', ['solar', 'wind'])], ({ carrier }) => carrier === 'solar' || carrier === 'wind'],
  [[condition('leistungMinKw', 20)], ({ kw }) => kw !== null && kw >= 20],
  [[condition('hatKoordinaten', true)], ({ own }) => own],
  [[condition('hatKoordinaten', false)], ({ own }) => !own],
);

const longitudes = fc.double({ min: 5.5, max: 15.5, noNaN: true }).map((degrees) => Number(degrees.toFixed(7)));
const latitudes = fc.double({ min: 47, max: 55.5, noNaN: true }).map((degrees) => Number(degrees.toFixed(7)));

async function expectUnits(conditions: readonly Condition[], found: readonly Placed[]): Promise<void> {
  const right = expected(found);
  for (const version of [now, earlier]) expect(await answered(version, conditions)).toEqual(right);
}

test('a rectangle has the units with coordinates, or the municipalities, between its sides', async () => {
  await fc.assert(
    fc.asyncProperty(longitudes, latitudes, longitudes, latitudes, others, async (x1, y1, x2, y2, [also, holds]) => {
      const [west, south, east, north] = [Math.min(x1, x2), Math.min(y1, y2), Math.max(x1, x2), Math.max(y1, y2)];
      const found = units.filter(
        (unit) =>
          holds(unit) &&
          unit.longitude >= west &&
          unit.longitude <= east &&
          unit.latitude >= south &&
          unit.latitude <= north,
      );
      await expectUnits([condition('bbox', [west, south, east, north].join()), ...also], found);
    }),
    { numRuns: cases(15) },
  );
});

test('a circle has those that are no further away than its radius', async () => {
  const radii = fc.oneof(fc.double({ min: 0.5, max: 200, noNaN: true }), fc.constantFrom(200, 1, 25));
  await fc.assert(
    fc.asyncProperty(longitudes, latitudes, radii, others, async (longitude, latitude, radius, [also, holds]) => {
      const km = Number(radius.toFixed(3));
      const found = units.filter((unit) => holds(unit) && kilometres(unit, longitude, latitude) <= km);
      await expectUnits([condition('umkreis', [longitude, latitude, km].join()), ...also], found);
    }),
    { numRuns: cases(15) },
  );
});

test('of two parts of the map, units lie in both', async () => {
  const found = units.filter(
    (unit) =>
      unit.longitude >= 9 &&
      unit.longitude <= 12 &&
      unit.latitude >= 48 &&
      unit.latitude <= 52 &&
      kilometres(unit, 10, 50) <= 150,
  );
  expect(found.length).toBeGreaterThan(0);
  await expectUnits([condition('bbox', '9,48,12,52'), condition('umkreis', '10,50,150')], found);
});

type Ring = readonly (readonly [longitude: number, latitude: number])[];

const polygon = (...polygons: readonly (readonly Ring[])[]): Condition =>
  condition('polygon', JSON.stringify({ type: 'MultiPolygon', coordinates: polygons }));

const closed = (ring: Ring): Ring => [...ring, ring[0]!];

/** By a line northwards, where the statement's goes eastwards. */
function isInside(rings: readonly Ring[], { longitude, latitude }: Placed): boolean {
  const whole = (degrees: number) => Math.round(degrees * 1e6);
  const [x, y] = [whole(longitude), whole(latitude)];
  let crossed = 0;
  for (const ring of rings) {
    for (const [index, to] of ring.slice(1).entries()) {
      const [[x1, y1], [x2, y2]] = [ring[index]!.map(whole), to.map(whole)] as [[number, number], [number, number]];
      const side = (x2 - x1) * (y - y1) - (y2 - y1) * (x - x1);
      const between = (one: number, a: number, b: number) => one >= Math.min(a, b) && one <= Math.max(a, b);
      if (side === 0 && between(x, x1, x2) && between(y, y1, y2)) return true;
      if (x1 > x !== x2 > x && side < 0 === x2 > x1) crossed += 1;
    }
  }
  return crossed % 2 === 1;
}

const sixDecimals = (degrees: number): number => Number(degrees.toFixed(6));
const positions = fc.tuple(longitudes.map(sixDecimals), latitudes.map(sixDecimals));

test('a polygon with the corners of a rectangle has the units of the rectangle, edges included', async () => {
  const onEdge = units.find(({ own }) => own)!;
  const corners = fc.oneof(positions, fc.constant([onEdge.longitude, onEdge.latitude] as [number, number]));
  await fc.assert(
    fc.asyncProperty(corners, positions, fc.boolean(), others, async ([x1, y1], [x2, y2], turned, [also]) => {
      fc.pre(x1 !== x2 && y1 !== y2);
      const [west, south, east, north] = [Math.min(x1, x2), Math.min(y1, y2), Math.max(x1, x2), Math.max(y1, y2)];
      const ring: Ring = closed([
        [west, south],
        [east, south],
        [east, north],
        [west, north],
      ]);
      const box = [condition('bbox', [west, south, east, north].join()), ...also];
      for (const version of [now, earlier])
        expect(await answered(version, [polygon([turned ? ring.toReversed() : ring]), ...also])).toEqual(
          await answered(version, box),
        );
    }),
    { numRuns: cases(15) },
  );
});

test('polygons have the units in an odd number of turns of a ring, or on an edge', async () => {
  const rings = fc.array(positions, { minLength: 3, maxLength: 12 }).map(closed);
  const several = fc.array(fc.array(rings, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(several, others, async (polygons, [also, holds]) => {
      const found = units.filter((unit) => holds(unit) && polygons.some((one) => isInside(one, unit)));
      await expectUnits([polygon(...polygons), ...also], found);
    }),
    { numRuns: cases(20) },
  );
});
