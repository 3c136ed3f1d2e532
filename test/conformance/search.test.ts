import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { publish } from '../../sql/warehouse/versions.ts';
import { buildVersion, temporaryFolder } from '../support/fixture.ts';
import { makeCaller } from '../support/organisation.ts';
import { expectProblem, withKey } from '../support/requests.ts';
import { type OwnSubject, serve } from '../support/service.ts';

/** GET /v1/search: interface.md, Search hit, and decisions.md, Register. */

const UNITS = `INSERT INTO units BY NAME
  SELECT 'SEE9000000000' || nr AS mastrNummer, einheitTyp, name, kw AS bruttoleistungKw, bundesland, 'Köln' AS ort, CAST(nr AS INTEGER) AS region,
    CASE WHEN kw >= 30 THEN 50.9 END AS latitude, CASE WHEN kw >= 30 THEN 6.9 END AS longitude, betreiber AS betreiberName
  FROM (VALUES
    ('01', 'wind', 'Park Nord', 3000.0, 'Bayern', 'Park AG'),
    ('02', 'wind', 'park nord', 4000.0, 'Hessen', NULL),
    ('03', 'solar', 'Solar Park Süd', 9.9, 'Bayern', NULL),
    ('04', 'solar', 'Solar-Park', NULL, 'Bayern', NULL),
    ('05', 'solar', 'Spark', 50000.0, 'Hessen', NULL),
    ('06', 'solar', 'Mühlstraße (Dach) 100%', 29.9, NULL, NULL),
    ('07', 'storage', NULL, 800.0, 'Berlin', 'Park AG'),
    ('08', 'solar', 'SEE900000000001', 1.0, 'Berlin', NULL)
  ) AS zeilen (nr, einheitTyp, name, kw, bundesland, betreiber)
  ORDER BY nr`;

const ACTORS = `INSERT INTO marktakteure
  SELECT 'ABR90000000000' || nr, name, 'Anlagenbetreiber', NULL, bundesland, NULL, 'Köln', NULL, anlagen, fold_text(name)
  FROM (VALUES
    ('1', 'Park AG', 'Bayern', 2), ('2', 'Parkplatz GmbH', NULL, 0), ('3', 'PARKWERK', 'Hessen', 7),
    ('4', 'Windpark Müller GmbH', 'Bayern', 90), ('5', 'Müller & Söhne', 'Hessen', 1)
  ) AS zeilen (nr, name, bundesland, anlagen)
  ORDER BY nr`;

const folder = temporaryFolder();
let service: OwnSubject;
beforeAll(async () => {
  await buildVersion(folder.path, '20260314-0001', async (connection) => {
    await connection.run(UNITS);
    await connection.run(ACTORS);
  });
  publish(folder.path, '20260314-0001', 'build', new Date('2026-03-15T03:30:00Z'));
  service = await serve(folder.path);
});
afterAll(async () => {
  await service.stop();
  folder.remove();
});

const search = (query: string, headers?: Record<string, string>) => service.get(`/v1/search?${query}`, headers);

/** The hits in their order: the last digits of a unit, `A` and the last digit of an actor. */
async function hits(text: string, more = ''): Promise<string> {
  const { json } = await search(`q=${encodeURIComponent(text)}${more}`);
  return json.data.map(({ id }: { id: string }) => id.replace(/^SEE\d{10}|BR\d{11}/, '')).join(' ');
}

describe('order', () => {
  test('names that begin with it, then words that do, then names that hold it; kinds take turns, the largest first; actors without units last', async () => {
    expect(await hits('park')).toBe('A3 02 A1 01 03 04 A4 05 A2');
  });

  test('an actor without units comes first by its number, and last by its name at any limit', async () => {
    expect(await hits('ABR900000000002')).toBe('A2');
    expect(await hits('park', '&typ=marktakteur&limit=1')).toBe('A3');
    expect(await hits('park', '&typ=marktakteur&limit=3')).toBe('A3 A1 A4');
  });

  test('a complete number comes first, of a unit or an actor', async () => {
    expect(await hits('SEE900000000001')).toBe('01 08');
    expect(await hits(' see900000000007 ')).toBe('07');
    expect(await hits('abr900000000004')).toBe('A4');
    expect(await hits('ABR900000000009')).toBe('');
  });

  test('the best up to the limit, whether there are more, and always the same', async () => {
    const response = await search('q=park&limit=3');
    expect(response.json.meta).toEqual({ count: 3, truncated: true });
    expect(await hits('park', '&limit=3')).toBe('A3 02 A1');
    expect((await search('q=park&limit=9')).json.meta).toEqual({ count: 9, truncated: false });
    expect((await search('q=park&typ=anlage&limit=4')).json.meta).toEqual({ count: 4, truncated: true });
  });
});

