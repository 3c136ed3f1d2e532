import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { publishSample, warehouseFolder } from '../support/built.ts';
import { makeCaller } from '../support/organisation.ts';
import { expectProblem, withKey } from '../support/requests.ts';
import { type OwnSubject, serve } from '../support/service.ts';

/** Region analyses and aggregations of several places at once: what each alone has, in one set of rows. */

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

const asked = (path: string, query: string, regions: readonly string[]) =>
  `${path}?${query}${regions.map((region) => `&region=${encodeURIComponent(region)}`).join('')}`;

const get = async (path: string, query: string, ...regions: string[]) => {
  const response = await service.get(asked(path, query, regions));
  expect(response.status, response.text).toBe(200);
  return response.json;
};

const DISTRICTS = ['09162', 'Rosenheim, Bayern', '08118', 'Nirgendwo'];

const inPlace = (region: string, rows: readonly object[]) => rows.map((row) => ({ region, ...row }));

describe.each([
  ['/v1/region/zeitreihe', 'ebene=landkreis&periode=jahr&von=2015-01-01', DISTRICTS],
  ['/v1/region/zeitreihe', 'ebene=landkreis&periode=quartal&auffaellige=ohne', DISTRICTS],
  ['/v1/region/zeitreihe', 'ebene=gemeinde&registerEnergietraeger=Windenergie&periode=jahr', ['München', '05315000']],
  ['/v1/region/altersstruktur', 'ebene=bundesland', ['Hessen', '09', 'Berlin']],
  ['/v1/region/altersstruktur', 'ebene=plz&energietraeger=solar,storage', ['8', '80', '99']],
  ['/v1/region/momentaufnahme', 'ebene=landkreis&bis=2025-12-31', DISTRICTS],
] as const)('%s?%s', (path, query, regions) => {
  test('has the rows of each place, and what meta says of each', async () => {
    const { data, meta } = await get(path, query, ...regions);
    const alone = await Promise.all(regions.map((region) => get(path, query, region)));
    const rowsOf = (one: { data: object | object[] }) => (Array.isArray(one.data) ? one.data : [one.data]);
    expect(data).toEqual(alone.flatMap((one, index) => inPlace(regions[index]!, rowsOf(one))));
    const { ebene, region, bezug, auffaellig, orte } = meta;
    expect({ ebene, region, bezug: bezug ?? null }).toEqual({ ebene: alone[0]!.meta.ebene, region: null, bezug: null });
    expect(auffaellig.count).toBe(alone.reduce((sum, one) => sum + one.meta.auffaellig.count, 0));
    for (const [index, one] of alone.entries()) {
      const { regionen, hinweise } = one.meta;
      expect(orte[index]).toEqual({
        region: regions[index],
        ...(regionen === undefined ? {} : { regionen }),
        ...(hinweise === undefined ? {} : { hinweise }),
        ...('bezug' in one.meta ? { bezug: one.meta.bezug } : {}),
        auffaellig: one.meta.auffaellig,
      });
    }
  });
});

