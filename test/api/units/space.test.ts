import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectProblem } from '../../support/requests.ts';
import type { Unit } from '../aggregations/naive.ts';
import { type Sample, servedSample } from '../aggregations/served-sample.ts';

/** Units in a part of the map, compared with plain code: those with coordinates by these, all others by the point of their municipality. */

let sample: Sample;
beforeAll(async () => {
  sample = await servedSample();
});
afterAll(() => sample?.stop());

const rowsOf = (file: string): Record<string, string>[] =>
  parse(readFileSync(new URL(`../../../data/reference/places/${file}`, import.meta.url)), { columns: true });

const former = new Map(rowsOf('former-keys.csv').map((row) => [row.old_ags!, row.current_ags!]));
const points = new Map(
  rowsOf('punkte.csv').map(({ schluessel, laenge, breite }) => [
    schluessel!,
    [Number(laenge), Number(breite)] as const,
  ]),
);

/** Where a unit lies, and whether it says so itself. */
function placeOf(unit: Unit): { readonly own: boolean; readonly point: readonly [number, number] } | null {
  if (unit.latitude !== null) return { own: true, point: [Number(unit.longitude), Number(unit.latitude)] };
  const key = sample.placeOfUnit.get('gemeinde')!.get(unit)?.schluessel ?? '';
  const point = points.get(former.get(key) ?? key);
  return point === undefined ? null : { own: false, point };
}

/** Kilometres by the angle between two vectors: another way than the statement's. */
function kilometres([x1, y1]: readonly [number, number], [x2, y2]: readonly [number, number]): number {
  const vector = (x: number, y: number) => {
    const [a, b] = [(x * Math.PI) / 180, (y * Math.PI) / 180];
    return [Math.cos(b) * Math.cos(a), Math.cos(b) * Math.sin(a), Math.sin(b)] as const;
  };
  const [one, other] = [vector(x1, y1), vector(x2, y2)];
  const chord = Math.hypot(one[0] - other[0], one[1] - other[1], one[2] - other[2]);
  return 2 * 6371.0088 * Math.asin(chord / 2);
}

const inBox =
  (west: number, south: number, east: number, north: number) =>
  ([x, y]: readonly [number, number]): boolean =>
    x >= west && x <= east && y >= south && y <= north;

const inCircle =
  (longitude: number, latitude: number, km: number) =>
  (point: readonly [number, number]): boolean =>
    kilometres(point, [longitude, latitude]) <= km;

const AREAS = [
  ['bbox', '11.3,48,11.8,48.3', inBox(11.3, 48, 11.8, 48.3)],
  ['bbox', '5.5,47,15.5,55.5', inBox(5.5, 47, 15.5, 55.5)],
  ['bbox', '9.1234567,48.5,10.7654321,49.9999999', inBox(9.1234567, 48.5, 10.7654321, 49.9999999)],
  ['umkreis', '11.57,48.14,25', inCircle(11.57, 48.14, 25)],
  ['umkreis', '9.99,53.55,60.5', inCircle(9.99, 53.55, 60.5)],
  ['umkreis', '10.5,51,200', inCircle(10.5, 51, 200)],
  ['umkreis', '3,48,10', inCircle(3, 48, 10)],
] as const;

const chosen = (holds: (point: readonly [number, number]) => boolean, also: (unit: Unit) => boolean = () => true) =>
  sample.units.filter((unit) => {
    const place = placeOf(unit);
    return place !== null && holds(place.point) && also(unit);
  });

const found = (units: readonly Unit[]) => ({
  mitKoordinaten: units.filter((unit) => placeOf(unit)?.own === true).length,
  anGemeindepunkt: units.filter((unit) => placeOf(unit)?.own === false).length,
});