describe('spelling', () => {
  test.each([
    ['MULLER', 'A5 A4'],
    ['müller', 'A5 A4'],
    ['muhlstrasse', '06'],
    ['MÜHLSTRAẞE', '06'],
    ['solar  park', '03'],
    ['solar-park', '04'],
    ['(dach', '06'],
    ['100%', '06'],
    ['& s', 'A5'],
    ['.*', ''],
    ['__', ''],
    ['\u2010\u2010', ''],
    ['\uFFFD]', ''],
  ])('%j', async (text, expected) => {
    expect(await hits(text)).toBe(expected);
  });
});

describe('narrowed', () => {
  test.each([
    ['&typ=anlage', '02 01 03 04 05'],
    ['&typ=marktakteur', 'A3 A1 A4 A2'],
    ['&bundesland=Bayern', 'A1 01 03 04 A4'],
    ['&bundesland=Bayern,Hessen', 'A3 02 A1 01 03 04 A4 05'],
    ['&einheitTyp=solar', '03 04 05'],
    ['&einheitTyp=wind,solar&bundesland=Hessen', '02 05'],
    ['&typ=marktakteur&einheitTyp=wind', ''],
  ])('%s', async (more, expected) => {
    expect(await hits('park', more)).toBe(expected);
  });

  test('a number, too', async () => {
    expect(await hits('SEE900000000001', '&bundesland=Hessen')).toBe('');
    expect(await hits('ABR900000000004', '&bundesland=Hessen')).toBe('');
  });
});

describe('a hit', () => {
  test('of a unit', async () => {
    const { json } = await search('q=park nord&limit=2');
    expect(json.data[1]).toEqual({
      typ: 'anlage',
      id: 'SEE900000000001',
      name: 'Park Nord',
      beschreibung: 'Park AG',
      ort: 'Köln',
      bundesland: 'Bayern',
      latitude: 50.9,
      longitude: 6.9,
      einheitTyp: 'wind',
      bruttoleistungKw: 3000,
      links: { self: `${service.url}/v1/units/SEE900000000001` },
    });
  });

  test('of a unit below 30 kW has no coordinates', async () => {
    const { json } = await search('q=dach');
    expect(json.data).toMatchObject([
      { id: 'SEE900000000006', latitude: null, longitude: null, bruttoleistungKw: 29.9 },
    ]);
  });

  test('of an actor links to its units by its number', async () => {
    const { json } = await search('q=windpark');
    expect(json.data).toEqual([
      {
        typ: 'marktakteur',
        id: 'ABR900000000004',
        name: 'Windpark Müller GmbH',
        beschreibung: 'Anlagenbetreiber',
        ort: 'Köln',
        bundesland: 'Bayern',
        latitude: null,
        longitude: null,
        anlagenAnzahl: 90,
        links: { units: `${service.url}/v1/units?betreiberMastrNummer=ABR900000000004` },
      },
    ]);
  });
});

describe('the question', () => {
  test.each([
    ['', 'INVALID_PARAMETER'],
    ['q=a', 'INVALID_PARAMETER'],
    [`q=${'x'.repeat(101)}`, 'INVALID_PARAMETER'],
    ['q=%CC%88%CC%88', 'INVALID_PARAMETER'],
    ['q=%20%20', 'INVALID_PARAMETER'],
    ['q=%25%20', 'INVALID_PARAMETER'],
    ['q=park&typ=einheit', 'INVALID_PARAMETER'],
    ['q=park&einheitTyp=sun', 'INVALID_PARAMETER'],
    ['q=park&limit=51', 'INVALID_PARAMETER'],
    ['q=park&limit=0', 'INVALID_PARAMETER'],
    ['q=park&suche=x', 'UNKNOWN_PARAMETER'],
  ] as const)('400: %s', async (query, code) => {
    expectProblem(await search(query), 400, code);
  });

  test('needs units:read and no module but api', async () => {
    const bare = await makeCaller(service.store, { modules: ['api'] });
    expect((await search('q=park', withKey(bare))).status).toBe(200);
    const other = await makeCaller(service.store, {}, { scopes: ['region:read'] });
    expectProblem(await search('q=park', withKey(other)), 403, 'MISSING_SCOPE');
  });

  test('is answered with 304 while nothing has changed', async () => {
    const response = await search('q=park');
    const again = await search('q=park', { 'If-None-Match': response.headers.get('etag')! });
    expect([again.status, again.text]).toEqual([304, '']);
  });
});

test('both ampersands are the same, as they are in the texts of the register', async () => {
  const plain = await search(`q=${encodeURIComponent('Müller & Söhne')}`);
  expect(plain.json.data).toMatchObject([{ name: 'Müller & Söhne' }]);
  expect((await search(`q=${encodeURIComponent('Müller \uff06 Söhne')}`)).json.data).toEqual(plain.json.data);
});
