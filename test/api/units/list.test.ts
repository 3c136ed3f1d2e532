import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { publishSample, warehouseFolder, withTables } from '../../support/built.ts';
import { cases } from '../../support/cases.ts';
import { expectEqual } from '../../support/equal.ts';
import { type ServiceResponse, type Subject, serve } from '../../support/service.ts';
import { asQuery, type Filters, filtersOver, meetsAll, type Row, sorted, sorts } from './naive.ts';

/** The list of units over the sample export has the units of plain code, in both notations, page by page. */

const TODAY = '2026-11-01';
/** Lists of more pages are cut: their first pages are enough. */
const MAX_PAGES = 5;

const warehouse = warehouseFolder();
let service: Subject;
let rows: readonly Row[];

beforeAll(async () => {
  await publishSample(warehouse.path);
  service = await serve(warehouse.path, { TODAY });
  rows = await withTables(warehouse.path, (tables) =>
    tables(`SELECT *
      REPLACE (CAST(bruttoleistungKw AS DOUBLE) AS bruttoleistungKw, CAST(speicherkapazitaetKwh AS DOUBLE) AS speicherkapazitaetKwh),
      -- With a single export there is no history: a unit is late against today only.
      CASE WHEN inbetriebnahmedatum IS NULL AND geplantesInbetriebnahmedatum < DATE '${TODAY}'
        THEN CAST(DATE '${TODAY}' - geplantesInbetriebnahmedatum AS INTEGER) END AS verspaetung
      FROM units`),
  );
});

afterAll(async () => {
  await service?.stop();
  warehouse.remove();
});

const inBody = (body: object): Promise<ServiceResponse> =>
  service.send('POST', '/v1/units/search', {
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });

const inQuery = (body: Readonly<Record<string, unknown>>): Promise<ServiceResponse> =>
  service.get(`/v1/units?${asQuery(body)}`);

const nextOf = (response: ServiceResponse): string | undefined =>
  /<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1];

/** Reads page by page, by query, by body, and along the links in turn, and compares with what has to be found. */
async function expectPages(filters: Filters, sort: string, limit: number): Promise<void> {
  const expected = sorted(
    rows.filter((row) => meetsAll(row, filters)),
    sort,
  ).map(({ mastrNummer }) => mastrNummer);
  const question = { ...filters, sort, limit, fields: ['mastrNummer'] };
  const met: string[] = [];
  let [response, byBody] = await Promise.all([inQuery(question), inBody(question)]);
  for (let page = 1; ; page++) {
    expect(response.status, response.text).toBe(200);
    expectEqual(byBody.json, response.json);
    met.push(...response.json.data.map(({ mastrNummer }: { mastrNummer: string }) => mastrNummer));
    expect(response.json.meta.page.total).toBe(expected.length);
    const { cursor } = response.json.meta.page;
    if (cursor === null || page === MAX_PAGES) {
      expect(met).toEqual(expected.slice(0, met.length));
      if (cursor === null) expect(met).toHaveLength(expected.length);
      return;
    }
    // The link of the body's answer leads to the query's next page; the query's cursor goes into the body.
    const next = nextOf(byBody)!.slice(service.url.length);
    [response, byBody] = await Promise.all([service.get(next), inBody({ ...question, cursor })]);
  }
}

test('random filters, orders and page sizes: every matching unit exactly once, the total is their number, GET is POST', async () => {
  await fc.assert(fc.asyncProperty(filtersOver(rows), sorts, fc.integer({ min: 1, max: 250 }), expectPages), {
    numRuns: cases(10),
  });
});

test('random forms of the answer are the same by query and by body', async () => {
  const names = (await service.get('/v1/units/fields')).json.data.flatMap((field: { name: string; lesbar: boolean }) =>
    field.lesbar ? [field.name] : [],
  );
  const blocks = [
    'standort',
    'betreiber',
    'termine',
    'eeg',
    'netz',
    'register',
    'genehmigung',
    'technik',
    'ausschreibungen',
  ];
  const form = fc.record(
    {
      fields: fc.subarray(names as string[], { minLength: 1 }),
      include: fc.subarray(blocks, { minLength: 1 }),
      expand: fc.subarray(['marktakteur', 'netzbetreiber'], { minLength: 1 }),
      format: fc.constantFrom('json', 'geojson'),
      limit: fc.integer({ min: 1, max: 20 }),
    },
    { requiredKeys: [] },
  );
  await fc.assert(
    fc.asyncProperty(filtersOver(rows), form, async (filters, choices) => {
      const [response, byBody] = await Promise.all([
        inQuery({ ...filters, ...choices }),
        inBody({ ...filters, ...choices }),
      ]);
      expect(response.status, response.text).toBe(200);
      expect(byBody.text).toBe(response.text);
      expect(byBody.headers.get('content-type')).toBe(response.headers.get('content-type'));
    }),
    { numRuns: cases(12) },
  );
});
