import { rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, test as base, beforeAll, expect } from 'vitest';
import type { OrgStore } from '../../sql/org/store.ts';
import { publish, versionFile, versionFolder } from '../../sql/warehouse/versions.ts';
import { openBrittleStore } from './brittle-store.ts';
import { buildVersion, temporaryFolder } from './fixture.ts';
import { type Seen, serve } from './service.ts';

/** Publishing under running clients: each answer belongs to exactly one version, none fails, the new one is seen soon. */

const OLD = '20260314-0001';
const NEW = '20260315-0002';

/** Every unit of a version carries the same name and capacity; the versions have different numbers of units. */
const VERSIONS = {
  [OLD]: { name: 'alt', kw: 1, units: 150 },
  [NEW]: { name: 'neu', kw: 2, units: 170 },
};

let store: OrgStore;
beforeAll(async () => {
  store = await openBrittleStore();
});
afterAll(() => store.close());

/** Each test has a warehouse of its own, where the old version is published and the new one built, and a service over it. */
const test = base
  .extend('folder', async ({ onTestFinished }) => {
    const folder = temporaryFolder();
    onTestFinished(folder.remove);
    for (const [id, { name, kw, units }] of Object.entries(VERSIONS)) {
      await buildVersion(folder.path, id, async (connection) => {
        await connection.run(
          `INSERT INTO units BY NAME
           SELECT 'SEE9' || lpad(CAST(i AS VARCHAR), 11, '0') AS mastrNummer, 'wind' AS einheitTyp, 35 AS statusId,
             CAST($name AS VARCHAR) AS name, CAST($kw AS INTEGER) AS bruttoleistungKw, DATE '2020-01-01' AS inbetriebnahmedatum, 1 AS region
           FROM range(CAST($units AS BIGINT)) AS zahlen(i)`,
          { name, kw, units },
        );
      });
    }
    publish(folder.path, OLD, 'build', new Date());
    return folder.path;
  })
  .extend('service', async ({ folder, onTestFinished }) => {
    const service = await serve(folder, {}, store);
    onTestFinished(service.stop);
    return service;
  });

/** The version of an answer, after proof that all of it comes from there. */
function versionOf(seen: Seen): string {
  expect(seen.status).toBe(200);
  const { data, meta } = seen.json;
  const [id, { units }] = Object.entries(VERSIONS).find(([, { name }]) => name === data[0].name)!;
  expect(new Set(data.map((unit: { name: string }) => unit.name)).size).toBe(1);
  expect(meta.page.total).toBe(units);
  return id;
}

test.concurrent('clients that ask all the time', async ({ service, folder }) => {
  const seen: { at: number; version: string }[] = [];
  let running = true;
  const client = async () => {
    while (running) {
      const version = versionOf(await service.get('/v1/units?limit=50'));
      seen.push({ at: Date.now(), version });
    }
  };
  const clients = [client(), client(), client()];
  await sleep(300);
  publish(folder, NEW, 'build', new Date());
  const published = Date.now();
  await sleep(500);
  // The ingest prunes the version before, as soon as it likes.
  rmSync(versionFolder(folder, OLD), { recursive: true });
  await sleep(700);
  running = false;
  await Promise.all(clients);

  const firstNew = seen.find(({ version }) => version === NEW);
  expect(firstNew!.at - published).toBeLessThan(1000);
  expect(seen.filter(({ at, version }) => version === OLD && at > published + 1000)).toEqual([]);
});

test.concurrent('a walk that began before goes on in the new version', async ({ service, folder }) => {
  const first = await service.get('/v1/units?limit=100');
  publish(folder, NEW, 'build', new Date());
  await sleep(700);
  const cursor = encodeURIComponent(first.json.meta.page.cursor);
  const second = await service.get(`/v1/units?limit=100&cursor=${cursor}`);
  expect([versionOf(first), versionOf(second)]).toEqual([OLD, NEW]);
  expect(second.json.meta.page).toMatchObject({ count: 70, hasMore: false });
});

test.concurrent('entity tags follow the version, also back again', async ({ service, folder }) => {
  const tagOf = async () => (await service.get('/v1/region/altersstruktur')).headers.get('etag');
  const old = await tagOf();
  publish(folder, NEW, 'build', new Date());
  await sleep(700);
  const seen = await service.get('/v1/region/altersstruktur', { 'If-None-Match': old ?? '' });
  expect([seen.status, seen.json.data[0].mw]).toEqual([200, 0.34]);
  publish(folder, OLD, 'rollback', new Date());
  await sleep(700);
  expect(await tagOf()).toBe(old);
});

test.concurrent('a version that cannot be opened leaves the old one served, and the health probe says so', async ({
  service,
  folder,
}) => {
  writeFileSync(versionFile(folder, NEW), 'no database');
  publish(folder, NEW, 'build', new Date());
  await sleep(700);
  expect(versionOf(await service.get('/v1/units'))).toBe(OLD);
  const health = await service.get('/v1/health');
  expect(health.status).toBe(503);
  expect(health.json.data.dependencies).toEqual({ database: 'ok', search: 'degraded' });
  // A roll-back heals it.
  publish(folder, OLD, 'rollback', new Date());
  // The probe holds its result for five seconds.
  await sleep(5200);
  expect((await service.get('/v1/health')).status).toBe(200);
});
