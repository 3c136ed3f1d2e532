import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openApiDocument } from '../../api/docs/openapi/document.ts';
import { OLDER_OPERATIONS } from '../../api/older/operations.ts';
import { addOlderRows } from '../../sql/org/older-rows.ts';
import type { OrganisationRow } from '../../sql/org/organisations.ts';
import { answerValidator } from '../support/answer-validator.ts';
import { makeKey, makeOrganisation } from '../support/organisation.ts';
import { expectProblem } from '../support/requests.ts';
import { type OwnSubject, serveOwnFixture, serveSharedFixture } from '../support/service.ts';

/** The older variant under /api/v1 (interface.md, Older variant; docs/older-variant.md). */

let service: OwnSubject;
let mustBeDescribed: ReturnType<typeof answerValidator>;
beforeAll(async () => {
  service = await serveSharedFixture();
  mustBeDescribed = answerValidator(openApiDocument(OLDER_OPERATIONS, service.url));
});
afterAll(() => service.stop());

/** Asks with a key in X-API-Key; each answer is checked against the description of the variant. */
async function get(path: string, headers: Record<string, string> = { 'X-API-Key': service.key }) {
  const sentAt = Date.now();
  const response = await fetch(`${service.url}${path}`, { headers });
  const text = await response.text();
  const seen = { status: response.status, headers: response.headers, text, sentAt, receivedAt: Date.now() };
  mustBeDescribed('GET', path, seen);
  return { ...seen, json: text === '' ? undefined : JSON.parse(text) };
}

async function keyOf(choices: Partial<OrganisationRow>) {
  const organisation = await makeOrganisation(service.store, choices);
  const { text } = await makeKey(service.store, organisation);
  return { organisation, headers: { 'X-API-Key': text } };
}

/** Reads all pages: the last two digits of the units' numbers. */
async function readPages(query: string) {
  const pages: string[][] = [];
  const cursors: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { json } = await get(`/api/v1/units?${query}${cursor === '' ? '' : `&cursor=${cursor}`}`);
    pages.push(json.data.map((unit: { mastrNummer: string }) => unit.mastrNummer.slice(-2)));
    expect(json.meta).toEqual({
      count: pages.at(-1)!.length,
      cursor: json.meta.cursor,
      hasMore: json.meta.cursor !== null,
    });
    cursor = json.meta.cursor;
    if (cursor !== null) cursors.push(cursor);
  }
  return { pages, cursors, numbers: pages.flat() };
}

