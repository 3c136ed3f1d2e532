import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { publish } from '../../sql/warehouse/versions.ts';
import { buildVersion, temporaryFolder } from '../support/fixture.ts';
import { makeCaller } from '../support/organisation.ts';
import { withoutPerPlace } from '../support/per-place.ts';
import { expectProblem, withKey } from '../support/requests.ts';
import { type OwnSubject, serve, serveSharedFixture } from '../support/service.ts';

/** GET /v1/aggregations (interface.md, Aggregations; decisions, groupBy). */

let service: OwnSubject;
beforeAll(async () => {
  service = await serveSharedFixture();
});
afterAll(() => service.stop());

const aggregate = (query: string, headers?: Record<string, string>) =>
  service.get(`/v1/aggregations?${query.replaceAll(/[^&=]+/g, encodeURIComponent)}`, headers);

/** Groups as `key count`, to be read. */
const groups = async (query: string): Promise<string> =>
  (await aggregate(query)).json.data.groups
    .map(({ key, count }: { key: string | null; count: number }) => `${key} ${count}`)
    .join(', ');

/** Groups without storage have no energy. */
const NO_STORAGE = { speicherkapazitaetKwh: 0 };

describe('groups', () => {
  test.each(['eegAbleitbarkeit', 'bundesland', 'signals'])('of no unit are none, by %s', async (dimension) => {
    const { json } = await aggregate(`groupBy=${dimension}&plz=99999`);
    expect(json.data).toEqual({
      groupBy: dimension,
      groups: [],
      totals: { count: 0, bruttoleistungKw: 0, ...NO_STORAGE },
    });
  });

  test('count, sum and mean of each, and totals over all', async () => {
    const { json } = await aggregate('groupBy=bundesland&einheitTyp=solar&leistungMaxKw=30');
    expect(withoutPerPlace(json)).toEqual({
      data: {
        groupBy: 'bundesland',
        groups: [
          { key: 'Bayern', count: 4, bruttoleistungKw: 39.6, durchschnittsleistungKw: 9.9, ...NO_STORAGE },
          { key: 'Berlin', count: 3, bruttoleistungKw: 2.2, durchschnittsleistungKw: 0.733333, ...NO_STORAGE },
          { key: 'Thüringen', count: 3, bruttoleistungKw: 60, durchschnittsleistungKw: 20, ...NO_STORAGE },
          { key: null, count: 1, bruttoleistungKw: 5, durchschnittsleistungKw: 5, ...NO_STORAGE },
        ],
        totals: { count: 11, bruttoleistungKw: 106.8, ...NO_STORAGE },
      },
      meta: { truncated: false, auffaellig: { count: 0, bruttoleistungKw: 0 } },
    });
  });

  test('the mean is over units with a known capacity; null where none has one', async () => {
    const { json } = await aggregate('groupBy=einheitTyp&mastrNummern=SEE900000000020,SEE900000000018');
    expect(json.data.groups).toEqual([
      { key: 'solar', count: 2, bruttoleistungKw: 30, durchschnittsleistungKw: 30, ...NO_STORAGE },
    ]);
    const unknown = await aggregate('groupBy=einheitTyp&mastrNummern=SEE900000000020');
    expect(unknown.json.data).toEqual({
      groupBy: 'einheitTyp',
      groups: [{ key: 'solar', count: 1, bruttoleistungKw: 0, durchschnittsleistungKw: null, ...NO_STORAGE }],
      totals: { count: 1, bruttoleistungKw: 0, ...NO_STORAGE },
    });
  });

  test.each([
    ['groupBy=einheitTyp', 'solar 13, wind 13, biomass 2, combustion 2, hydro 2, storage 2, geothermal 1, nuclear 1'],
    ['groupBy=leistungsklasse&einheitTyp=solar', '1-10 5, 0-1 4, 10-30 1, 30-100 1, 750-1000 1, null 1'],
    ['groupBy=leistungsklasse&mastrNummern=SEE900000000018,SEE900000000025', '1000-10000 1, 30-100 1'],
    ['groupBy=inbetriebnahmejahr&einheitTyp=storage', '2023 1, null 1'],
    ['groupBy=betriebsStatus&einheitTyp=biomass', 'In Betrieb 1, Vorübergehend stillgelegt 1'],
    ['groupBy=gemeinde&einheitTyp=nuclear', 'Lingen (Ems) 1'],
    ['groupBy=eegAbleitbarkeit&einheitTyp=wind', 'null 9, geschaetzt 2, nicht_ableitbar 2'],
    ['groupBy=eegAbleitbarkeit&leistungMaxKw=30', 'null 11, exakt 2'],
  ])('%s', async (query, expected) => {
    expect(await groups(query)).toBe(expected);
  });

  test('nothing found: no groups, and totals of zero', async () => {
    const { json } = await aggregate('groupBy=plz&einheitTyp=nuclear&bundesland=Bayern');
    expect(json).toEqual({
      data: { groupBy: 'plz', groups: [], totals: { count: 0, bruttoleistungKw: 0, ...NO_STORAGE } },
      meta: { truncated: false, auffaellig: { count: 0, bruttoleistungKw: 0 } },
    });
  });
});

