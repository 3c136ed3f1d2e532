import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { OPERATIONS } from '../../api/operations.ts';
import { rowFile, versionFile } from '../../sql/warehouse/versions.ts';
import { giveExampleRecords } from '../support/example-records.ts';
import { FIXTURE_VERSION, publishFixture, temporaryFolder } from '../support/fixture.ts';
import { callOperation } from '../support/requests.ts';
import { writeRowFile } from '../support/row-file.ts';
import { type OwnSubject, serve } from '../support/service.ts';

/** Every operation that takes `stand` answers for the state of an earlier version, which has a statement of its own (sql/query/state.ts). */

const DAY = '2026-03-01';
/** It had 120 kW, and has 12 kW now. */
const SHRUNK = 'SEE900000000002';
/** So had this one, until a build that deltas begin before. */
const SHRUNK_LATER = 'SEE900000000003';
const [LONGITUDE, LATITUDE] = [13.98948, 51.563676];
const warehouse = temporaryFolder();
let service: OwnSubject;
beforeAll(async () => {
  await publishFixture(warehouse.path);
  const instance = await DuckDBInstance.create(versionFile(warehouse.path, FIXTURE_VERSION), { threads: '1' });
  const connection = await instance.connect();
  await connection.run(`INSERT INTO staende SELECT '20260301-0001', 0, DATE '${DAY}'`);
  await connection.run('UPDATE units SET gueltigSeit = 0, inhaltSeit = 0');
  // A version of an earlier release has none; rows of units are looked for in their tables then.
  await connection.run('DROP TABLE units_verlauf');
  for (const [number, ended] of [
    [SHRUNK, 1],
    [SHRUNK_LATER, 2],
  ] as const) {
    await connection.run(`INSERT INTO units_ersetzt BY NAME SELECT * REPLACE (120 AS bruttoleistungKw, ${LONGITUDE} AS longitude,
      ${LATITUDE} AS latitude, ${ended - 1} AS gueltigSeit), ${ended} AS ersetztSeit, DATE '2026-03-14' AS ersetztAm
      FROM units WHERE mastrNummer = '${number}'`);
    await connection.run(`UPDATE units SET gueltigSeit = ${ended}, inhaltSeit = ${ended}, bruttoleistungKw = 12, latitude = NULL,
      longitude = NULL WHERE mastrNummer = '${number}'`);
  }
  await writeRowFile(connection, rowFile(warehouse.path, FIXTURE_VERSION));
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

const ANSWERING = { version: '20260301-0001', tag: DAY };

const asked = (operation: (typeof IN_QUERIES)[number]): string => {
  const query = new URLSearchParams(operation.example?.query);
  for (const name of ['cursor', 'suche', 'updatedSince', 'syncToken', 'seit']) query.delete(name);
  query.set('stand', DAY);
  return query.toString();
};

test.each(IN_QUERIES.map((operation) => [operation.id, operation] as const))('%s', async (_, operation) => {
  const { status, text, json } = await callOperation(service, operation, { query: asked(operation) });
  expect([status, text.slice(0, 500)]).toEqual([200, expect.anything()]);
  expect(json.meta.stand).toEqual(ANSWERING);
});

test.each(IN_QUERIES.filter(({ table }) => table))('$id as a table says of which day it is', async (operation) => {
  const headers = { Accept: 'text/csv' };
  const answer = await callOperation(service, operation, { query: asked(operation), headers });
  expect(answer.headers.get('Quelle')).toContain('Stand 01.03.2026');
});

test.each(IN_BODIES.map((operation) => [operation.id, operation] as const))('%s', async (_, operation) => {
  const { status, json } = await callOperation(service, operation, { body: { einheitTyp: ['wind'], stand: DAY } });
  expect([status, json.meta.stand]).toEqual([200, ANSWERING]);
});

const RING = [
  [13.98, 51.56],
  [13.99, 51.56],
  [13.99, 51.57],
  [13.98, 51.56],
];
const PLACES = [
  `umkreis=${LONGITUDE},${LATITUDE},0.02`,
  'bbox=13.98,51.56,13.99,51.57',
  `polygon=${encodeURIComponent(JSON.stringify({ type: 'Polygon', coordinates: [RING] }))}`,
  'hatKoordinaten=true',
];

test.each(PLACES)('%s does not find a unit by coordinates that it may not have today', async (place) => {
  for (const path of [`/v1/units?stand=${DAY}`, '/v1/aenderungen?limit=250']) {
    const { status, json } = await service.get(`${path}&${place}`);
    expect(status).toBe(200);
    expect(json.data.map(({ mastrNummer }: { mastrNummer: string }) => mastrNummer)).not.toContain(SHRUNK);
  }
  if (place === 'hatKoordinaten=true') return;
  const { json } = await service.get(`/v1/aenderungen/summe?${place}`);
  expect([json.data.vorher.anzahl, json.data.ursachen]).toEqual([0, []]);
});

test('it is found without coordinates', async () => {
  const { json } = await service.get(`/v1/units?stand=${DAY}&mastrNummern=${SHRUNK}&hatKoordinaten=false`);
  expect(json.data).toMatchObject([{ bruttoleistungKw: 120 }]);
});

test.each([...PLACES, 'umkreis=7,50,0.02'])(
  'a delta with %s tells to drop a unit that has lost its place',
  async (place) => {
    const { json } = await service.get(`/v1/units?updatedSince=2026-11-01T00:00:00Z&${place}`);
    expect(json.data).toMatchObject([{ mastrNummer: SHRUNK_LATER, geloescht: true, latitude: null, longitude: null }]);
  },
);
