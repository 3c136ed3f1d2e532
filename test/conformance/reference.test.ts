import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OPERATIONS } from '../../api/operations.ts';
import { SIGNAL_IDS } from '../../sql/catalogue/signals.ts';
import { makeCaller } from '../support/organisation.ts';
import { expectProblem, withKey } from '../support/requests.ts';
import { type OwnSubject, serveSharedFixture } from '../support/service.ts';

/** GET /v1/reference, /v1/reference/{set} and /v1/datasets (interface.md, Reference data and datasets). */

let service: OwnSubject;
beforeAll(async () => {
  service = await serveSharedFixture();
});
afterAll(() => service.stop());

const getValues = (set: string, query: Record<string, string> = {}, headers?: Record<string, string>) =>
  service.get(`/v1/reference/${set}?${new URLSearchParams(query)}`, headers);

/** Values as `value count`, to be read. */
const values = async (set: string, query: Record<string, string> = {}): Promise<string> =>
  (await getValues(set, query)).json.data
    .map(({ value, count }: { value: string; count: number }) => `${value} ${count}`)
    .join(', ');

describe('the directory', () => {
  test('has every filter with a value help: what kind it is, and whether it needs q', async () => {
    const { json } = await service.get('/v1/reference');
    const kinds = Object.fromEntries(json.data.map(({ name, kind }: { name: string; kind: string }) => [name, kind]));
    expect(kinds).toMatchObject({
      einheitTyp: 'static',
      signals: 'static',
      solarSpeicherVorhanden: 'static',
      eegAbleitbarkeit: 'static',
      bundesland: 'enumerable',
      betriebsStatus: 'enumerable',
      energietraeger: 'enumerable',
      hauptbrennstoff: 'enumerable',
      gemeinde: 'searchable',
      plz: 'searchable',
      betreiber: 'searchable',
      netzbetreiber: 'searchable',
      windTypenbezeichnung: 'searchable',
    });
    for (const name of ['mastrNummern', 'betreiberMastrNummer', 'suche', 'leistungMinKw', 'hatKoordinaten']) {
      expect(kinds).not.toHaveProperty(name);
    }
    expect(json.meta).toEqual({ count: json.data.length });
    for (const { name, filter, kind, requiresQuery } of json.data) {
      expect([filter, requiresQuery]).toEqual([name, kind === 'searchable']);
    }
  });

  test('every set of it refuses a text of blanks and accents only', async () => {
    const { json } = await service.get('/v1/reference');
    for (const { name } of json.data) {
      for (const q of [' ', '\0', '\u0308', '\u00a0\u0308']) {
        expectProblem(await getValues(name, { q }), 400, 'INVALID_PARAMETER');
      }
    }
  });

  test('every set of it answers', async () => {
    const { json } = await service.get('/v1/reference');
    for (const { name } of json.data) expect((await getValues(name, { q: 'a' })).status, name).toBe(200);
  });
});

