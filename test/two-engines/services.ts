import { randomUUIDv7 } from 'node:crypto';
import { join } from 'node:path';
import { pino } from 'pino';
import { openWarehouse } from '../../api/engines/open-warehouse.ts';
import { startService } from '../../api/server.ts';
import { serverVersions } from '../../api/warehouse/clickhouse/version-store.ts';
import { folderVersions } from '../../api/warehouse/duckdb/version-store.ts';
import { followVersions, type VersionStore } from '../../api/warehouse/warehouse.ts';
import { clickhouseAddress } from '../../runtime/clickhouse-address.ts';
import { readSettings } from '../../runtime/settings.ts';
import { type PortfolioRow, putPortfolio } from '../../sql/org/records/portfolio.ts';
import { openOrgStore } from '../../sql/org/store.ts';
import { ONE_SERVER } from '../../sql/warehouse/clickhouse/placement.ts';
import { addPublication, pointerStatements } from '../../sql/warehouse/clickhouse/publications.ts';
import { publications } from '../../sql/warehouse/versions.ts';
import { administratorClient } from '../support/clickhouse.ts';
import { clickhouseOfRun } from '../support/clickhouse-of-run.ts';
import { storeAlertEvent } from '../support/events.ts';
import { freePort } from '../support/listening.ts';
import { makeKey, makeOrganisation } from '../support/organisation.ts';
import { putStore } from '../support/prepared-store.ts';

/** Calls a service with a key that has every right. */
type Get = (path: string) => Promise<ServiceResponse>;

export interface ServiceResponse {
  readonly status: number;
  readonly link: string | null;
  /** Of what is no JSON, `bytes` as base64. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads foreign JSON
  readonly json: any;
}

/** Two services alike in everything but the engine: same versions, same organisation, same addresses, same key. */
export interface Pair {
  readonly duckdb: Get;
  readonly clickhouse: Get;
  /** Stores an event of these units. @returns its id */
  storeEvent(mastrNumbers: readonly string[]): Promise<string>;
  /** Puts units into the portfolio of the organisation. */
  ownUnits(mastrNumbers: readonly string[]): Promise<void>;
  /** The versions of each engine, to be read beside the served one. */
  readonly versions: { readonly duckdb: VersionStore; readonly clickhouse: VersionStore };
  stop(): Promise<void>;
}

/** Of the databases that hold the versions. */
export const PREFIX = 'energy_pair';

/** Both sign cursors and tokens with it. */
export const SIGNING_KEY = 'one key for both services, and long enough';

/** The day that counts as today. */
export const TODAY = '2026-12-12';

/** @param folder warehouse folder with published versions, which are in databases with PREFIX, too; @param state folder for the state of the services */
export async function bothEngines(folder: string, state: string): Promise<Pair> {
  await publishAll(folder);
  const settings = readSettings({
    PORT: '0',
    BASE_URL: 'http://service.example',
    SIGNING_KEY,
    TODAY,
    STATE_DIR: state,
    WAREHOUSE_URL: `duckdb:${folder}`,
    QUERY_THREADS: '1',
    QUERY_MEMORY_MB: '500',
    SHUTDOWN_SECONDS: '2',
  });
  const log = pino({ level: process.env.TEST_LOG ?? 'silent' });
  await putStore(join(state, 'org'));
  const store = await openOrgStore(settings, log);
  await store.migrate('apply');
  const organisation = await makeOrganisation(store);
  const { text: key } = await makeKey(store, organisation);
  const server = await clickhouseOfRun();
  const address = clickhouseAddress(server.warehouse('energy_reader', PREFIX));
  const start = async (open: typeof openWarehouse, port: number) => {
    const service = await startService({ ...settings, PORT: port }, log, store, { open });
    const get: Get = async (path) => {
      // Both variants of the interface take the key there.
      const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { 'X-API-Key': key } });
      const { status, headers } = response;
      const isJson = /json/.test(headers.get('content-type') ?? '');
      const json = isJson
        ? await response.json()
        : { bytes: Buffer.from(await response.arrayBuffer()).toString('base64') };
      return { status, link: headers.get('link'), json };
    };
    return { ask: get, stop: service.close };
  };
  const unmetered = { statementEnded: () => {}, unitsRead: () => {} };
  const versions = {
    duckdb: folderVersions(folder, { threads: 1, memoryMb: 500 }, unmetered),
    clickhouse: serverVersions(address, { threads: 1, memoryMb: 2000 }, unmetered),
  };
  // BASE_URL is the same for both, so that they cannot take their ports from it.
  const [one, other] = [await freePort(), await freePort()];
  const duckdb = await start(openWarehouse, one);
  const clickhouse = await start(
    (_, logged, meter) => followVersions(serverVersions(address, { threads: 1, memoryMb: 2000 }, meter), logged),
    other,
  );
  return {
    duckdb: duckdb.ask,
    clickhouse: clickhouse.ask,
    storeEvent: async (mastrNumbers) => (await storeAlertEvent(store, organisation, { mastrNumbers })).id,
    ownUnits: (mastrNumbers) =>
      store.asOrganisation(organisation.id, async (session) => {
        await session.run(putPortfolio(organisation.id, mastrNumbers.map(owned)));
      }),
    versions,
    async stop() {
      versions.clickhouse.close();
      await duckdb.stop();
      await clickhouse.stop();
      await store.close();
    },
  };
}

const AT = '2026-01-01T00:00:00.000Z';
const owned = (mastrNumber: string): PortfolioRow => ({
  ...{ id: randomUUIDv7(), mastrNumber, relationType: 'OWNER', externalRefs: {} },
  ...{ createdAt: AT, updatedAt: AT, removedAt: null },
});

/** Publishes in the databases of the pair what the folder has published, in the same moments. */
async function publishAll(folder: string): Promise<void> {
  const client = await administratorClient();
  try {
    const published = publications(folder);
    for (const statement of pointerStatements(PREFIX, ONE_SERVER)) await client.command({ query: statement });
    await client.command({ query: `TRUNCATE TABLE ${PREFIX}.publications` });
    for (const [index, publication] of published.entries())
      await addPublication(client, PREFIX, index + 1, publication);
  } finally {
    await client.close();
  }
}
