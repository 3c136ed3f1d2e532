import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { REUSABLE } from '../../api/operation/kinds.ts';
import type { Operation } from '../../api/operation/operation.ts';
import { OPERATIONS } from '../../api/operations.ts';
import { publish } from '../../sql/warehouse/versions.ts';
import { cases, sameInEveryRun } from '../support/cases.ts';
import { FIXTURE_VERSION, publishFixture, temporaryFolder } from '../support/fixture.ts';
import { freePort } from '../support/listening.ts';
import { makeCaller, makeKey, makeOrganisation } from '../support/organisation.ts';
import { callOperation, withKey } from '../support/requests.ts';
import { type OwnSubject, type ServiceResponse, serve } from '../support/service.ts';

/** An answer that is given again is the answer that would be made: to the byte, to nobody else, and to nothing else. */

let folder: ReturnType<typeof temporaryFolder>;
let keeping: OwnSubject;
let making: OwnSubject;
beforeAll(async () => {
  folder = temporaryFolder();
  await publishFixture(folder.path);
  // Links, tags and cursors of both are alike.
  const alike = { BASE_URL: 'https://api.example', SIGNING_KEY: 'one key for both of these services' };
  const start = async (ANSWER_CACHE_MB: string) =>
    serve(folder.path, { ...alike, ANSWER_CACHE_MB, PORT: String(await freePort()), METRICS_PORT: '0' });
  [keeping, making] = [await start('8'), await start('0')];
});
afterAll(async () => {
  await Promise.all([keeping.stop(), making.stop()]);
  folder.remove();
});

/** Headers of one request, which differ from answer to answer. */
const OF_ONE_REQUEST = [
  'x-request-id',
  'server-timing',
  'date',
  'ratelimit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
];

function whatWasSaid({ status, headers, text }: ServiceResponse) {
  const said = Object.fromEntries([...headers].filter(([name]) => !OF_ONE_REQUEST.some((one) => name.startsWith(one))));
  const id = headers.get('x-request-id') ?? '';
  return { status, headers: said, text: text.replaceAll(id, 'the request') };
}

type Ask = (service: OwnSubject) => Promise<ServiceResponse>;

const get =
  (path: string, headers: Record<string, string> = {}): Ask =>
  (service) =>
    service.get(path, headers);

const post =
  (body: object): Ask =>
  (service) =>
    service.send('POST', '/v1/units/search', {
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });

/** Asks until the answer has been given again, and compares each with one that was made. */
async function expectSame(...asks: readonly Ask[]): Promise<void> {
  for (const ask of [...asks, ...asks]) {
    expect(whatWasSaid(await ask(keeping))).toEqual(whatWasSaid(await ask(making)));
  }
}

async function sought(): Promise<Record<'hit' | 'joined' | 'miss', number>> {
  const text = await (await fetch(`${keeping.metricsUrl}`)).text();
  const of = (outcome: string) =>
    Number(new RegExp(`energy_answers_total\\{outcome="${outcome}"\\} (\\d+)`).exec(text)?.[1]);
  return { hit: of('hit'), joined: of('joined'), miss: of('miss') };
}

/** Counts the answers that are made while these questions are asked, one after the other. */
async function madeFor(...asks: readonly Ask[]): Promise<number> {
  const before = await sought();
  for (const ask of asks) await ask(keeping);
  const { miss, hit } = await sought();
  expect(miss - before.miss + (hit - before.hit)).toBe(asks.length);
  return miss - before.miss;
}