describe('list of units', () => {
  test('exactly the members of the variant, with its names', async () => {
    const { json } = await get('/api/v1/units?energyType=wind&bundesland=Niedersachsen&leistungMin=3000&limit=1');
    expect(json).toEqual({
      data: [
        {
          mastrNummer: 'SEE900000000005',
          einheitTyp: 'WIND',
          name: 'WEA Zukunft',
          status: 'In Betrieb',
          bruttoleistung: 5600,
          inbetriebnahme: '2026-12-31',
          geplanteInbetriebnahme: null,
          bundesland: 'Niedersachsen',
          plz: '26736',
          latitude: 47.55,
          longitude: 9.123456,
        },
      ],
      meta: { count: 1, cursor: '5600:SEE900000000005', hasMore: true },
    });
  });

  test('the pages have every unit once, the greatest first, through ties and unknown capacities', async () => {
    const { numbers } = await readPages('limit=1000');
    expect(numbers).toHaveLength(36);
    expect(numbers.slice(0, 3)).toEqual(['34', '33', '26']);
    expect(numbers.at(-1)).toBe('20');
    for (const limit of [1, 2, 7]) expect((await readPages(`limit=${limit}`)).numbers).toEqual(numbers);
  });

  test('the cursor is the capacity and the number of the last unit, and continues after unknown capacities', async () => {
    const { cursors } = await readPages('gemeinde=Neustadt&limit=1');
    expect(cursors).toContain('9.9:SEE900000000015');
    const behind = await get('/api/v1/units?cursor=:SEE900000000019');
    expect(behind.json.data.map((unit: { mastrNummer: string }) => unit.mastrNummer)).toEqual(['SEE900000000020']);
    expect((await get('/api/v1/units?cursor=:SEE900000000020')).json).toEqual({
      data: [],
      meta: { count: 0, cursor: null, hasMore: false },
    });
  });

  test.each([
    ['energyType=nuclear', '34'],
    ['plz=02', '33 32'],
    ['landkreis=Görlitz', '33 32'],
    ['gemeinde=Lingen (Ems)', '34'],
    ['status=Stillgelegt&energyType=solar', '23 24'],
    ['status=Vorübergehend stillgelegt', '28 22'],
    ['inbetriebnahmeVon=2026-03-15&inbetriebnahmeBis=2026-03-15', '15 16'],
    ['geplanteInbetriebnahmeVon=2027-01-01', '07 31'],
    ['geplanteInbetriebnahmeBis=2026-01-31', '08 10'],
    ['leistungMin=29.999&leistungMax=30', '18 19'],
  ])('%s', async (query, expected) => {
    const { numbers } = await readPages(query.replaceAll(/[^&=]+/g, encodeURIComponent));
    expect(numbers.join(' ')).toBe(expected);
  });

  test('a cursor of more digits than a number holds continues after units of that capacity', async () => {
    const { json } = await get('/api/v1/units?limit=1&cursor=999999999999999.999:SEE900000000001');
    const { json: first } = await get('/api/v1/units?limit=1');
    expect(json.data).toEqual(first.data);
    expect((await get('/api/v1/units?leistungMin=999999999999999.999')).json.data).toEqual([]);
  });

  test('geojson: features with a point, or none where the unit has no coordinates', async () => {
    const seen = await get('/api/v1/units?format=geojson&bundesland=Th%C3%BCringen&limit=2');
    expect(seen.headers.get('content-type')).toBe('application/geo+json; charset=utf-8');
    expect(seen.json).toMatchObject({
      type: 'FeatureCollection',
      features: [
        { type: 'Feature', id: 'SEE900000000018', geometry: { type: 'Point', coordinates: [9.123456, 47.68] } },
        { type: 'Feature', id: 'SEE900000000019', geometry: null },
      ],
      meta: { count: 2, cursor: '29.999:SEE900000000019', hasMore: true },
    });
    expect(seen.json.features[0].properties).not.toHaveProperty('latitude');
    const accepted = await get('/api/v1/units?limit=2', { 'X-API-Key': service.key, Accept: 'application/geo+json' });
    expect(accepted.json.type).toBe('FeatureCollection');
  });
});

describe('one unit', () => {
  test('has the fields of every unit and those of its carrier, and no other', async () => {
    const solar = (await get('/api/v1/units/SEE900000000013')).json.data;
    expect(solar).toMatchObject({
      mastrNummer: 'SEE900000000013',
      einheitTyp: 'SOLAR',
      betreiber: null,
      anzahlModule: null,
    });
    expect(Object.keys(solar)).toEqual(expect.arrayContaining(['lage', 'hauptausrichtung', 'nettonennleistung']));
    expect(solar).not.toHaveProperty('nabenhoehe');
    const wind = (await get('/api/v1/units/SEE900000000001')).json.data;
    expect(wind).toMatchObject({
      einheitTyp: 'WIND',
      betreiber: 'Bürgerwind Südheide GmbH & Co. KG',
      nabenhoehe: null,
    });
    expect(wind).not.toHaveProperty('anzahlModule');
  });

  test('answers 404 for an unknown number, 400 for a malformed one', async () => {
    expectProblem(await get('/api/v1/units/SEE999999999999'), 404, 'NOT_FOUND');
    expectProblem(await get('/api/v1/units/SEE1'), 400, 'INVALID_PARAMS');
  });
});

