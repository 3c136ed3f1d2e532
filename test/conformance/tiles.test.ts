import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { publishSample, warehouseFolder } from '../support/built.ts';
import { expectProblem } from '../support/requests.ts';
import { type OwnSubject, serve } from '../support/service.ts';
import { boxOf, type ReadTile, readTile, type TileOf, tileAt } from '../support/tiles.ts';

/** Tiles of units, decoded as map clients do, beside the lists and counts of the same part of the map. */

const warehouse = warehouseFolder();
let service: OwnSubject;
beforeAll(async () => {
  await publishSample(warehouse.path);
  service = await serve(warehouse.path, { TODAY: '2026-11-01' });
});
afterAll(async () => {
  await service?.stop();
  warehouse.remove();
});

const sum = (numbers: readonly unknown[]): number => numbers.reduce((total: number, one) => total + Number(one), 0);
const grouped = ({ gruppen }: ReadTile, name = 'anzahl'): number =>
  sum(gruppen.map(({ properties }) => properties[name]));
const unitsOf = (tile: ReadTile): number => tile.einheiten.length + grouped(tile);

async function listed(query: string): Promise<{ total: number; raum: Record<string, number>; data: Row[] }> {
  const { status, json, text } = await service.get(
    `/v1/units?${query}&limit=250&fields=name,einheitTyp,betriebsStatus,bruttoleistungKw,latitude,longitude`,
  );
  expect(status, text).toBe(200);
  return { total: json.meta.page.total, raum: json.meta.raum, data: json.data };
}

interface Row {
  readonly [name: string]: string | number | null;
}

const MUNICH = [11.57, 48.14] as const;
/** A tile that has the country, and those of the next zoom. */
const COUNTRY: readonly TileOf[] = [
  [4, 8, 5],
  [5, 16, 10],
  [5, 17, 10],
  [5, 16, 11],
  [5, 17, 11],
];

describe.each([
  ['half of the country', COUNTRY[2]!, ''],
  ['Bavaria', tileAt(6, ...MUNICH), 'einheitTyp=solar,storage'],
  ['a district', tileAt(9, ...MUNICH), ''],
  ['a district, few units', tileAt(9, ...MUNICH), 'leistungMinKw=200'],
  ['a town', tileAt(11, ...MUNICH), ''],
  ['a part of it', tileAt(13, ...MUNICH), 'betriebsStatus=In Betrieb'],
] as const)('%s', (_, tile, filters) => {
  const asked = `bbox=${boxOf(tile)}${filters === '' ? '' : `&${filters}`}`;
  let found: ReadTile;
  beforeAll(async () => {
    found = await readTile(service, tile, filters === '' ? '' : `?${filters}`);
    expect(found.response.status).toBe(200);
  });

  test('has each unit once, alone or in a group', async () => {
    const { total, raum } = await listed(asked);
    expect(unitsOf(found)).toBe(total);
    const alone = found.einheiten.filter(({ properties }) => properties.ortAusGemeinde === true).length;
    expect(alone + grouped(found, 'anGemeindepunkt')).toBe(raum.anGemeindepunkt);
    expect(found.einheiten.length).toBeLessThanOrEqual(1000);
    expect(found.gruppen.length).toBeLessThanOrEqual(256);
  });

  test('has the capacity of the same units', async () => {
    const { json } = await service.get(`/v1/aggregations?groupBy=einheitTyp&${asked}`);
    const alone = sum(found.einheiten.map(({ properties }) => properties.bruttoleistungKw ?? 0));
    expect(alone + grouped(found, 'bruttoleistungKw')).toBeCloseTo(json.data.totals.bruttoleistungKw, 2);
  });

  test('groups are the units of their cells', async () => {
    const beside = found.einheiten.length > 0 ? '&hatKoordinaten=false' : '';
    for (const { properties } of found.gruppen.slice(0, 4)) {
      const { json } = await service.get(
        `/v1/aggregations?groupBy=einheitTyp&bbox=${properties.bbox}${beside}${filters === '' ? '' : `&${filters}`}`,
      );
      const { totals, groups } = json.data;
      expect(totals.count).toBe(properties.anzahl);
      expect(totals.bruttoleistungKw).toBeCloseTo(Number(properties.bruttoleistungKw), 3);
      const most = Math.max(...groups.map((group: Row) => Number(group.bruttoleistungKw)));
      const main = groups.find((group: Row) => group.key === properties.einheitTyp);
      expect(main.bruttoleistungKw).toBeCloseTo(most, 6);
    }
  });
});