describe('the same bytes', () => {
  const reusable: readonly Operation[] = OPERATIONS.filter(
    (operation) => operation.access !== 'public' && REUSABLE.includes(operation),
  );

  test('are given by every operation whose answers may be given again', async () => {
    expect(reusable.length).toBeGreaterThan(10);
    for (const operation of reusable) await expectSame((service) => callOperation(service, operation));
  });

  test('as JSON, GeoJSON and CSV, with and without compression', async () => {
    for (const path of [
      '/v1/units?limit=30',
      '/v1/units?limit=30&format=geojson',
      '/v1/units?format=csv&dialekt=excel&quelle=true&fields=links,name',
    ]) {
      for (const encoding of ['identity', 'gzip', 'br']) await expectSame(get(path, { 'Accept-Encoding': encoding }));
    }
    await expectSame(
      get('/v1/aggregations?groupBy=landkreis', { Accept: 'text/csv' }),
      get('/v1/aggregations?groupBy=landkreis'),
    );
  });

  test('with the rows that the audit log counts', async () => {
    const path = '/v1/units?limit=7';
    for (let time = 0; time < 2; time++) await keeping.get(path);
    const rowCounts = async () => {
      const { data } = (await keeping.get('/v1/audit-log?limit=50')).json;
      return data
        .filter(({ pfad }: { pfad: string }) => pfad === '/v1/units')
        .slice(0, 2)
        .map(({ zeilen }: { zeilen: number }) => zeilen);
    };
    await expect.poll(rowCounts).toEqual([7, 7]);
  });

  test('also for refusals, which are never kept', async () => {
    const paths = [
      '/v1/units/SEE999999999999',
      '/v1/units?cursor=x',
      '/v1/reference/betreiber',
      '/v1/units?syncToken=x',
      '/v1/ausschreibungen/1/zuschlaege',
    ];
    await expectSame(...paths.map((path) => get(path)), post({ cursor: 'x' }), post({ syncToken: 'x' }));
  });

  test('for tags: what was given again is not sent to who has it', async () => {
    const path = '/v1/units?limit=3';
    const first = await keeping.get(path);
    const again = await keeping.get(path, { 'If-None-Match': first.headers.get('etag') ?? '' });
    expect([first.status, again.status, again.text]).toEqual([200, 304, '']);
  });
});

describe('one answer', () => {
  test('is made for a question however it is written, with links as the caller wrote it', async () => {
    const ways = [
      get('/v1/units?einheitTyp=wind,solar&leistungMinKw=1&limit=2'),
      get('/v1/units?limit=2&leistungMinKw=1.0&einheitTyp=solar,wind,solar'),
      get('/v1/units?limit=2&leistungMinKw=1&einheitTyp=solar,wind&sort=mastrNummer:asc'),
      post({ einheitTyp: ['wind', 'solar'], leistungMinKw: 1, limit: 2 }),
    ];
    expect(await madeFor(...ways)).toBe(1);
    await expectSame(...ways);
    const links = await Promise.all(ways.map(async (ask) => (await ask(keeping)).headers.get('link')));
    expect(new Set(links).size).toBe(ways.length);
  });

  test('is made for equal spellings of what is searched for', async () => {
    expect(await madeFor(get('/v1/units?suche=WINDPARK'), get('/v1/units?suche=windpark'))).toBe(1);
    expect(await madeFor(get('/v1/search?q=Wind'), get('/v1/search?q=wInD&limit=20'))).toBe(1);
    expect(await madeFor(get('/v1/reference/gemeinde?q=A'), get('/v1/reference/gemeinde?q=a'))).toBe(1);
  });

  test('is made when many ask at once', async () => {
    const before = await sought();
    const path = '/v1/aggregations?groupBy=betriebsStatus&einheitTyp=solar';
    const answers = await Promise.all(Array.from({ length: 8 }, () => keeping.get(path)));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect((await sought()).miss - before.miss).toBe(1);
  });

  test('outlives whoever asked first', async () => {
    const path = '/v1/units?limit=5&sort=bruttoleistungKw:desc';
    const hangUp = new AbortController();
    const first = keeping.send('GET', path, { signal: hangUp.signal }).catch(() => 'hung up');
    const second = keeping.get(path);
    hangUp.abort();
    expect(await first).toBe('hung up');
    expect(whatWasSaid(await second)).toEqual(whatWasSaid(await making.get(path)));
  });

  test('is made anew for another version, at once', async () => {
    const own = temporaryFolder();
    await publishFixture(own.path);
    const service = await serve(own.path);
    try {
      const before = await service.get('/v1/datasets/version');
      for (let time = 0; time < 2; time++) await service.get('/v1/units?limit=1');
      const watermark = async () => (await service.get('/v1/units?einheitTyp=wind&limit=250')).json.meta.sync.watermark;
      const old = await watermark();
      expect(await watermark()).toBe(old);
      publish(own.path, FIXTURE_VERSION, 'rollback', new Date());
      await expect.poll(watermark).not.toBe(old);
      expect((await service.get('/v1/datasets/version')).json.data.veroeffentlichtAm).not.toBe(
        before.json.data.veroeffentlichtAm,
      );
    } finally {
      await service.stop();
      own.remove();
    }
  });
});