describe('aggregations', () => {
  test('by carrier, with what is in operation, and totals that are the sum', async () => {
    const { json } = await get('/api/v1/aggregations?groupBy=energyType&bundesland=Nordrhein-Westfalen');
    expect(json).toEqual({
      data: {
        groupBy: 'energyType',
        groups: [{ energyType: 'storage', count: 2, totalMw: 51, inBetriebCount: 1, inBetriebMw: 1 }],
        totals: { count: 2, totalMw: 51 },
      },
      meta: {},
    });
  });

  test('by state; the units of no state are a group of their own', async () => {
    const { json } = await get('/api/v1/aggregations?groupBy=bundesland');
    const sum = json.data.groups.reduce((total: number, group: { count: number }) => total + group.count, 0);
    expect([sum, json.data.totals.count]).toEqual([36, 36]);
    expect(json.data.groups).toContainEqual({
      bundesland: null,
      count: 1,
      totalMw: 0.005,
      inBetriebCount: 1,
      inBetriebMw: 0.005,
    });
  });
});

describe('bad requests', () => {
  test.each([
    '/api/v1/units?limit=0',
    '/api/v1/units?limit=1001',
    '/api/v1/units?energyType=WIND',
    '/api/v1/units?status=in%20Betrieb',
    '/api/v1/units?cursor=3000',
    '/api/v1/units?cursor=1e3:SEE900000000001',
    '/api/v1/units?cursor=3000:ABR900000000001',
    '/api/v1/units?leistungMin=2&leistungMax=1',
    '/api/v1/units?inbetriebnahmeVon=2023-02-29',
    '/api/v1/units?geplanteInbetriebnahmeVon=2024-01-02&geplanteInbetriebnahmeBis=2024-01-01',
    '/api/v1/units?einheitTyp=wind',
    '/api/v1/units?format=csv',
    '/api/v1/units?plz=1&plz=2',
    '/api/v1/aggregations',
    '/api/v1/aggregations?groupBy=plz',
    '/api/v1/usage?nonsense=1',
  ])('%s', async (path) => {
    const seen = await get(path);
    expectProblem(seen, 400, 'INVALID_PARAMS');
    expect(seen.json.errors[0].code).toBe('INVALID_PARAMS');
  });
});