describe.each(AREAS)('%s=%s', (name, value, holds) => {
  test('lists the units that lie there, and says how they were found', async () => {
    const units = chosen(holds);
    for (const sort of ['mastrNummer:asc', 'bruttoleistungKw:desc']) {
      const response = await sample.service.get(`/v1/units?${name}=${value}&fields=name&limit=250&sort=${sort}`);
      const { data, meta } = response.json;
      expect(response.status, response.text).toBe(200);
      expect(meta.page.total).toBe(units.length);
      expect(meta.raum).toEqual(found(units));
      const numbers = new Set(units.map(({ mastrNummer }) => mastrNummer));
      expect(data.filter(({ mastrNummer }: { mastrNummer: string }) => !numbers.has(mastrNummer))).toEqual([]);
      expect(data).toHaveLength(Math.min(250, units.length));
    }
  });

  test('counts them beside other filters, in groups, in a body, and on an earlier day', async () => {
    const units = chosen(holds, ({ einheitTyp }) => einheitTyp === 'solar');
    const asked = `${name}=${value}&einheitTyp=solar`;
    const [groups, pairs, past] = await Promise.all(
      ['groupBy=bundesland', 'groupBy=bundesland,leistungsklasse', 'groupBy=bundesland&stand=2026-11-01'].map((query) =>
        sample.service.get(`/v1/aggregations?${query}&${asked}`),
      ),
    );
    for (const { json } of [groups!, pairs!, past!]) {
      expect(json.data.totals.count).toBe(units.length);
      expect(json.meta.raum).toEqual(found(units));
    }
    const { json } = await sample.service.send('POST', '/v1/units/search', {
      body: JSON.stringify({ [name]: value, einheitTyp: ['solar'], limit: 1 }),
      headers: { 'Content-Type': 'application/json' },
    });
    expect([json.meta.page.total, json.meta.raum]).toEqual([units.length, found(units)]);
    const series = await sample.service.get(`/v1/aggregations/zeitreihe?periode=jahr&${asked}`);
    expect(series.json.meta.raum).toEqual(found(units));
  });
});

test.each([
  ['bbox=1,2,3', 'must be four numbers minLon,minLat,maxLon,maxLat'],
  ['bbox=48.7,8.9,49,9.4', 'write 8.9,48.7,9.4,49'],
  ['bbox=9.4,48.7,8.9,49', 'the south-western corner comes first, as in 8.9,48.7,9.4,49'],
  ['bbox=170,50,-170,51', 'the south-western corner comes first, at most 12 degrees either way from the other'],
  ['bbox=10,50,10,50', 'has no area: maxLon must be above minLon'],
  ['bbox=0,0,0,0', 'has no area'],
  ['bbox=49,9.4,48.7,8.9', 'write 8.9,48.7,9.4,49'],
  ['umkreis=48.9,9.2,900', 'at most 200'],
  ['bbox=-181,48.7,8.9,49', 'longitudes from -180 to 180'],
  ['bbox=-20,30,40,60', 'larger than the country'],
  ['umkreis=9.2,48.9', 'must be three numbers lon,lat,km'],
  ['umkreis=48.9,9.2,10', 'write 9.2,48.9,10'],
  ['umkreis=9.2,48.9,0', 'a radius above 0 km'],
  ['umkreis=9.2,48.9,900', 'at most 200'],
  ['umkreis=9.2,98.9,10', 'latitudes from -90 to 90'],
])('%s is refused with what to do', async (query, detail) => {
  for (const path of ['/v1/units?', '/v1/aggregations?groupBy=plz&']) {
    const response = await sample.service.get(`${path}${query}`);
    expectProblem(response, 400, 'INVALID_PARAMETER');
    expect(response.json.detail).toContain(detail);
  }
});

const search = (body: object) =>
  sample.service.send('POST', '/v1/units/search', {
    body: JSON.stringify(body),
    headers: { 'Content-Type': 'application/json' },
  });

const SQUARE = [
  [11.3, 48],
  [11.8, 48],
  [11.8, 48.3],
  [11.3, 48.3],
  [11.3, 48],
];

