import { rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, test as base, beforeAll, expect, vi } from 'vitest';
import { withNightlyLock } from '../../runtime/nightly-record.ts';
import type { OrgStore } from '../../sql/org/store.ts';
import { publish, versionFile, versionFolder } from '../../sql/warehouse/versions.ts';
import { openFailingStore } from '../support/failing-store.ts';
import { putVersion, temporaryFolder } from '../support/fixture.ts';
import { type ServiceResponse, serve } from '../support/service.ts';

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
  store = await openFailingStore();
});
afterAll(() => store.close());

/** Each test has a warehouse of its own, where the old version is published and the new one built, and a service over it. */
const test = base
  .extend('folder', async ({ onTestFinished }) => {
    const folder = temporaryFolder();
    onTestFinished(folder.remove);
    for (const [id, { name, kw, units }] of Object.entries(VERSIONS)) {
      await putVersion(folder.path, id, [
        `INSERT INTO units BY NAME
         SELECT 'SEE9' || lpad(CAST(i AS VARCHAR), 11, '0') AS mastrNummer, 'wind' AS einheitTyp, 35 AS statusId,
           '${name}' AS name, ${kw} AS bruttoleistungKw, DATE '2020-01-01' AS inbetriebnahmedatum, 1 AS region
         FROM range(${units}) AS zahlen(i)`,
      ]);
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
function versionOf(response: ServiceResponse): string {
  expect(response.status).toBe(200);
  const { data, meta } = response.json;
  const [id, { units }] = Object.entries(VERSIONS).find(([, { name }]) => name === data[0].name)!;
  expect(new Set(data.map((unit: { name: string }) => unit.name)).size).toBe(1);
  expect(meta.page.total).toBe(units);
  return id;
}

test('clients that send requests all the time', async ({ service, folder }) => {
  const seen: { at: number; answeredAt: number; version: string }[] = [];
  let running = true;
  const client = async () => {
    while (running) {
      const answer = await service.get('/v1/units?limit=50');
      seen.push({ at: answer.sentAt, answeredAt: answer.receivedAt, version: versionOf(answer) });
    }
  };
  const clients = [client(), client(), client()];
  await sleep(300);
  publish(folder, NEW, 'build', new Date());
  await soon(async () => expect(seen.some(({ version }) => version === NEW)).toBe(true));
  // The ingest prunes the version before, as soon as it likes.
  rmSync(versionFolder(folder, OLD), { recursive: true });
  await sleep(500);
  running = false;
  await Promise.all(clients);

  const firstNew = seen.find(({ version }) => version === NEW);
  expect(seen.filter(({ at, version }) => version === OLD && at > firstNew!.answeredAt)).toEqual([]);
  expect(new Set(seen.map(({ version }) => version))).toEqual(new Set([OLD, NEW]));
});

/** It has to come; how soon is for the operator to see in the log. */
const soon = (proof: () => Promise<void>) => vi.waitFor(proof, { timeout: 60_000, interval: 50 });

test.concurrent('a list that began before continues in the new version', async ({ service, folder }) => {
  const first = await service.get('/v1/units?limit=100');
  publish(folder, NEW, 'build', new Date());
  await soon(async () => expect(versionOf(await service.get('/v1/units'))).toBe(NEW));
  const cursor = encodeURIComponent(first.json.meta.page.cursor);
  const second = await service.get(`/v1/units?limit=100&cursor=${cursor}`);
  expect([versionOf(first), versionOf(second)]).toEqual([OLD, NEW]);
  expect(second.json.meta.page).toMatchObject({ count: 70, hasMore: false });
});

test.concurrent('entity tags follow the version, also on a roll-back', async ({ service, folder }) => {
  const tagOf = async () => (await service.get('/v1/region/altersstruktur')).headers.get('etag');
  const old = await tagOf();
  publish(folder, NEW, 'build', new Date());
  await soon(async () => expect(await tagOf()).not.toBe(old));
  const response = await service.get('/v1/region/altersstruktur', { 'If-None-Match': old ?? '' });
  expect([response.status, response.json.data[0].mw]).toEqual([200, 0.34]);
  publish(folder, OLD, 'rollback', new Date());
  await soon(async () => expect(await tagOf()).toBe(old));
});

test.concurrent('a version that cannot be opened leaves the old one served, and the health probe reports it', async ({
  service,
  folder,
}) => {
  writeFileSync(versionFile(folder, NEW), 'no database');
  publish(folder, NEW, 'build', new Date());
  await sleep(700);
  // The probe holds its result for five seconds.
  const statusOfHealth = async () => (await service.get('/v1/health')).status;
  await soon(async () => expect(await statusOfHealth()).toBe(503));
  expect((await service.get('/v1/health')).json.data.dependencies).toEqual({ database: 'ok', search: 'degraded' });
  expect(versionOf(await service.get('/v1/units'))).toBe(OLD);
  // A roll-back heals it.
  publish(folder, OLD, 'rollback', new Date());
  await soon(async () => expect(await statusOfHealth()).toBe(200));
});

test.concurrent('a failed night restricts nothing, and does not change the health', async ({
  folder,
  onTestFinished,
}) => {
  const state = temporaryFolder();
  onTestFinished(state.remove);
  await withNightlyLock(state.path, null, async (begin) => {
    begin().end({ outcome: 'failed', failedStep: 'fetch', message: 'so', exitCode: 1 });
  });
  const service = await serve(folder, { STATE_DIR: state.path }, store);
  onTestFinished(service.stop);
  const health = await service.get('/v1/health');
  expect([health.status, health.json.data.status]).toEqual([200, 'ok']);
  expect(versionOf(await service.get('/v1/units'))).toBe(OLD);
});