describe('aggregations', () => {
  test.each([
    ['groupBy=einheitTyp&ebene=landkreis', DISTRICTS],
    ['groupBy=gemeinde&ebene=landkreis&einheitTyp=solar', ['09162', '08118']],
    ['groupBy=signals&ebene=plz&leistungMinKw=5&auffaellige=ohne', ['8', '80']],
    ['groupBy=leistungsklasse,einheitTyp&ebene=bundesland', ['Hessen', '09']],
  ] as const)('%s: the groups of each place', async (query, regions) => {
    const { data } = await get('/v1/aggregations', query, ...regions);
    const ebene = new URLSearchParams(query).get('ebene');
    const filter = new URLSearchParams(query);
    filter.delete('ebene');
    const alone = await Promise.all(
      regions.map((region) =>
        get('/v1/aggregations', `${filter}&${ebene}=${encodeURIComponent(region === '09' ? 'Bayern' : region)}`),
      ),
    );
    expect(data.groups).toEqual(alone.flatMap((one, index) => inPlace(regions[index]!, one.data.groups)));
    expect(data.orte).toEqual(alone.map((one, index) => ({ region: regions[index], totals: one.data.totals })));
    if (query.includes('plz')) {
      // One of these places lies in the other: its units count once in the totals.
      expect(data.totals).toEqual(alone[0]!.data.totals);
    } else {
      expect(data.totals.count).toBe(alone.reduce((sum, one) => sum + one.data.totals.count, 0));
    }
  });

  test('say which places one of them covers', async () => {
    for (const regions of [['München'], ['München', '08118']]) {
      const { meta } = await get('/v1/aggregations', 'groupBy=einheitTyp&ebene=landkreis', ...regions);
      const { regionen } = (await get('/v1/region/momentaufnahme', 'ebene=landkreis', 'München')).meta;
      expect(meta.orte.map(({ region }: { region: string }) => region)).toEqual(regions);
      expect(meta.orte[0].regionen).toEqual(regionen);
      expect(regionen.length).toBeGreaterThan(0);
    }
  });

  test('a hint says which places no unit has, and no others', async () => {
    const { meta } = await get('/v1/aggregations', 'groupBy=einheitTyp&ebene=landkreis', ...DISTRICTS);
    expect(meta.hinweise.map(({ parameter, wert }: { parameter: string; wert: string }) => [parameter, wert])).toEqual([
      ['region', 'Nirgendwo'],
    ]);
    const known = await get('/v1/aggregations', 'groupBy=einheitTyp&ebene=landkreis', '09162', 'Rosenheim, Bayern');
    expect(known.meta).not.toHaveProperty('hinweise');
  });

  test('as a wide table, a row for each place and value', async () => {
    const response = await service.get(
      asked('/v1/aggregations', 'groupBy=leistungsklasse,einheitTyp&ebene=bundesland&format=csv&anordnung=breit', [
        'Hessen',
        'Bayern',
      ]),
    );
    const [head, ...rows] = response.text.trimEnd().split('\r\n');
    expect(head).toMatch(/^region,key,count,/);
    expect(new Set(rows.map((row) => row.split(',')[0]))).toEqual(new Set(['Hessen', 'Bayern']));
  });
});

test('a comma is part of a place, and a place that comes twice stands once', async () => {
  const query = 'ebene=landkreis&periode=jahr';
  const one = await get('/v1/region/zeitreihe', query, 'Rosenheim, Bayern', 'Rosenheim, Bayern');
  expect(one).toEqual(await get('/v1/region/zeitreihe', query, 'Rosenheim, Bayern'));
});

test('as CSV, each record names its place', async () => {
  const query = 'ebene=bundesland&format=csv';
  for (const name of ['zeitreihe', 'altersstruktur', 'momentaufnahme']) {
    const several = await service.get(asked(`/v1/region/${name}`, query, ['Hessen', 'Bayern']));
    const [head, ...rows] = several.text.trimEnd().split('\r\n');
    expect(head).toMatch(/^region,/);
    expect(new Set(rows.map((row) => row.split(',')[0]))).toEqual(new Set(['Hessen', 'Bayern']));
    const alone = await service.get(asked(`/v1/region/${name}`, query, ['Hessen']));
    expect(alone.text).not.toMatch(/^region,/);
  }
});

test('more than 50 places are refused', async () => {
  const regions = Array.from({ length: 51 }, (_, index) => String(10_000 + index));
  const response = await service.get(asked('/v1/region/altersstruktur', 'ebene=landkreis', regions));
  expectProblem(response, 400, 'TOO_MANY_VALUES');
});

test('a call counts by ten places, and never as more than a whole minute', async () => {
  const key = await makeCaller(service.store, { limits: { expensive: 4 } });
  const left = async (places: number) => {
    const regions = Array.from({ length: places }, (_, index) => String(10_000 + index));
    const response = await service.get(asked('/v1/region/altersstruktur', 'ebene=landkreis', regions), withKey(key));
    return { status: response.status, left: response.headers.get('ratelimit'), detail: response.json.detail };
  };
  expect((await left(10)).left).toContain('r=3;');
  expect((await left(11)).left).toContain('r=1;');
  const refused = await left(20);
  expect(refused).toMatchObject({ status: 429 });
  expect(refused.detail).toContain('counts as 2 of the 4 expensive calls');
  const other = await makeCaller(service.store, { limits: { expensive: 4 } });
  const response = await service.get(
    asked(
      '/v1/region/altersstruktur',
      'ebene=landkreis',
      Array.from({ length: 50 }, (_, index) => String(10_000 + index)),
    ),
    withKey(other),
  );
  expect(response.status).toBe(200);
});