describe('figures that groups have where they are asked for', () => {
  test('net capacity and shares', async () => {
    const query = 'groupBy=einheitTyp&einheitTyp=solar,wind';
    const { json } = await aggregate(`${query}&kennzahlen=anteile,nettonennleistungKw`);
    const { groups, totals } = json.data;
    const net = groups.map((group: { nettonennleistungKw: number }) => group.nettonennleistungKw);
    expect(totals.nettonennleistungKw).toBeCloseTo(net[0] + net[1], 3);
    expect(net[0]).toBeGreaterThan(0);
    for (const { count, anteile } of groups) expect(anteile.anzahl).toBeCloseTo(count / totals.count, 6);
    const plain = (await aggregate(query)).json.data;
    const without = ({ anteile: _, nettonennleistungKw: __, ...figures }: Record<string, unknown>) => figures;
    expect(plain).toEqual({ ...json.data, groups: groups.map(without), totals: without(totals) });
  });

  test('a list may be sorted and narrowed by net capacity', async () => {
    const { json } = await service.get(
      '/v1/units?nettonennleistungMinKw=10&nettonennleistungMaxKw=3000&sort=nettonennleistungKw:desc&fields=nettonennleistungKw',
    );
    const values = json.data.map((unit: { nettonennleistungKw: number }) => unit.nettonennleistungKw);
    expect(values.length).toBeGreaterThan(2);
    expect(values).toEqual(values.toSorted((one: number, other: number) => other - one));
    expect([Math.min(...values) >= 10, Math.max(...values) <= 3000]).toEqual([true, true]);
  });
});

describe('more groups than fit into one answer', () => {
  const folder = temporaryFolder();
  let large: OwnSubject;
  beforeAll(async () => {
    await buildVersion(folder.path, '20260314-0001', async (connection) => {
      await connection.run(`INSERT INTO units BY NAME
        SELECT 'SEE9' || lpad(CAST(i AS VARCHAR), 11, '0') AS mastrNummer, 'solar' AS einheitTyp, 35 AS statusId,
          2.5 AS bruttoleistungKw, lpad(CAST(i % 1001 AS VARCHAR), 5, '0') AS plz, 1 AS region
        FROM range(1500) AS zahlen(i)`);
    });
    publish(folder.path, '20260314-0001', 'build', new Date());
    large = await serve(folder.path);
  });
  afterAll(async () => {
    await large.stop();
    folder.remove();
  });

  test.each(['', '&einheitTyp=solar'])(
    'the first 1,000, marked, with the totals of all (filters: "%s")',
    async (filter) => {
      const { json } = await large.get(`/v1/aggregations?groupBy=plz${filter}`);
      expect(json.meta).toEqual({ truncated: true, auffaellig: { count: 0, bruttoleistungKw: 0 } });
      expect(json.data.totals).toEqual({ count: 1500, bruttoleistungKw: 3750, ...NO_STORAGE });
      expect(json.data.groups[0]).toMatchObject({ key: '00000', count: 2 });
      expect(json.data.groups.at(-1)).toMatchObject({ key: '00999', count: 1 });
    },
  );
});

describe('what stands at one location', () => {
  test.each([
    [
      '',
      [
        [null, 31],
        ['solar,storage', 4],
        ['combustion', 1],
      ],
    ],
    [
      '&einheitTyp=solar',
      [
        [null, 10],
        ['solar,storage', 3],
      ],
    ],
    ['&amStandort=storage', [['solar,storage', 4]]],
  ])('is a group under the carriers in order (filters: "%s")', async (filter, expected) => {
    const { json } = await service.get(`/v1/aggregations?groupBy=standortEnergietraeger${filter}`);
    const found = json.data.groups.map(({ key, count }: { key: string | null; count: number }) => [key, count]);
    expect(found).toEqual(expected);
  });
});

