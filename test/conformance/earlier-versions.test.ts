import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { versionFile } from '../../sql/warehouse/versions.ts';
import { FIXTURE_VERSION, publishFixture, temporaryFolder } from '../support/fixture.ts';
import { expectProblem } from '../support/requests.ts';
import { type OwnSubject, serve } from '../support/service.ts';

/**
 * A version that an earlier release built has no tables of tenders and of conspicuous units, and no columns of support values: the
 * service starts over it and has none to answer.
 */

const warehouse = temporaryFolder();
let service: OwnSubject;
beforeAll(async () => {
  await publishFixture(warehouse.path);
  const instance = await DuckDBInstance.create(versionFile(warehouse.path, FIXTURE_VERSION), { threads: '1' });
  const connection = await instance.connect();
  for (const table of [
    'gebotstermine',
    'hoechstwerte',
    'zuschlaege',
    'zuschlag_einheiten',
    'units_auffaellig',
    'auffaelligkeiten_verlauf',
    'orte',
    'standorte',
  ])
    await connection.run(`DROP TABLE ${table}`);
  const columns = await connection.runAndReadAll(
    "SELECT table_name, column_name FROM duckdb_columns() WHERE column_name IN ('gebotstermine', 'eegFoerderende', 'auffaelligkeiten')",
  );
  for (const [table, column] of columns.getRowsJson())
    await connection.run(`ALTER TABLE ${table} DROP COLUMN ${column}`);
  connection.closeSync();
  instance.closeSync();
  service = await serve(warehouse.path);
});
afterAll(async () => {
  await service?.stop();
  warehouse.remove();
});

test('places have no inhabitants, and what stands at one location is not known', async () => {
  const { data, meta } = (await service.get('/v1/aggregations?groupBy=bundesland')).json;
  expect([data.groups[0].einwohner, data.groups[0].kwJeKm2, meta.bezug]).toEqual([null, null, null]);
  const { json } = await service.get('/v1/region/momentaufnahme?ebene=bundesland&region=Bayern');
  expect([json.data.einwohner, json.meta.bezug]).toEqual([null, null]);
  const neighbours = await service.get('/v1/units/SEE900000000013?include=standort');
  expectProblem(neighbours, 503, 'SERVICE_UNAVAILABLE');
});

test('sums do not know of conspicuous units, and refuse to leave them out', async () => {
  for (const path of ['aggregations?groupBy=einheitTyp', 'region/zeitreihe?periode=jahr', 'region/momentaufnahme?']) {
    expect((await service.get(`/v1/${path}`)).json.meta.auffaellig).toBe(null);
    expectProblem(await service.get(`/v1/${path}&auffaellige=ohne`), 503, 'SERVICE_UNAVAILABLE');
  }
});

test('rules have no counts of earlier days', async () => {
  expect((await service.get('/v1/qualitaet/verlauf')).json).toEqual({ data: [], meta: { count: 0 } });
});

test('there are no tender dates, as JSON and as CSV, and no awards of any', async () => {
  const { json } = await service.get('/v1/ausschreibungen?status=PENDING');
  expect(json).toEqual({ data: [], meta: { count: 0, complete: true } });
  const { text } = await service.get('/v1/ausschreibungen?format=csv');
  expect(text.split('\r\n')).toEqual([expect.stringMatching(/^id,technologie,/), '']);
  expectProblem(await service.get('/v1/ausschreibungen/2023050110/zuschlaege'), 404, 'NOT_FOUND');
});

test('tender dates of a version without caps have none', async () => {
  const older = temporaryFolder();
  await publishFixture(older.path);
  const instance = await DuckDBInstance.create(versionFile(older.path, FIXTURE_VERSION), { threads: '1' });
  const connection = await instance.connect();
  await connection.run('DROP TABLE hoechstwerte');
  connection.closeSync();
  instance.closeSync();
  const withoutCaps = await serve(older.path);
  const { json } = await withoutCaps.get('/v1/ausschreibungen?von=2017-05-01&bis=2017-05-01');
  expect(json.data).toMatchObject([{ gebotHoechstesCtKwh: 5.78, hoechstwertCtKwh: null }]);
  await withoutCaps.stop();
  older.remove();
});

test('the datasets of tenders are empty and of an unknown day', async () => {
  const { json } = await service.get('/v1/datasets');
  const states = json.data.map(({ name, rows, asOf }: Record<string, unknown>) => [name, rows === 0, asOf]);
  expect(states.slice(3)).toEqual([
    ['ausschreibungen', true, null],
    ['zuschlaege', true, null],
  ]);
});

test.each(['gebotstermin=2023050110', 'eegFoerderendeBis=2026-12-31'])(
  'a filter by what the version lacks says that the next build brings it: %s',
  async (filter) => {
    const answer = await service.get(`/v1/units?${filter}`);
    expectProblem(answer, 503, 'SERVICE_UNAVAILABLE');
    expect(answer.json).toMatchObject({
      retryable: true,
      detail: expect.stringContaining('the next build brings them'),
    });
  },
);
