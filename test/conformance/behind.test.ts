import { renameSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { publishedVersions } from '../../api/engines/open-warehouse.ts';
import { followVersions } from '../../api/warehouse/warehouse.ts';
import type { OrgStore } from '../../sql/org/store.ts';
import { publish, versionFile } from '../../sql/warehouse/versions.ts';
import { openFailingStore } from '../support/failing-store.ts';
import { putVersion, temporaryFolder } from '../support/fixture.ts';
import { expectProblem, withKey } from '../support/requests.ts';
import { type OwnSubject, serve } from '../support/service.ts';

/** A process that finds a publication later than another one: it follows the cursors and tokens of that one all the same. */

const [OLD, NEW] = ['20260314-0001', '20260315-0002'] as const;
const [OLD_UNITS, NEW_UNITS] = [30, 31];

let store: OrgStore;
beforeAll(async () => {
  store = await openFailingStore();
});
afterAll(() => store.close());

let folder: ReturnType<typeof temporaryFolder>;
/** Looks at the pointer as often as any service. */
let quick: OwnSubject;
/** Looks at the pointer once an hour. */
let slow: OwnSubject;

beforeEach(async ({ onTestFinished }) => {
  folder = temporaryFolder();
  const units = (count: number) => `INSERT INTO units BY NAME
    SELECT 'SEE9' || lpad(CAST(i AS VARCHAR), 11, '0') AS mastrNummer, 'wind' AS einheitTyp, 35 AS statusId,
      1 AS bruttoleistungKw, DATE '2020-01-01' AS inbetriebnahmedatum, 1 AS region FROM range(${count}) AS zahlen(i)`;
  await putVersion(folder.path, OLD, [units(OLD_UNITS)]);
  await putVersion(folder.path, NEW, [
    units(NEW_UNITS),
    `INSERT INTO vorgaenger BY NAME SELECT '${OLD}' AS version, 1 AS sequence, 1 AS anker`,
  ]);
  publish(folder.path, OLD, 'build', new Date(Date.now() - 3_600_000));
  const environment = { SIGNING_KEY: 'x'.repeat(32) };
  quick = await serve(folder.path, environment, store);
  slow = await serve(folder.path, environment, store, undefined, undefined, async (settings, log, meter) =>
    followVersions({ ...(await publishedVersions(settings, meter)), pollMilliseconds: 3_600_000 }, log),
  );
  onTestFinished(async () => {
    await quick.stop();
    await slow.stop();
    folder.remove();
  });
});

/** Publishes the new version, and waits until the quick process serves it. */
async function publishNew(): Promise<void> {
  publish(folder.path, NEW, 'build', new Date());
  await expect.poll(() => total(quick)).toBe(NEW_UNITS);
  expect(await total(slow)).toBe(OLD_UNITS);
}

const ask = (service: OwnSubject, query: string) => service.get(`/v1/units?${query}`, withKey(quick.key));

const total = async (service: OwnSubject) => (await ask(service, 'limit=1')).json.meta.page.total;

describe('a process that is behind', () => {
  test('answers for what was read of the newer version from that version', async () => {
    await publishNew();
    const read = await ask(quick, 'limit=100');
    const { token } = read.json.meta.sync;
    const delta = await ask(slow, `limit=100&syncToken=${token}`);
    expect(delta.status).toBe(200);
    expect(delta.json).toMatchObject({
      data: [],
      meta: { page: { total: 0 }, sync: { watermark: expect.any(String) } },
    });
  });

  test('goes on with a list of the newer version, and ends it with a token', async () => {
    await publishNew();
    const first = await ask(quick, 'limit=20');
    const last = await ask(slow, `limit=20&cursor=${first.json.meta.page.cursor}`);
    expect(last.json.data).toHaveLength(NEW_UNITS - 20);
    expect(last.json.meta.sync.token).toEqual(expect.any(String));
    expect(last.json.meta.sync.watermark).toBe((await ask(quick, 'limit=100')).json.meta.sync.watermark);
  });

  test('answers 503 when it cannot open that version, not 410, which would have everything read anew', async () => {
    await publishNew();
    const read = await ask(quick, 'limit=100');
    renameSync(versionFile(folder.path, NEW), `${versionFile(folder.path, NEW)}.gone`);
    const refused = await ask(slow, `limit=100&syncToken=${read.json.meta.sync.token}`);
    expectProblem(refused, 503, 'DATASET_NOT_READY');
    expect(refused.headers.get('retry-after')).not.toBeNull();
  });

  test('still refuses a token of a version that nobody has published', async () => {
    const other = temporaryFolder();
    await putVersion(other.path, NEW, []);
    publish(other.path, NEW, 'build', new Date());
    const elsewhere = await serve(other.path, { SIGNING_KEY: 'x'.repeat(32) }, store);
    const read = await ask(elsewhere, 'limit=100');
    await elsewhere.stop();
    other.remove();
    expectProblem(await ask(slow, `limit=100&syncToken=${read.json.meta.sync.token}`), 410, 'SYNC_TOKEN_INVALID');
  });
});
