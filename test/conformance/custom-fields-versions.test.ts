import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { publish } from '../../sql/warehouse/versions.ts';
import { makeField } from '../support/custom-fields.ts';
import { type OwnFields, ownFields, valuesByField } from '../support/custom-fields-client.ts';
import { buildVersion, temporaryFolder } from '../support/fixture.ts';
import { makeKey, makeOrganisation } from '../support/organisation.ts';
import { unit } from '../support/portfolio.ts';
import { withKey } from '../support/requests.ts';
import { type OwnSubject, serve, shortNumbers } from '../support/service.ts';

/** The values of a unit outlast it: it may leave the register and come back. */

/** Short numbers of the units of each version. */
const VERSIONS = { '20260314-0001': [1, 2], '20260315-0002': [1], '20260316-0003': [1, 2] };

const folder = temporaryFolder();
let service: OwnSubject;
let own: OwnFields;
let key: string;
let defId: string;
beforeAll(async () => {
  for (const [id, numbers] of Object.entries(VERSIONS)) {
    await buildVersion(folder.path, id, async (connection) => {
      for (const number of numbers) {
        await connection.run(
          `INSERT INTO units BY NAME SELECT CAST($number AS VARCHAR) AS mastrNummer, 'wind' AS einheitTyp, 35 AS statusId,
             1 AS bruttoleistungKw, 1 AS region`,
          { number: unit(number) },
        );
      }
    });
  }
  publish(folder.path, '20260314-0001', 'build', new Date());
  service = await serve(folder.path);
  const organisation = await makeOrganisation(service.store);
  key = (await makeKey(service.store, organisation)).text;
  own = ownFields(service, key);
  defId = (await makeField(service.store, organisation)).id;
});
afterAll(async () => {
  await service?.stop();
  folder.remove();
});

const units = async (query = '') => shortNumbers(await service.get(`/v1/units?${query}`, withKey(key)));

/** Publishes a version and waits until the service answers from it. */
async function become(id: keyof typeof VERSIONS): Promise<void> {
  publish(folder.path, id, 'build', new Date());
  await vi.waitUntil(async () => (await units()).length === VERSIONS[id].length, { timeout: 10_000 });
}

test('values stay while the unit is away, are found again with it, and can be written when it is there', async () => {
  const put = (text: string) => own.put(2, [{ defId, text }]);
  await put('Pachtvertrag');
  const before = (await own.values(2)).json;
  expect(await units('suche=pacht')).toEqual(['02']);

  await become('20260315-0002');
  expect((await own.values(2)).json).toEqual(before);
  expect(await units('suche=pacht')).toEqual([]);
  expect((await put('Kaufvertrag')).json.data).toMatchObject([{ status: 'failed', error: { code: 'NOT_FOUND' } }]);

  await become('20260316-0003');
  expect((await own.values(2)).json).toEqual(before);
  expect(await units('suche=pacht')).toEqual(['02']);
  expect((await put('Kaufvertrag')).json.data).toMatchObject([{ status: 'updated' }]);
  expect(valuesByField(await own.values(2))).toEqual({ [defId]: ['Kaufvertrag'] });
});