describe('values', () => {
  test.each([
    [
      'bundesland',
      {},
      'Bayern 9, Niedersachsen 8, Brandenburg 4, Thüringen 4, Berlin 3, Baden-Württemberg 2, Nordrhein-Westfalen 2, Sachsen 2, Ausschließliche Wirtschaftszone 1',
    ],
    ['bundesland', { einheitTyp: 'storage,nuclear' }, 'Nordrhein-Westfalen 2, Niedersachsen 1'],
    ['bundesland', { q: 'württ' }, 'Baden-Württemberg 2'],
    ['bundesland', { q: 'WURTT' }, 'Baden-Württemberg 2'],
    ['bundesland', { q: 'ausschliessliche' }, 'Ausschließliche Wirtschaftszone 1'],
    // Those that begin with it first, though others are more frequent.
    ['bundesland', { q: 's' }, 'Sachsen 2, Niedersachsen 8, Nordrhein-Westfalen 2, Ausschließliche Wirtschaftszone 1'],
    ['bundesland', { q: 'en', limit: '2' }, 'Niedersachsen 8, Brandenburg 4'],
    ['bundesland', { q: '%' }, ''],
    ['gemeinde', { q: 'neu' }, 'Neustadt, Thüringen 4, 09184135 3, 09575153 3'],
    ['plz', { q: '02' }, '02826 2'],
    ['betreiber', { q: 'suedheide' }, ''],
    ['betreiber', { q: 'sudheide' }, 'Bürgerwind Südheide GmbH & Co. KG 13'],
    ['einheitTyp', {}, 'solar 13, wind 13, biomass 2, combustion 2, hydro 2, storage 2, geothermal 1, nuclear 1'],
    ['einheitTyp', { einheitTyp: 'wind' }, 'wind 13'],
    ['eegAbleitbarkeit', { einheitTyp: 'solar' }, 'exakt 2, geschaetzt 1'],
    ['eegAbleitbarkeit', {}, 'geschaetzt 4, exakt 2, nicht_ableitbar 2'],
  ] as const)('%s %o', async (set, query, expected) => {
    expect(await values(set, query)).toBe(expected);
  });

  test('signals: those that the organisation is entitled to', async () => {
    const named = async (key: string) =>
      (await getValues('signals', {}, withKey(key))).json.data.map(({ value }: { value: string }) => value).sort();
    expect(await named(service.key)).toEqual([...SIGNAL_IDS].sort());
    const few = await makeCaller(service.store, { signals: ['grossspeicher', 'neu_registriert'] });
    expect(await named(few)).toEqual(['grossspeicher', 'neu_registriert']);
  });

  test('signals have a name and a meaning, in each form', async () => {
    const { json } = await getValues('signals');
    expect(json.data.find(({ value }: { value: string }) => value === 'grossspeicher')).toMatchObject({
      name: 'Großspeicher',
      beschreibung: 'Speicher ab 1 MW',
      title: 'Large storage',
      description: 'Storage from 1 MW on',
    });
    const { text } = await getValues('signals', { format: 'csv' });
    expect(text.split('\r\n')[0]).toBe('value,count,name,beschreibung,title,description');
    expect(text).toContain('Speicher ab 1 MW');
  });

  test('a set of a module needs the module', async () => {
    const key = await makeCaller(service.store, { modules: ['api', 'analysis'] });
    expectProblem(await getValues('eegAbleitbarkeit', {}, withKey(key)), 403, 'MISSING_MODULE');
  });
});

describe('bad requests', () => {
  test('an unknown set is 404, with the nearest name', async () => {
    const response = await getValues('bundesländer');
    expectProblem(response, 404, 'NOT_FOUND');
    expect(response.json.detail).toContain('did you mean bundesland?');
    expectProblem(await getValues('mastrNummern'), 404, 'NOT_FOUND');
  });

  test('a searchable set without q', async () => {
    const response = await getValues('gemeinde');
    expectProblem(response, 400, 'INVALID_PARAMETER');
    expect(response.json.errors).toEqual([
      { parameter: 'q', code: 'INVALID_PARAMETER', detail: expect.stringContaining('q is required') },
    ]);
  });

  test.each([
    [{ q: 'a', limit: '0' }, 'INVALID_PARAMETER'],
    [{ q: 'a', limit: '101' }, 'INVALID_PARAMETER'],
    [{ q: '' }, 'INVALID_PARAMETER'],
    [{ q: 'a'.repeat(101) }, 'INVALID_PARAMETER'],
    [{ q: 'a', einheitTyp: 'Wind' }, 'INVALID_PARAMETER'],
    [{ q: 'a', cursor: 'x' }, 'UNKNOWN_PARAMETER'],
  ] as const)('%o', async (query, code) => {
    expectProblem(await getValues('gemeinde', query), 400, code);
  });
});

