import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectProblem } from '../support/requests.ts';
import { type ServiceResponse, type Subject, serveFixture, shortNumbers } from '../support/service.ts';

/** POST /v1/units/search, the twin of GET /v1/units (interface.md, Assets). */

let service: Subject;
beforeAll(async () => {
  service = await serveFixture();
});
afterAll(() => service.stop());

const post = (body: unknown, headers: Record<string, string> = {}): Promise<ServiceResponse> =>
  service.send('POST', '/v1/units/search', {
    headers: { 'Content-Type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

test('an empty object selects everything', async () => {
  const [response, get] = await Promise.all([post({}), service.get('/v1/units')]);
  expect(response.json).toEqual(get.json);
  expect(response.json.meta.page.total).toBe(36);
});

test('every member that is no filter', async () => {
  const body = {
    einheitTyp: ['wind'],
    sort: 'bruttoleistungKw:desc',
    limit: 2,
    fields: ['name', 'betreiberName'],
    include: ['technik'],
    expand: ['marktakteur'],
    format: 'geojson',
  };
  const response = await post(body);
  const query = 'einheitTyp=wind&sort=bruttoleistungKw:desc&limit=2&fields=name,betreiberName&include=technik';
  const get = await service.get(`/v1/units?${query}&expand=marktakteur&format=geojson`);
  expect(response.text).toBe(get.text);
  expect(response.json.features).toHaveLength(2);
});

test('it is not a write: no entity tag, no caching, and an idempotency key is ignored', async () => {
  const first = await post({ limit: 1 }, { 'Idempotency-Key': 'a' });
  const second = await post({ limit: 2 }, { 'Idempotency-Key': 'a' });
  expect([first.json.meta.page.count, second.json.meta.page.count]).toEqual([1, 2]);
  expect(first.headers.get('etag')).toBeNull();
  expect(first.headers.get('cache-control')).toBe('no-store');
  expect(first.headers.get('ratelimit-policy')).toMatch(/^"standard"/);
});

test('a GET of the address is 405, and never a unit', async () => {
  const response = await service.get('/v1/units/search');
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
});

describe('pages', () => {
  const body = {
    suche: 'Süd heide',
    hauptbrennstoff: ['Abfall, fest', 'Öl "leicht"'],
    leistungMinKw: 1e-7,
    hatGenehmigung: false,
  };

  test('each accepts cursors of the other', async () => {
    const fromGet = (await service.get('/v1/units?einheitTyp=solar&limit=5')).json.meta.page.cursor;
    const response = await post({ einheitTyp: ['solar'], limit: 5, cursor: fromGet });
    expect(shortNumbers(response)).toEqual(['18', '19', '20', '21', '22']);
    const next = await service.get(`/v1/units?einheitTyp=solar&limit=5&cursor=${response.json.meta.page.cursor}`);
    expect(shortNumbers(next)).toEqual(['23', '24', '36']);
    expect(next.json.meta.page.total).toBe(13);
  });

  test('the links lead to GET /v1/units with the same query', async () => {
    const response = await post({
      einheitTyp: ['wind'],
      leistungMinKw: 0.5,
      hatKoordinaten: true,
      sort: 'mastrNummer:desc',
      limit: 2,
    });
    const next = new URL(/<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1] ?? '');
    expect(next.pathname).toBe('/v1/units');
    expect(Object.fromEntries(next.searchParams)).toEqual({
      einheitTyp: 'wind',
      leistungMinKw: '0.5',
      hatKoordinaten: 'true',
      sort: 'mastrNummer:desc',
      limit: '2',
      cursor: response.json.meta.page.cursor,
    });
    expect(shortNumbers(await service.get(next.pathname + next.search))).toEqual(['11', '10']);
    const second = await post({ ...body, cursor: undefined });
    expect(second.headers.get('link')).toBeNull();
  });

  test('a link that would be longer than 8 KiB is omitted; meta has the cursor', async () => {
    const mastrNummern = Array.from({ length: 500 }, (_, index) => `SEE${String(900000000001 + index)}`);
    const response = await post({ mastrNummern, limit: 3, landkreis: undefined });
    expect(response.json.meta.page).toMatchObject({ count: 3, hasMore: true, total: 36 });
    // 500 numbers with encoded commas are some 9 KiB.
    expect(response.headers.get('link')).toBeNull();
    const next = await post({ mastrNummern, limit: 3, cursor: response.json.meta.page.cursor });
    expect(shortNumbers(next)).toEqual(['04', '05', '06']);
  });

  test('a cursor that belongs to another query', async () => {
    const { cursor } = (await post({ einheitTyp: ['wind'], limit: 2 })).json.meta.page;
    const response = await post({ einheitTyp: ['solar'], cursor });
    expect([response.status, response.json.code, response.json.errors[0].pointer]).toEqual([
      400,
      'INVALID_CURSOR',
      '#/cursor',
    ]);
  });
});

describe('400', () => {
  test.each([
    [{ einheitTyp: 'wind' }, 'INVALID_BODY', '#/einheitTyp'],
    [{ einheitTyp: [] }, 'INVALID_BODY', '#/einheitTyp'],
    [{ einheitTyp: ['wind', 'Solar'] }, 'INVALID_PARAMETER', '#/einheitTyp/1'],
    [{ hatKoordinaten: 'true' }, 'INVALID_BODY', '#/hatKoordinaten'],
    [{ leistungMinKw: '5' }, 'INVALID_BODY', '#/leistungMinKw'],
    [{ leistungMinKw: 2, leistungMaxKw: 1 }, 'FILTER_CONFLICT', '#/leistungMinKw'],
    [{ inbetriebnahmeVon: '2024-13-01' }, 'INVALID_BODY', '#/inbetriebnahmeVon'],
    [{ mastrNummern: ['SEE1'] }, 'INVALID_PARAMETER', '#/mastrNummern/0'],
    [
      { mastrNummern: Array.from({ length: 501 }, (_, i) => `SEE${900000000000 + i}`) },
      'TOO_MANY_VALUES',
      '#/mastrNummern',
    ],
    [{ signals: ['neu'] }, 'UNKNOWN_SIGNAL', '#/signals/0'],
    [{ limit: 0 }, 'INVALID_PARAMETER', '#/limit'],
    [{ limit: '10' }, 'INVALID_BODY', '#/limit'],
    [{ limit: 2.5 }, 'INVALID_PARAMETER', '#/limit'],
    [{ sort: ['mastrNummer:asc'] }, 'INVALID_BODY', '#/sort'],
    [{ sort: 'ort:asc' }, 'NOT_SORTABLE', '#/sort'],
    [{ format: 'pdf' }, 'INVALID_BODY', '#/format'],
    [{ fields: ['nam'] }, 'UNKNOWN_FIELD', '#/fields'],
    [{ include: ['strasse'] }, 'INVALID_PARAMETER', '#/include/0'],
    [{ expand: 'marktakteur' }, 'INVALID_BODY', '#/expand'],
    [{ cursor: 'abc' }, 'INVALID_CURSOR', '#/cursor'],
    [{ name: null }, 'UNKNOWN_PARAMETER', '#/name'],
    [{ bundesland: null }, 'INVALID_BODY', '#/bundesland'],
  ])('%j', async (body, code, pointer) => {
    const response = await post(body);
    expect([response.status, response.json.code, response.json.errors[0].pointer]).toEqual([400, code, pointer]);
    expect(response.json.errors[0].detail).toContain(pointer.split('/')[1]);
  });

  test.each(['', '[]', 'null', '"x"', '{"limit":1'])('a body that is no object: %s', async (body) => {
    const response = await post(body);
    expect([response.status, response.json.code]).toEqual([400, 'INVALID_BODY']);
  });

  test.each([
    ['{"limit":1,"limit":1}', '#/limit'],
    ['{"einheitTyp":["wind"],"bundesland":["Bayern"],"einheit\\u0054yp":["solar"]}', '#/einheitTyp'],
  ])('a member twice: %s', async (body, pointer) => {
    const response = await post(body);
    expectProblem(response, 400, 'INVALID_BODY');
    expect(response.json.errors).toMatchObject([{ pointer, code: 'INVALID_BODY' }]);
  });

  test('a member with half a character for its name', async () => {
    expectProblem(await post('{"\\ud800":1}'), 400, 'UNKNOWN_PARAMETER');
  });

  test('a list value is compared unchanged, as in a query', async () => {
    expect((await post({ bundesland: [' Bayern'] })).json.data).toEqual([]);
    expect((await service.get('/v1/units?bundesland=%20Bayern')).json.data).toEqual([]);
    expectProblem(await post({ einheitTyp: [' wind'] }), 400, 'INVALID_PARAMETER');
    expectProblem(await service.get('/v1/units?einheitTyp=%20wind'), 400, 'INVALID_PARAMETER');
  });

  test('a mistyped member, with the nearest name', async () => {
    const { json } = await post({ bundesLand: ['Bayern'] });
    expect(json.detail).toMatch(/did you mean bundesland\?/);
  });

  test('filters in the query are not ignored', async () => {
    const response = await service.send('POST', '/v1/units/search?einheitTyp=wind', {
      headers: { 'Content-Type': 'application/json' },
      body: '{}',
    });
    expect([response.status, response.json.code]).toEqual([400, 'UNKNOWN_PARAMETER']);
  });
});
