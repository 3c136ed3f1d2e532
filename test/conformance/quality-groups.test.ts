import { afterAll, beforeAll, expect, test } from 'vitest';
import { ruleMask } from '../../sql/catalogue/anomalies.ts';
import { publish } from '../../sql/warehouse/versions.ts';
import { buildVersion, temporaryFolder } from '../support/fixture.ts';
import { type OwnSubject, serve } from '../support/service.ts';

/** More groups than an answer may have: a unit of each of 1,001 grid operators, the last of which has a second one with two findings. */

const VERSION = '20260315-0001';
const [ONE, BOTH] = [ruleMask(['leistung_null']), ruleMask(['leistung_null', 'leistung_je_flaeche_hoch'])];

const warehouse = temporaryFolder();
let service: OwnSubject;
beforeAll(async () => {
  await buildVersion(warehouse.path, VERSION, async (connection) => {
    await connection.run(`INSERT INTO units (mastrNummer, netzbetreiber, einheitTyp, bruttoleistungKw, betriebsStatus, statusId, region, auffaelligkeiten)
      SELECT 'SEE90000000' || lpad(nr::VARCHAR, 4, '0'), 'Netz ' || lpad(least(nr, 1000)::VARCHAR, 4, '0'), 'solar', 2, 'In Betrieb', 35, 1,
        CASE WHEN nr = 1001 THEN ${BOTH} ELSE ${ONE} END
      FROM range(1002) AS numbers(nr)`);
  });
  publish(warehouse.path, VERSION, 'build', new Date('2026-03-15T03:30:00Z'));
  service = await serve(warehouse.path);
});
afterAll(async () => {
  await service?.stop();
  warehouse.remove();
});

const groups = async (query: string) => (await service.get(`/v1/qualitaet/gruppen?groupBy=netzbetreiber${query}`)).json;

test('the groups with the most findings come, with all of their rules', async () => {
  const { data, meta } = await groups('');
  expect(meta).toMatchObject({ truncated: true, count: 1001, einheiten: 1002 });
  const keys = new Set(data.map(({ key }: { key: string }) => key));
  expect([keys.size, keys.has('Netz 1000'), keys.has('Netz 0998'), keys.has('Netz 0999')]).toEqual([
    1000,
    true,
    true,
    false,
  ]);
  expect(data[0]).toEqual({
    ...{ regel: 'leistung_null', schwere: 'fehler', key: 'Netz 1000' },
    ...{ count: 2, bruttoleistungKw: 4, einheiten: 2, anteil: 1 },
  });
  expect(data[1]).toMatchObject({ regel: 'leistung_je_flaeche_hoch', key: 'Netz 1000', count: 1, anteil: 0.5 });
});

test('fewer groups come whole', async () => {
  const { data, meta } = await groups('&regel=leistung_je_flaeche_hoch');
  expect([data.length, meta.truncated]).toEqual([1, false]);
});