test('single units are those of the list, where they lie', async () => {
  const tile = tileAt(6, ...MUNICH);
  const large = 'leistungMinKw=900';
  const { data, total } = await listed(`bbox=${boxOf(tile)}&${large}`);
  const { einheiten, gruppen } = await readTile(service, tile, `?${large}`);
  expect(gruppen).toEqual([]);
  expect(total).toBeGreaterThan(5);
  const byNumber = new Map(einheiten.map((unit) => [unit.properties.mastrNummer, unit]));
  expect([...byNumber.keys()].sort()).toEqual(data.map(({ mastrNummer }) => mastrNummer).sort());
  for (const row of data) {
    const unit = byNumber.get(String(row.mastrNummer))!;
    const { mastrNummer, ortAusGemeinde, ...others } = unit.properties;
    expect(unit.id).toBe(Number(String(mastrNummer).slice(3)));
    const { name, einheitTyp, betriebsStatus, bruttoleistungKw } = row;
    const known = Object.entries({ name, einheitTyp, betriebsStatus, bruttoleistungKw }).filter(
      ([, one]) => one !== null,
    );
    expect(others).toEqual(Object.fromEntries(known));
    expect(ortAusGemeinde).toBe(row.latitude === null);
    if (row.latitude === null) continue;
    expect(unit.longitude).toBeCloseTo(Number(row.longitude), 2);
    expect(unit.latitude).toBeCloseTo(Number(row.latitude), 2);
  }
});

test('the tiles of a zoom have the units of the tile around them', async () => {
  const [whole, ...parts] = await Promise.all(COUNTRY.map((tile) => readTile(service, tile)));
  expect(sum(parts.map(unitsOf))).toBe(unitsOf(whole!));
  expect(unitsOf(whole!)).toBeGreaterThan(5000);
});

test('a cell that the filter would refuse is not named as one', async () => {
  const [[world], [near]] = [
    (await readTile(service, [0, 0, 0])).gruppen,
    (await readTile(service, [1, 1, 0])).gruppen,
  ];
  expect(world!.properties).not.toHaveProperty('bbox');
  expect((await service.get(`/v1/units?limit=1&bbox=${near!.properties.bbox}`)).status).toBe(200);
});

test('the same tile is answered again, until the version changes', async () => {
  const address = '/v1/tiles/9/272/177.mvt?einheitTyp=wind';
  const first = await service.get(address);
  const tag = first.headers.get('etag') ?? '';
  expect(first.headers.get('cache-control')).toBe('private, no-cache');
  expect(first.headers.get('content-type')).toBe('application/vnd.mapbox-vector-tile');
  const again = await service.get(address, { 'If-None-Match': tag });
  expect([again.status, again.text]).toEqual([304, '']);
  expect((await service.get(address.replace('wind', 'solar'), { 'If-None-Match': tag })).status).toBe(200);
});

test('a tile without units has no layer', async () => {
  const { response } = await readTile(service, [9, 0, 0]);
  expect([response.status, response.bytes?.length]).toEqual([200, 0]);
});

test.each([
  ['17/0/0', 'z', 'must be a whole number from 0 to 16'],
  ['a/0/0', 'z', 'must be a whole number from 0 to 16'],
  ['3/8/0', 'x', 'must be a whole number from 0 to 7 where z is 3'],
  ['3/0/8', 'y', 'must be a whole number from 0 to 7 where z is 3'],
  ['3/0/-1', 'y', 'must be a whole number from 0 to 65535'],
])('%s is refused with what to do', async (tile, parameter, detail) => {
  const response = await service.get(`/v1/tiles/${tile}.mvt`);
  expectProblem(response, 400, 'INVALID_PARAMETER');
  expect(response.json.errors).toEqual([
    { parameter, code: 'INVALID_PARAMETER', detail: expect.stringContaining(detail) },
  ]);
});

test('filters are checked as those of units are', async () => {
  expectProblem(await service.get('/v1/tiles/3/4/2.mvt?einheitType=wind'), 400, 'UNKNOWN_PARAMETER');
  expectProblem(await service.get('/v1/tiles/3/4/2.mvt?leistungMinKw=9&leistungMaxKw=1'), 400, 'FILTER_CONFLICT');
});
