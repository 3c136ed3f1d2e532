import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { publications } from '../../sql/warehouse/versions.ts';
import { cases } from '../support/cases.ts';
import { folderOfTests } from '../support/exports.ts';
import {
  type Anchor,
  aggregationQuestions,
  olderQuestions,
  referenceQuestions,
  regionQuestions,
  searchQuestions,
  type Units,
  unitQuestions,
} from './questions.ts';
import { buildRegister } from './register.ts';
import { bothEngines, type Pair, type ServiceResponse } from './services.ts';

/**
 * DuckDB and ClickHouse give the same answers: equal bodies and links, over HTTP, to every kind of request. A failure
 * prints a seed; TWO_ENGINES_SEED repeats it. CASES sets the number of requests of each kind.
 */

const folder = folderOfTests();
const RUNS = cases(20);
const SEED = process.env.TWO_ENGINES_SEED === undefined ? {} : { seed: Number(process.env.TWO_ENGINES_SEED) };

let pair: Pair;
let units: Units;
let anchors: Anchor[];
beforeAll(async () => {
  const warehouse = join(folder.path, 'warehouse');
  await buildRegister(folder.path, warehouse);
  pair = await bothEngines(warehouse, join(folder.path, 'state'));
  units = await everyUnit();
  anchors = publications(warehouse).flatMap(({ publishedAt, version }) => [{ publishedAt }, { version }]);
});
afterAll(async () => {
  await pair?.stop();
  folder.remove();
});

const BLOCKS = 'standort,betreiber,termine,eeg,netz,register,genehmigung,technik,ausschreibungen';

async function everyUnit(): Promise<Units> {
  const all: Record<string, unknown>[] = [];
  let next: string | undefined = `/v1/units?limit=200&include=${BLOCKS}`;
  while (next !== undefined) {
    const response: ServiceResponse = await pair.duckdb(next);
    all.push(...response.json.data);
    next = linkIn(response);
  }
  return all;
}

/** Returns the path of the next page from its link. */
const linkIn = ({ link }: ServiceResponse): string | undefined =>
  /<http:\/\/service\.example([^>]*)>; rel="next"/.exec(link ?? '')?.[1];

/** The comparable part of an answer, without request id and time. */
const counted = ({ status, link, json: { instance: _, ...body } }: ServiceResponse) => ({ status, link, body });

/** Sends a request to both. @returns their common answer. @throws Error with the difference */
async function same(path: string): Promise<ServiceResponse> {
  const [one, other] = [await pair.duckdb(path), await pair.clickhouse(path)];
  expect(counted(other), path).toEqual(counted(one));
  expect([200, 400, 404], `${path}: ${JSON.stringify(one.json)}`).toContain(one.status);
  return one;
}

/** Reads a list from both, page after page. */
async function expectSamePages(path: string): Promise<void> {
  let next: string | undefined = path;
  for (let page = 0; page < 4 && next !== undefined; page++) next = linkIn(await same(next));
}

const always = (questions: fc.Arbitrary<string>, expectSame: (path: string) => Promise<unknown>, runs = RUNS) =>
  fc.assert(
    fc.asyncProperty(questions, async (path) => void (await expectSame(path))),
    { numRuns: runs, ...SEED },
  );

test('every unit, whole', async () => {
  await expectSamePages(`/v1/units?limit=200&include=${BLOCKS}&expand=marktakteur,netzbetreiber`);
  for (const { mastrNummer } of units.slice(0, 100)) await same(`/v1/units/${mastrNummer}`);
  await same('/v1/units/SEE999999999999');
});

test('units: any filters, orders, pages, forms and deltas', () =>
  always(unitQuestions(units, anchors), expectSamePages));

test('aggregations: every dimension', () => always(aggregationQuestions(units), same, 2 * RUNS));

test('regions: series, ages, snapshots', () => always(regionQuestions(units), same, 2 * RUNS));

test('search', () => always(searchQuestions(units), same));

test('reference values', () => always(referenceQuestions, same));

test('the older variant', () => always(olderQuestions, same));

test('what is served', async () => {
  for (const path of ['/v1', '/v1/datasets', '/v1/reference']) expect((await same(path)).status).toBe(200);
});