describe('datasets', () => {
  test('each with its day, its exact rows, and the path to read it', async () => {
    const { json } = await service.get('/v1/datasets');
    const listed = json.data.map(({ name, rows, rowsExact, asOf }: Record<string, unknown>) => [
      name,
      rows,
      rowsExact,
      asOf,
    ]);
    expect(listed).toEqual([
      ['mastr_einheiten', 36, true, '2026-03-14'],
      ['mastr_marktakteure', 2, true, '2026-03-14'],
      ['mastr_regionen', expect.any(Number), true, '2026-03-14'],
      // As new as the newest round that has results, or an award list.
      ['ausschreibungen', 7, true, '2023-06-28'],
      ['zuschlaege', 6, true, '2023-06-28'],
    ]);
    expect(json.meta).toEqual({ count: 5 });
    const paths = new Set(OPERATIONS.map(({ path }) => path));
    for (const { endpoints } of json.data) for (const path of endpoints) expect(paths).toContain(path);
  });

  test('with licence, and an attribution that has state and change note', async () => {
    const { json } = await service.get('/v1/datasets');
    const ofRegister = json.data.filter(({ name }: { name: string }) => name.startsWith('mastr_'));
    for (const { lizenzen, veraendert, aenderungsvermerk, quellenvermerk } of ofRegister) {
      expect(lizenzen).toEqual([
        {
          bezeichnung: 'Datenlizenz Deutschland – Namensnennung – Version 2.0',
          url: 'https://www.govdata.de/dl-de/by-2-0',
          bereitsteller: 'Bundesnetzagentur',
          giltFuer: expect.stringContaining('Marktstammdatenregister'),
          shareAlike: false,
        },
      ]);
      expect(veraendert).toBe(true);
      for (const part of ['Bundesnetzagentur', 'Stand 14.03.2026', lizenzen[0].url, aenderungsvermerk]) {
        expect(quellenvermerk).toContain(part);
      }
    }
  });

  test('results of tenders name no licence that they do not have; what is from the register keeps its own', async () => {
    const { json } = await service.get('/v1/datasets');
    const [rounds, awards] = json.data.slice(3);
    expect(rounds.lizenzen).toEqual([]);
    expect(awards.lizenzen).toEqual([
      expect.objectContaining({
        url: 'https://www.govdata.de/dl-de/by-2-0',
        giltFuer: expect.stringContaining('Einheiten'),
      }),
    ]);
    for (const { lizenzHinweis, quellenvermerk, aenderungsvermerk } of [rounds, awards]) {
      expect(lizenzHinweis).toContain('§ 35 EEG');
      for (const part of ['Bundesnetzagentur', 'Stand 28.06.2023', aenderungsvermerk])
        expect(quellenvermerk).toContain(part);
    }
  });
});

test('unchanged answers are 304', async () => {
  for (const path of ['/v1/reference', '/v1/reference/gemeinde?q=neu', '/v1/datasets']) {
    const tag = (await service.get(path)).headers.get('etag')!;
    const again = await service.get(path, { ...withKey(service.key), 'If-None-Match': tag });
    expect([again.status, again.text], path).toEqual([304, '']);
  }
});

test('both ampersands are the same in every question, as they are in the texts of the register', async () => {
  const name = 'Bürgerwind Südheide GmbH & Co. KG';
  const asked = (spelling: string) => [
    service.get(`/v1/units?${new URLSearchParams({ betreiber: spelling, fields: 'mastrNummer' })}`),
    service.get(`/v1/units?${new URLSearchParams({ suche: spelling, fields: 'mastrNummer' })}`),
    service.get(`/v1/aggregations?${new URLSearchParams({ groupBy: 'bundesland', betreiber: spelling })}`),
    service.send('POST', '/v1/units/search', {
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ betreiber: [spelling] }),
    }),
  ];
  const found = await Promise.all(asked(name));
  for (const [index, { status, json }] of found.entries()) {
    expect([status, (json.data.groups ?? json.data).length > 0], `question ${index}`).toEqual([200, true]);
  }
  for (const [index, { status, json }] of (await Promise.all(asked(name.replace('&', '\uff06')))).entries()) {
    expect([status, json.data], `question ${index}`).toEqual([200, found[index]?.json.data]);
  }
});