test('a polygon in a body has the units of the same rectangle, and leads to the same question in a query', async () => {
  const polygon = { type: 'Polygon', coordinates: [SQUARE] };
  const [one, other, asQuery, groups] = await Promise.all([
    search({ polygon, fields: ['name'], limit: 20 }),
    search({ bbox: '11.3,48,11.8,48.3', fields: ['name'], limit: 20 }),
    sample.service.get(`/v1/units?fields=name&limit=20&polygon=${encodeURIComponent(JSON.stringify(polygon))}`),
    sample.service.get(`/v1/aggregations?groupBy=plz&polygon=${encodeURIComponent(JSON.stringify(polygon))}`),
  ]);
  expect(one!.status, one!.text).toBe(200);
  expect(one!.json.data).toEqual(other!.json.data);
  expect(one!.json.meta.raum).toEqual(other!.json.meta.raum);
  expect(asQuery!.json.data).toEqual(one!.json.data);
  expect(groups!.json.data.totals.count).toBe(one!.json.meta.page.total);
  const next = /<([^>]+)>; rel="next"/.exec(one!.headers.get('Link') ?? '')?.[1];
  if (next !== undefined) {
    const page = await sample.service.get(next.replace(/^https?:\/\/[^/]+/, ''));
    expect(page.status, page.text).toBe(200);
  }
});

const jagged = Array.from({ length: 140 }, (_, index) => [9 + index / 100, index % 2 === 0 ? 48 : 49]);

test.each([
  ['text', 'must be a Polygon or MultiPolygon of GeoJSON'],
  [{ type: 'Point', coordinates: [9, 48] }, 'must be a Polygon or MultiPolygon of GeoJSON'],
  [{ type: 'Feature', geometry: { type: 'Polygon', coordinates: [SQUARE] } }, 'what its member geometry has'],
  [{ type: 'Polygon', coordinates: [SQUARE], crs: {} }, 'the members type and coordinates alone'],
  [{ type: 'Polygon', coordinates: SQUARE }, 'rings of positions'],
  [{ type: 'Polygon', coordinates: [] }, 'rings of positions'],
  [{ type: 'MultiPolygon', coordinates: [SQUARE] }, 'rings of positions'],
  [
    {
      type: 'Polygon',
      coordinates: [
        [
          [9, 48, 100, 0],
          [10, 48],
          [10, 49],
          [9, 48],
        ],
      ],
    },
    'an array of two numbers',
  ],
  [{ type: 'Polygon', coordinates: [SQUARE.slice(0, 4)] }, 'its last position has to be its first, [11.3,48]'],
  [
    {
      type: 'Polygon',
      coordinates: [
        [
          [9, 48],
          [10, 48],
          [9, 48],
        ],
      ],
    },
    'has a ring of 3 positions',
  ],
  [{ type: 'Polygon', coordinates: [SQUARE.map(([x, y]) => [y, x])] }, 'a position is [longitude, latitude]'],
  [
    {
      type: 'Polygon',
      coordinates: [
        [
          [9, 48],
          [10, 98],
          [10, 49],
          [9, 48],
        ],
      ],
    },
    'latitudes from -90 to 90',
  ],
  [
    {
      type: 'Polygon',
      coordinates: [
        [
          [0, 40],
          [20, 40],
          [20, 60],
          [0, 40],
        ],
      ],
    },
    'larger than the country',
  ],
  [{ type: 'Polygon', coordinates: [Array.from({ length: 1001 }, () => [9, 48])] }, 'has 1001 positions; at most 1000'],
  [{ type: 'Polygon', coordinates: [[...jagged, jagged[0]]] }, 'is too jagged'],
  [{ type: 'Polygon', coordinates: [Array.from({ length: 4 }, () => [9, 48])] }, 'has a ring without area'],
  [
    { type: 'Polygon', coordinates: [SQUARE, SQUARE.map(([x = 0, y]) => [x + 2, y])] },
    'has a hole outside of its first ring',
  ],
])('the polygon %j is refused with what to do', async (polygon, detail) => {
  const response = await search({ polygon });
  expectProblem(response, 400, 'INVALID_PARAMETER');
  expect(response.json.detail).toContain(detail);
});

test('the altitude of positions counts for nothing', async () => {
  const [flat, high] = [SQUARE, SQUARE.map((position) => [...position, 300])].map((ring) => ({
    polygon: { type: 'Polygon', coordinates: [ring] },
  }));
  expect((await search(high!)).json.data).toEqual((await search(flat!)).json.data);
});

test('as many decimals as programs write are taken', async () => {
  const { status } = await sample.service.get('/v1/units?umkreis=7.0169999999999995,49.352,0.30000000000000004');
  expect(status).toBe(200);
});
