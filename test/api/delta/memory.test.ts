import { rmSync } from 'node:fs';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ordersFile, publish, rowFile, searchFile, versionFile } from '../../../sql/warehouse/versions.ts';
import { writeRowFile } from '../../support/row-file.ts';
import { type OwnSubject, serve } from '../../support/service.ts';
import { buildChain, type Chain, moment } from './chain.ts';

/** A delta over many units takes the memory of its pages, not that of all changed rows. */

const COPIES = 100;

let chain: Chain;
let service: OwnSubject;
beforeAll(async () => {
  chain = await buildChain();
  const warehouse = chain.copy('many');
  const version = chain.versions[3] ?? '';
  await multiply(versionFile(warehouse, version), rowFile(warehouse, version));
  // They have the units as they were built.
  for (const file of [searchFile, ordersFile]) rmSync(file(warehouse, version));
  publish(warehouse, chain.versions[1] ?? '', 'build', moment(0));
  publish(warehouse, version, 'build', moment(10));
  service = await serve(warehouse, { TODAY: '2026-12-12', QUERY_MEMORY_MB: '64' });
}, 240_000);
afterAll(async () => {
  await service.stop();
  chain.remove();
});

/** Copies every unit many times, all changed by the last build, each with a replaced row of other content. */
async function multiply(tables: string, rows: string): Promise<void> {
  const instance = await DuckDBInstance.create(tables);
  const connection = await instance.connect();
  await connection.run(`CREATE TEMP TABLE viele AS
    SELECT units.* REPLACE ('SEE' || digits AS mastrNummer, nummer - nummer % 1099511627776 + digits AS nummer, 4 AS inhaltSeit)
    FROM (SELECT *, row_number() OVER () AS platz FROM units) AS units, range(${COPIES}) AS mal(copy),
      LATERAL (SELECT 100000000000 + copy * 1000 + platz AS digits)`);
  await connection.run('ALTER TABLE viele DROP COLUMN platz');
  await connection.run(
    'DELETE FROM units; DELETE FROM units_ersetzt; INSERT INTO units BY NAME FROM viele ORDER BY nummer',
  );
  await connection.run(`INSERT INTO units_ersetzt BY NAME SELECT * REPLACE (2 AS inhaltSeit, NULL AS betreiberName,
    CASE bundesland WHEN 'Bayern' THEN 'Hessen' ELSE 'Bayern' END AS bundesland), 4 AS ersetztSeit, DATE '2026-12-10' AS ersetztAm
    FROM viele`);
  await writeRowFile(connection, rows);
  connection.closeSync();
  instance.closeSync();
}

const EVERYTHING = 'include=standort,betreiber,termine,register,netz,genehmigung,technik&limit=250';

it.each([
  ['with every replaced row', 'updatedSince=2026-12-12T08:05:00Z&bundesland=Bayern'],
  ['from the beginning', 'updatedSince=2026-08-11T00:00:00Z&bundesland=Bayern'],
  ['in another order', 'updatedSince=2026-12-12T08:05:00Z&bundesland=Bayern&sort=bruttoleistungKw:desc'],
  ['of all units', 'updatedSince=2026-12-12T08:05:00Z'],
])('a delta over 50,000 units, %s', async (_, question) => {
  const [first] = [await service.get(`/v1/units?${EVERYTHING}&${question}`)];
  expect([first.status, first.json.code]).toEqual([200, undefined]);
  expect(first.json.meta.page.total).toBeGreaterThan(49_000);
  expect(first.json.data).toHaveLength(250);
  const { cursor } = first.json.meta.page;
  const second = await service.get(`/v1/units?${EVERYTHING}&${question}&cursor=${encodeURIComponent(cursor)}`);
  expect(second.status).toBe(200);
  const numbers = [...first.json.data, ...second.json.data].map(({ mastrNummer }) => mastrNummer);
  expect(new Set(numbers).size).toBe(500);
});