describe('keys, tiers and limits', () => {
  test('only X-API-Key counts', async () => {
    const bearer = { Authorization: `Bearer ${service.key}` };
    expectProblem(await get('/api/v1/units', bearer), 401, 'MISSING_API_KEY');
    // Nor does the answer ask for it.
    expect((await get('/api/v1/units', bearer)).headers.has('www-authenticate')).toBe(false);
    expectProblem(await get('/api/v1/units', { 'X-API-Key': 'mds_test_nonsense' }), 401, 'INVALID_API_KEY');
    expect((await get('/api/v1/usage', { 'X-API-Key': service.key, Authorization: 'Bearer other' })).status).toBe(200);
  });

  test('the tier is PRO by modules, ENTERPRISE by own limits; no other organisation has one', async () => {
    const pro = await keyOf({ modules: ['api', 'analysis'], limits: {} });
    expect((await get('/api/v1/usage', pro.headers)).json.data).toEqual({
      tier: 'PRO',
      rateLimit: { requests: 30, window: '1m' },
      usage: { rowsExported: 0, rowsLimit: 50_000 },
    });
    const enterprise = await keyOf({ modules: ['api', 'analysis'], limits: { standard: 10, exportRows: 7 } });
    expect((await get('/api/v1/usage', enterprise.headers)).json.data).toEqual({
      tier: 'ENTERPRISE',
      rateLimit: { requests: 60, window: '1m' },
      usage: { rowsExported: 0, rowsLimit: 7 },
    });
    for (const [modules, missing] of [
      [[], 'lacks api and analysis'],
      [['api'], 'lacks analysis'],
      [['analysis'], 'lacks api'],
      [['api', 'portfolio'], 'lacks analysis'],
    ] as const) {
      const { headers } = await keyOf({ modules: [...modules] });
      for (const path of ['/api/v1/units', '/api/v1/usage']) {
        const seen = await get(path, headers);
        expectProblem(seen, 403, 'INSUFFICIENT_TIER');
        expect(seen.json.detail).toMatch(new RegExp(`${missing}$`));
      }
    }
  });

  test('a key without units:read reads no units', async () => {
    const organisation = await makeOrganisation(service.store);
    const { text } = await makeKey(service.store, organisation, { scopes: ['region:read'] });
    for (const path of ['/api/v1/units', '/api/v1/units/SEE900000000001', '/api/v1/aggregations?groupBy=bundesland']) {
      expectProblem(await get(path, { 'X-API-Key': text }), 403, 'MISSING_SCOPE');
    }
  });

  test('thirty calls a minute, counted apart from those of /v1', async () => {
    const { headers } = await keyOf({ modules: ['api', 'analysis'], limits: {} });
    for (let call = 1; call <= 30; call++) {
      const seen = await get('/api/v1/usage', headers);
      expect(seen.headers.get('ratelimit')).toMatch(new RegExp(`^"older";r=${30 - call};`));
    }
    expectProblem(await get('/api/v1/usage', headers), 429, 'RATE_LIMIT_EXCEEDED');
    const now = await service.get('/v1/usage', headers);
    expect([now.status, now.json.data.requests.used]).toEqual([200, 0]);
  });

  test('rows are counted: units of lists and details, not of 304 and aggregations; used up, the month is over', async () => {
    const { organisation, headers } = await keyOf({ limits: { exportRows: 10 } });
    const used = async () => (await get('/api/v1/usage', headers)).json.data.usage.rowsExported;
    const page = await get('/api/v1/units?limit=4', headers);
    await get('/api/v1/units/SEE900000000001', headers);
    await get('/api/v1/aggregations?groupBy=bundesland', headers);
    await get('/api/v1/units?limit=4', { ...headers, 'If-None-Match': page.headers.get('etag')! });
    expect(await used()).toBe(5);
    await service.store.asOrganisation(organisation.id, (session) => session.run(addOlderRows(organisation.id, 4)));
    expect((await get('/api/v1/units?limit=4', headers)).json.meta.count).toBe(4);
    expect(await used()).toBe(13);
    const refused = await get('/api/v1/units?limit=4', headers);
    expectProblem(refused, 429, 'RATE_LIMIT_EXCEEDED');
    expect(refused.json.retryAfter).toBeGreaterThan(Date.now());
  });
});

describe('its end', () => {
  test.each(['/api/v1/units', '/api/v1/units/SEE900000000001', '/api/v1/units?nonsense=1'])(
    '%s tells it',
    async (path) => {
      const { headers } = await get(path);
      expect(headers.get('deprecation')).toBe('@1786406400');
      expect(headers.get('sunset')).toBe('Fri, 31 Dec 2027 23:59:59 GMT');
      const successor = `${service.url}${path.replace('/api', '').replace(/\?.*/, '')}`;
      expect(headers.get('link')).toBe(`<${successor}>; rel="successor-version"`);
    },
  );

  test('unchanged answers are 304', async () => {
    for (const path of [
      '/api/v1/units?limit=2',
      '/api/v1/units/SEE900000000001',
      '/api/v1/aggregations?groupBy=bundesland',
    ]) {
      const tag = (await get(path)).headers.get('etag')!;
      expect((await get(path, { 'X-API-Key': service.key, 'If-None-Match': tag })).status).toBe(304);
    }
  });

  test('OLDER_API=off takes it away', async () => {
    const without = await serveOwnFixture({ OLDER_API: 'off' });
    try {
      expectProblem(await without.get('/api/v1/units'), 404, 'NOT_FOUND');
    } finally {
      await without.stop();
    }
  });
});
