import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { OPERATIONS } from '../../api/operations.ts';
import { versionFile } from '../../sql/warehouse/versions.ts';
import { giveExampleRecords } from '../support/example-records.ts';
import { FIXTURE_VERSION, publishFixture, temporaryFolder } from '../support/fixture.ts';
import { callOperation } from '../support/requests.ts';
import { type OwnSubject, serve } from '../support/service.ts';

/** Every operation that takes `stand` answers for the state of an earlier version, which has a statement of its own (sql/query/state.ts). */

const DAY = '2026-03-01';
const warehouse = temporaryFolder();
let service: OwnSubject;
beforeAll(async () => {
  await publishFixture(warehouse.path);
  const instance = await DuckDBInstance.create(versionFile(warehouse.path, FIXTURE_VERSION), { threads: '1' });
  const connection = await instance.connect();
  await connection.run(`INSERT INTO staende SELECT '20260301-0001', 0, DATE '${DAY}'`);
  await connection.run('UPDATE units SET gueltigSeit = 0, inhaltSeit = 0');
  connection.closeSync();
  instance.closeSync();
  service = await serve(warehouse.path);
  await giveExampleRecords(service.store, service.organisation);
});
afterAll(async () => {
  await service?.stop();
  warehouse.remove();
});

const IN_QUERIES = OPERATIONS.filter(({ query }) => 'stand' in query.shape);
/** Their bodies are those of an operation with a query. */
const IN_BODIES = OPERATIONS.filter(({ id }) => id === 'units.search');

test('some operations take it', () => {
  expect([IN_QUERIES.length, IN_BODIES.length]).toEqual([9, 1]);
});

test.each(IN_QUERIES.map((operation) => [operation.id, operation] as const))('%s', async (_, operation) => {
  const query = new URLSearchParams(operation.example?.query);
  for (const name of ['cursor', 'suche', 'updatedSince', 'syncToken', 'seit']) query.delete(name);
  query.set('stand', DAY);
  const { status, text } = await callOperation(service, operation, { query: query.toString() });
  expect([status, text.slice(0, 500)]).toEqual([200, expect.anything()]);
});

test.each(IN_BODIES.map((operation) => [operation.id, operation] as const))('%s', async (_, operation) => {
  const { status } = await callOperation(service, operation, { body: { einheitTyp: ['wind'], stand: DAY } });
  expect(status).toBe(200);
});
