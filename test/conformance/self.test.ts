import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SIGNALS } from '../../sql/catalogue/signals.ts';
import { MODULES, SCOPES } from '../../sql/org/rights.ts';
import { type FailingStore, openFailingStore, STORE_UNREACHABLE } from '../support/failing-store.ts';
import { makeKey, makeOrganisation } from '../support/organisation.ts';
import { NO_KEY, withKey } from '../support/requests.ts';
import { type OwnSubject, serveOwnFixture } from '../support/service.ts';

/** GET /v1/me, /v1/usage and /v1/health, member by member (interface.md, Self-information). */

let store: FailingStore;
let service: OwnSubject;
beforeAll(async () => {
  store = await openFailingStore();
  service = await serveOwnFixture({}, store);
});
afterAll(async () => {
  await service.stop();
  await store.close();
});

/** Day and time of a moment in Berlin: `2026-11-01 00:00:00`. */
const inBerlin = (moment: string | number): string =>
  new Date(moment).toLocaleString('sv-SE', { timeZone: 'Europe/Berlin' });

test('/v1/me: the rights of the key, the modules of the organisation, and its usage', async () => {
  const trialEndsAt = new Date(Date.now() + 3_600_000).toISOString();
  const organisation = await makeOrganisation(store, {
    modules: ['workspace', 'api', 'analysis'],
    signals: ['neu_registriert', 'grossspeicher'],
    alertTemplates: ['SIGNAL_CHANGE'],
    limits: {
      standard: 90,
      displayRows: 5_000,
      exportRows: 0,
      maxAlerts: 3,
      advancedFilters: false,
      webhooksEnabled: false,
    },
    quota: 250,
    trialEndsAt,
  });
  const { row, text } = await makeKey(store, organisation, { scopes: ['units:read', 'audit:read', 'later:read'] });
  await service.get('/v1/units', withKey(text));
  const { json } = await service.get('/v1/me', withKey(text));
  expect(json).toEqual({
    data: {
      key: { prefix: row.prefix, scopes: ['audit:read', 'units:read'], unbekannteScopes: ['later:read'] },
      organization: { id: organisation.id, modules: ['analysis', 'api', 'workspace'], trialEndsAt },
      entitlements: {
        signals: ['grossspeicher', 'neu_registriert'],
        alertTemplates: [{ key: 'SIGNAL_CHANGE', name: expect.any(String), exclusive: false }],
      },
      limits: {
        displayRows: 5_000,
        exportRows: 0,
        maxAlerts: 3,
        advancedFilters: false,
        maxPageSize: 250,
        maxRowsPerQuery: 10_000,
        webhooksEnabled: false,
      },
      rateLimit: { window: '1 m', perCostClass: { standard: 90, mutation: 30, expensive: 12 } },
      quota: {
        used: 1,
        limit: 250,
        remaining: 249,
        state: 'ok',
        periodStart: expect.any(String),
        periodEnd: expect.any(String),
      },
      links: { openapi: `${service.url}/v1/openapi.json`, usage: `${service.url}/v1/usage` },
    },
    meta: {},
  });
});

test('/v1/me: everything that there is', async () => {
  const { data } = (await service.get('/v1/me')).json;
  expect(data.key).toMatchObject({ scopes: Object.keys(SCOPES).sort(), unbekannteScopes: [] });
  expect(data.organization).toMatchObject({ modules: Object.keys(MODULES).sort(), trialEndsAt: null });
  expect(data.entitlements.signals).toEqual(Object.keys(SIGNALS).sort());
  expect(data.entitlements.alertTemplates.map(({ key }: { key: string }) => key)).toEqual([
    'NEW_UNIT',
    'SIGNAL_CHANGE',
    'FIELD_CHANGE',
    'STATUS_CHANGE',
    'COMMISSIONED',
  ]);
});

test('the links lead somewhere', async () => {
  const { links } = (await service.get('/v1/me')).json.data;
  for (const link of Object.values<string>(links)) {
    expect((await service.get(link.slice(service.url.length))).status).toBe(200);
  }
});

test('/v1/usage', async () => {
  const { text } = await makeKey(store, await makeOrganisation(store, { limits: { mutation: 7 }, quota: 250 }));
  await service.get('/v1/units', withKey(text));
  const { json } = await service.get('/v1/usage', withKey(text));
  expect(json).toEqual({
    data: {
      period: { start: expect.any(String), end: expect.any(String) },
      requests: { used: 1, limit: 250, remaining: 249, state: 'ok' },
      rateLimit: { window: '1 m', perCostClass: { standard: 60, mutation: 7, expensive: 12 } },
    },
    meta: {},
  });
});

test('the period is the calendar month in Berlin that runs now', async () => {
  const { start, end } = (await service.get('/v1/usage')).json.data.period;
  expect(start).toMatch(/^\d{4}-\d{2}-\d{2}T\d{2}:00:00\.000Z$/);
  const [first, next] = [inBerlin(start), inBerlin(end)];
  expect([first.slice(7), next.slice(7)]).toEqual(['-01 00:00:00', '-01 00:00:00']);
  expect(first.slice(0, 7)).toBe(inBerlin(Date.now()).slice(0, 7));
  expect(Date.parse(start)).toBeLessThanOrEqual(Date.now());
  expect(Date.parse(end)).toBeGreaterThan(Date.now());
  // The longest month has 31 days, and one hour more in autumn.
  expect(Date.parse(end) - Date.parse(start)).toBeLessThanOrEqual((31 * 24 + 1) * 3_600_000);
});

describe('/v1/health', () => {
  test('needs no key; 503 while the store is gone; a result holds for five seconds, for everybody', async () => {
    const degraded = await store.failing(STORE_UNREACHABLE, () => service.get('/v1/health', NO_KEY));
    expect(degraded.status).toBe(503);
    expect(degraded.json).toEqual({
      data: {
        status: 'degraded',
        checkedAt: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/),
        dependencies: { database: 'degraded', search: 'ok' },
      },
      meta: {},
    });
    expect(degraded.headers.get('retry-after')).toBe('5');
    const cached = await service.get('/v1/health');
    expect([cached.status, cached.json]).toEqual([503, degraded.json]);

    await sleep(5_100);
    const healed = await service.get('/v1/health', NO_KEY);
    expect([healed.status, healed.json.data.status]).toEqual([200, 'ok']);
    expect(healed.json.data.dependencies).toEqual({ database: 'ok', search: 'ok' });
    const moved = Date.parse(healed.json.data.checkedAt) - Date.parse(degraded.json.data.checkedAt);
    expect(moved).toBeGreaterThanOrEqual(5_000);
  });
});