describe('signals', () => {
  const folder = temporaryFolder();
  let signalled: OwnSubject;
  beforeAll(async () => {
    await buildVersion(folder.path, '20260314-0001', async (connection) => {
      // Masks: none, the first signal, the second, both.
      await connection.run(`INSERT INTO units BY NAME
        SELECT 'SEE90000000000' || i AS mastrNummer, 'wind' AS einheitTyp, 35 AS statusId, 10 AS bruttoleistungKw,
          i AS signals, 1 AS region
        FROM range(4) AS zahlen(i)`);
    });
    publish(folder.path, '20260314-0001', 'build', new Date());
    signalled = await serve(folder.path);
  });
  afterAll(async () => {
    await signalled.stop();
    folder.remove();
  });

  test.each(['', '&einheitTyp=wind'])(
    'a unit counts in each of its signals, and once in the totals (filters: "%s")',
    async (filter) => {
      const { json } = await signalled.get(`/v1/aggregations?groupBy=signals${filter}`);
      expect(json.data).toEqual({
        groupBy: 'signals',
        groups: [
          {
            key: 'inbetriebnahme_ueberfaellig',
            count: 2,
            bruttoleistungKw: 20,
            durchschnittsleistungKw: 10,
            ...NO_STORAGE,
          },
          { key: 'neu_registriert', count: 2, bruttoleistungKw: 20, durchschnittsleistungKw: 10, ...NO_STORAGE },
        ],
        totals: { count: 4, bruttoleistungKw: 40, ...NO_STORAGE },
      });
    },
  );

  test.each(['', '&einheitTyp=wind'])(
    'only signals that the organisation is entitled to (filters: "%s")',
    async (filter) => {
      const key = await makeCaller(signalled.store, { signals: ['neu_registriert'] });
      const { json } = await signalled.get(`/v1/aggregations?groupBy=signals${filter}`, withKey(key));
      expect(json.data.groups.map((group: { key: string }) => group.key)).toEqual(['neu_registriert']);
      expect(json.data.totals.count).toBe(4);
    },
  );

  test('a filter by a signal without entitlement is refused', async () => {
    const key = await makeCaller(signalled.store, { signals: [] });
    const response = await signalled.get('/v1/aggregations?groupBy=bundesland&signals=neu_registriert', withKey(key));
    expectProblem(response, 403, 'SIGNAL_NOT_ENTITLED');
  });
});

describe('access', () => {
  test('organisations without module analysis too', async () => {
    const key = await makeCaller(service.store, { modules: ['api'] });
    expect((await aggregate('groupBy=plz', withKey(key))).status).toBe(200);
    expectProblem(await service.get('/v1/units', withKey(key)), 403, 'MISSING_MODULE');
  });

  test.each(['groupBy=eegAbleitbarkeit', 'groupBy=plz&eegFoerderendeVon=2030-01-01'])(
    '%s needs the module eeg_verguetung',
    async (query) => {
      const key = await makeCaller(service.store, { modules: ['api', 'analysis'] });
      const response = await aggregate(query, withKey(key));
      expectProblem(response, 403, 'MISSING_MODULE');
      expect(response.json.detail).toContain('eeg_verguetung');
    },
  );
});

describe('bad requests', () => {
  test.each([
    ['', 'INVALID_PARAMETER', 'groupBy is required'],
    ['groupBy=farbe', 'INVALID_PARAMETER', 'groupBy must be one of einheitTyp, energietraeger, bundesland'],
    ['groupBy=bundesland,farbe', 'INVALID_PARAMETER', 'groupBy must be one of'],
    ['groupBy=bundesland,plz,einheitTyp', 'INVALID_PARAMETER', 'groupBy takes one dimension, or two'],
    ['groupBy=plz,plz', 'INVALID_PARAMETER', 'groupBy names one dimension twice'],
    ['groupBy=plz&kennzahlen=summe', 'INVALID_PARAMETER', 'it takes nettonennleistungKw, anteile'],
    ['groupBy=plz&bundesLand=Bayern', 'UNKNOWN_PARAMETER', 'did you mean bundesland?'],
    ['groupBy=plz&limit=3', 'UNKNOWN_PARAMETER', '"limit"'],
    ['groupBy=plz&leistungMinKw=2&leistungMaxKw=1', 'FILTER_CONFLICT', 'lies beyond'],
    ['groupBy=plz&signals=nonsense', 'UNKNOWN_SIGNAL', 'nonsense'],
  ] as const)('%s', async (query, code, detail) => {
    const response = await aggregate(query);
    expectProblem(response, 400, code);
    expect(response.json.errors[0].detail).toContain(detail);
  });
});

test('unchanged answers are 304, and the tag depends on the entitlements', async () => {
  const path = 'groupBy=signals';
  const tag = (await aggregate(path)).headers.get('etag')!;
  const again = await aggregate(path, { ...withKey(service.key), 'If-None-Match': tag });
  expect([again.status, again.text]).toEqual([304, '']);
  const other = await makeCaller(service.store, { signals: [] });
  expect((await aggregate(path, { ...withKey(other), 'If-None-Match': tag })).status).toBe(200);
});
