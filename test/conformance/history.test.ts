import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FIXTURE_VERSION, TODAY } from '../support/fixture.ts';
import { expectProblem } from '../support/requests.ts';
import { type OwnSubject, serveSharedFixture } from '../support/service.ts';

/** The state of a day, and what changed: what is refused, and what a register with one version says. What it says of several: test/api/history. */

let service: OwnSubject;
beforeAll(async () => {
  service = await serveSharedFixture();
});
afterAll(() => service.stop());

const UNIT = 'SEE900000000001';
const DAY = '2026-03-14';

const WITH_STAND = [
  '/v1/units?limit=3',
  `/v1/units/${UNIT}?include=standort`,
  '/v1/aggregations?groupBy=bundesland',
  '/v1/aggregations/zeitreihe?periode=jahr',
  '/v1/region/momentaufnahme?ebene=bundesland&region=Bayern',
  '/v1/region/zeitreihe?periode=jahr',
];

describe.each(WITH_STAND)('%s', (path) => {
  const asked = (stand: string) => service.get(`${path}${path.includes('?') ? '&' : '?'}stand=${stand}`);

  test.each([
    ['2026-03-13', /lies before the first state that is known, which is of 2026-03-14/],
    ['2026-03-16', new RegExp(`lies in the future: today is ${TODAY}`)],
    ['14.03.2026', /must be a calendar day YYYY-MM-DD/],
    ['2026-02-30', /must be a calendar day YYYY-MM-DD/],
  ])('refuses stand=%s', async (stand, detail) => {
    const response = await asked(stand);
    expectProblem(response, 400, 'INVALID_PARAMETER');
    expect(response.json.errors ?? response.json.violations ?? [response.json]).toMatchObject([{}]);
    expect(response.text).toMatch(detail);
  });

  test('answers the day of the version, and the days since, as the version does', async () => {
    const [now, then, today] = [(await service.get(path)).json, (await asked(DAY)).json, (await asked(TODAY)).json];
    expect(today.data).toEqual(now.data);
    // Its window ends with the day.
    if (!path.includes('momentaufnahme')) expect(then.data).toEqual(now.data);
  });
});

describe('stand', () => {
  test.each(['updatedSince=2026-03-15T00:00:00Z', 'syncToken=any'])('does not stand beside %s', async (delta) => {
    expectProblem(await service.get(`/v1/units?stand=${DAY}&${delta}`), 400, 'FILTER_CONFLICT');
  });

  test.each(['/v1/units?', '/v1/aggregations?groupBy=bundesland&', '/v1/aggregations/zeitreihe?'])(
    'does not stand beside suche: %s',
    async (path) => {
      expectProblem(await service.get(`${path}stand=${DAY}&suche=park`), 400, 'INVALID_PARAMETER');
    },
  );

  test('belongs to the question of a cursor, and its last page has no token', async () => {
    const { json } = await service.get(`/v1/units?limit=2&stand=${DAY}`);
    const { cursor } = json.meta.page;
    expect((await service.get(`/v1/units?limit=2&stand=${DAY}&cursor=${cursor}`)).status).toBe(200);
    expectProblem(await service.get(`/v1/units?limit=2&cursor=${cursor}`), 400, 'INVALID_CURSOR');
    const last = await service.get(`/v1/units?mastrNummern=${UNIT}&stand=${DAY}`);
    expect(last.json.meta.sync).toBeUndefined();
  });

  test('is a member of a body, too', async () => {
    const body = JSON.stringify({ stand: '2026-03-13' });
    const headers = { 'content-type': 'application/json' };
    expectProblem(await service.send('POST', '/v1/units/search', { body, headers }), 400, 'INVALID_PARAMETER');
  });

  test('of a unit that there was not is told apart from one that there is not', async () => {
    const response = await service.get(`/v1/units/SEE999999999999?stand=${DAY}`);
    expectProblem(response, 404, 'NOT_FOUND');
    expect(response.json.detail).toContain(`had no unit SEE999999999999 on ${DAY}`);
  });
});

describe('the history of a unit', () => {
  test('begins with the first version', async () => {
    const { json } = await service.get(`/v1/units/${UNIT}/historie`);
    expect(json).toMatchObject({
      data: { mastrNummer: UNIT, intervalle: [{ art: 'bestand', von: null, nach: null, bis: null, aenderungen: [] }] },
      meta: { count: 1, bekanntAb: DAY },
    });
  });

  test('is 404 for a unit that never was', async () => {
    expectProblem(await service.get('/v1/units/SEE999999999999/historie'), 404, 'NOT_FOUND');
  });
});

describe('the changes of the register', () => {
  test('are none after one version, and their cursor leads on', async () => {
    const { json } = await service.get('/v1/aenderungen');
    expect(json).toMatchObject({
      data: [],
      meta: { count: 0, hasMore: false, cursor: expect.any(String), bekanntAb: DAY },
    });
    const later = await service.get(`/v1/aenderungen?cursor=${json.meta.cursor}`);
    expect(later.json).toMatchObject({ data: [], meta: { count: 0 } });
  });

  test.each([
    ['von=2026-03-13', 'INVALID_PARAMETER'],
    ['bis=2026-03-16', 'INVALID_PARAMETER'],
    ['von=2026-03-15&bis=2026-03-14', 'FILTER_CONFLICT'],
    ['suche=park', 'INVALID_PARAMETER'],
    ['art=neuer', 'INVALID_PARAMETER'],
    ['feld=nichts', 'UNKNOWN_FIELD'],
    ['feld=bruttoleistungKw,ibnVerspaetungTage', 'FILTER_CONFLICT'],
  ] as const)('refuse %s', async (query, code) => {
    expectProblem(await service.get(`/v1/aenderungen?${query}`), 400, code);
  });

  test('moved no sum', async () => {
    const { json } = await service.get('/v1/aenderungen/summe?einheitTyp=wind');
    expect(json.data.vorher).toEqual(json.data.nachher);
    expect(json).toMatchObject({
      data: { vorher: { version: FIXTURE_VERSION, tag: DAY }, ursachen: [] },
      meta: { count: 0 },
    });
  });
});
