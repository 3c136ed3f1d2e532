import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readSettings } from '../../runtime/settings.ts';
import { putKeys } from '../../sql/org/keys.ts';
import { type OrgStore, openOrgStore } from '../../sql/org/store.ts';
import { freshDatabase, POSTGRES_HERE, POSTGRES_SUITE } from '../support/database.ts';
import { makeCaller, makeKey, makeOrganisation } from '../support/organisation.ts';
import { withKey } from '../support/requests.ts';
import { type OwnSubject, type ServiceResponse, serveOwnFixture } from '../support/service.ts';

/** Two instances of the service on one store: what holds for a caller holds across both. */

describe.runIf(POSTGRES_HERE)(`two instances on one ${POSTGRES_SUITE}`, () => {
  const stores: OrgStore[] = [];
  const services: OwnSubject[] = [];

  beforeAll(async () => {
    const settings = readSettings({ ORG_STORE_URL: await freshDatabase() });
    for (let instance = 1; instance <= 2; instance++) {
      const store = await openOrgStore(settings, pino({ level: 'silent' }));
      stores.push(store);
      services.push(await serveOwnFixture({}, store));
    }
  });
  afterAll(async () => {
    for (const service of services) await service.stop();
    for (const store of stores) await store.close();
  });

  /** Calls at once, every other one at the other instance. */
  const callBoth = (count: number, path: string, key: string): Promise<ServiceResponse[]> =>
    Promise.all(Array.from({ length: count }, (_, index) => services[index % 2]!.get(path, withKey(key))));

  const statuses = (responses: readonly ServiceResponse[]) => {
    const count = (status: number) => responses.filter((answer) => answer.status === status).length;
    return { passed: count(200), refused: count(429), all: responses.length };
  };

  test('a limit', async () => {
    const key = await makeCaller(stores[0]!, { limits: { standard: 20 } });
    expect(statuses(await callBoth(60, '/v1/portfolio', key))).toEqual({ passed: 20, refused: 40, all: 60 });
  });

  test('a quota, to the last call', async () => {
    const key = await makeCaller(stores[0]!, { quota: 25 });
    expect(statuses(await callBoth(60, '/v1/units/fields', key))).toEqual({ passed: 25, refused: 35, all: 60 });
    for (const service of services) {
      const { json } = await service.get('/v1/me', withKey(key));
      expect(json.data.quota).toMatchObject({ used: 25, remaining: 0, state: 'exceeded' });
    }
  });

  test('a revocation, within a second, while the key is in constant use at both', async () => {
    const organisation = await makeOrganisation(stores[0]!);
    const { row, text } = await makeKey(stores[0]!, organisation);
    expect(statuses(await callBoth(2, '/v1/me', text)).passed).toBe(2);
    const revokedAt = new Date().toISOString();
    await stores[0]!.asOperator((session) => session.run(putKeys(organisation.id, [{ ...row, revokedAt }])));
    const revoked = Date.now();
    const late: ServiceResponse[] = [];
    while (late.length < 10) {
      const responses = await callBoth(2, '/v1/me', text);
      late.push(...responses.filter(({ sentAt }) => sentAt >= revoked + 1000));
    }
    expect(new Set(late.map(({ status }) => status))).toEqual(new Set([401]));
  });
});