describe('nobody gets what is another’s', () => {
  let key: string;
  beforeEach(async () => {
    key = await makeCaller(keeping.store, { modules: ['api', 'analysis'], signals: [] });
  });

  const shown = (path: string, headers: Record<string, string> = {}) => keeping.get(path, headers);

  test('fields and signals are those of who asks, whoever asked before', async () => {
    for (const path of ['/v1/units?fields=signals,eegFoerderbeginn&limit=250', '/v1/units/SEE900000000001']) {
      const ours = await shown(path);
      const theirs = await shown(path, withKey(key));
      expect(JSON.stringify(theirs.json)).not.toBe(JSON.stringify(ours.json));
      const rows = [theirs.json.data].flat();
      expect(rows.flatMap(({ signals = [] }) => signals)).toEqual([]);
      expect(rows.every((row) => !('eegFoerderbeginn' in row))).toBe(true);
      expect((await shown(path)).text).toBe(ours.text);
    }
  });

  test('refusals hold although the answer is kept', async () => {
    const path = '/v1/units?include=eeg&limit=3';
    expect((await shown(path)).status).toBe(200);
    expect((await shown(path, withKey(key))).json.code).toBe('MISSING_MODULE');
    const noScope = await makeKey(keeping.store, keeping.organisation, { scopes: ['portfolio:read'] });
    expect((await shown('/v1/units?limit=3', withKey(noScope.text))).json.code).toBe('MISSING_SCOPE');
  });

  test('calls that are answered again count, and end at the limit', async () => {
    const few = { standard: 2, mutation: 2, expensive: 2 };
    const limited = await makeKey(keeping.store, await makeOrganisation(keeping.store, { limits: few }));
    const statuses = [];
    for (let call = 0; call < 3; call++)
      statuses.push((await shown('/v1/units?limit=3', withKey(limited.text))).status);
    expect(statuses).toEqual([200, 200, 429]);
  });
});

/** A filter with ways to write the same value in a query, and the value in a body. */
const FILTERS: readonly { readonly name: string; readonly texts: readonly string[]; readonly value: unknown }[] = [
  { name: 'einheitTyp', texts: ['wind,solar', 'solar,wind', 'wind,solar,wind'], value: ['solar', 'wind'] },
  { name: 'bundesland', texts: ['Bayern', '"Bayern"', 'Bayern,Bayern'], value: ['Bayern'] },
  { name: 'leistungMinKw', texts: ['10', '10.0', '010'], value: 10 },
  { name: 'leistungMaxKw', texts: ['5000', '5000.000'], value: 5000 },
  { name: 'suche', texts: ['WIND', 'wind', ' wind'], value: 'Wind' },
  { name: 'inbetriebnahmeVon', texts: ['2001-01-01'], value: '2001-01-01' },
  { name: 'fields', texts: ['name,plz', 'plz,name'], value: ['plz', 'name'] },
  {
    name: 'sort',
    texts: ['bruttoleistungKw:desc', 'bruttoleistungKw:desc,mastrNummer:asc'],
    value: 'bruttoleistungKw:desc',
  },
  { name: 'limit', texts: ['100'], value: 100 },
  {
    name: 'expand',
    texts: ['marktakteur,netzbetreiber', 'netzbetreiber,marktakteur'],
    value: ['netzbetreiber', 'marktakteur'],
  },
];

/** One question, written in two ways. */
const question = fc
  .subarray([...FILTERS], { minLength: 1, maxLength: 4 })
  .chain((filters) =>
    fc.tuple(
      fc.constant(filters),
      fc.shuffledSubarray(filters, { minLength: filters.length }),
      fc.array(fc.nat(2), { minLength: filters.length, maxLength: filters.length }),
      fc.boolean(),
    ),
  )
  .map(([filters, shuffled, places, asBody]) => {
    const query = new URLSearchParams(
      shuffled.map(({ name, texts }, index) => [name, texts[(places[index] ?? 0) % texts.length] ?? '']),
    );
    const plain = new URLSearchParams(filters.map(({ name, texts: [first = ''] }) => [name, first]));
    const body = Object.fromEntries(shuffled.map(({ name, value }) => [name, value]));
    return { plain: `/v1/units?${plain}`, other: asBody ? body : `/v1/units?${query}` };
  });

test('questions of one key have equal answers, in whatever order they come', async () => {
  await fc.assert(
    fc.asyncProperty(question, async ({ plain, other }) => {
      const another = typeof other === 'string' ? get(other) : post(other);
      expect(await madeFor(get(plain), another)).toBeLessThanOrEqual(1);
      await expectSame(another, get(plain));
    }),
    { numRuns: cases(25), ...sameInEveryRun },
  );
});
