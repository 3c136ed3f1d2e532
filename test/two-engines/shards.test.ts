import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { clickhouseTarget } from '../../ingest/publication/clickhouse.ts';
import { silentProgress } from '../../ingest/run/progress.ts';
import { clickhouseAddress } from '../../runtime/clickhouse-address.ts';
import { openClient } from '../../sql/warehouse/clickhouse/client.ts';
import { addPublication, databaseOf } from '../../sql/warehouse/clickhouse/publications.ts';
import { currentPublication } from '../../sql/warehouse/versions.ts';
import { publishRegister } from '../support/built.ts';
import { CLUSTER, type ClickHouseServer, clickhouseAt, startShards } from '../support/clickhouse-server.ts';
import { type Front, openFront } from '../support/clickhouse-shards.ts';
import { folderOfTests } from '../support/exports.ts';
import { freePort } from '../support/listening.ts';
import { type OwnSubject, type ServiceResponse, serve } from '../support/service.ts';

/** Two servers that each hold a part of the units, behind Distributed tables: loading, answers, and one of them dead. */

const PREFIX = 'energy';
const VERSION = '20261101-0001';
const DATABASE = databaseOf(PREFIX, VERSION);
const SIGNING_KEY = 'one key for both services, and long enough';
/** Rows of other tables are sent to each server. */
const SPREAD = new Set(['units', 'units_departed', 'units_ersetzt']);

const folder = folderOfTests();
const warehouse = join(folder.path, 'warehouse');

describe('two shards', () => {
  let shards: ClickHouseServer[];
  let front: Front;
  let fromFolder: OwnSubject;
  let fromShards: OwnSubject;
  const notes: string[] = [];

  beforeAll(async () => {
    shards = await startShards(join(folder.path, 'shards'), 2);
    front = await openFront(shards, SPREAD);
    await publishRegister(warehouse);
  });

  const serveBoth = async () => {
    fromFolder = await serveAlike({});
    fromShards = await serveAlike({ WAREHOUSE_URL: shards[0]!.warehouse('energy_reader', PREFIX) });
  };

  afterAll(async () => {
    await fromFolder?.stop();
    await fromShards?.stop();
    await front?.close();
    for (const shard of shards ?? []) await shard.stop();
    folder.remove();
  });

  /** Links and cursors are the same for both. */
  const serveAlike = async (warehouseUrl: Record<string, string>) =>
    serve(warehouse, {
      ...{ PORT: String(await freePort()), BASE_URL: 'http://service.example', SIGNING_KEY },
      ...warehouseUrl,
    });

  /** Loads the version; the second shard dies when the units come. */
  async function load(): Promise<void> {
    let hasDied = false;
    front.before = async (statement) => {
      if (hasDied || !statement.startsWith('INSERT INTO units ')) return;
      hasDied = true;
      await shards[1]!.kill();
      void shards[1]!.restart();
    };
    const address = clickhouseAddress(clickhouseAt(front.port).warehouse('energy_loader', PREFIX));
    const published = clickhouseTarget(warehouse, {
      address,
      placement: { cluster: CLUSTER, shards: 2 },
      policy: { firstPauseMs: 200, longestPauseMs: 500, maxElapsedMs: 300_000 },
    });
    const progress = { ...silentProgress, note: (text: string) => void notes.push(text) };
    await published.load(VERSION, { folder: join(folder.path, 'work'), memoryMb: 300, progress });
    await published.close();
    const client = openClient(address, { silenceSeconds: 60, connections: 1 });
    // Answers contain when their version was published.
    await addPublication(client, PREFIX, 1, currentPublication(warehouse)!);
    await client.close();
  }

  test('a load goes on when a shard that died is back, and is complete', async () => {
    await load();
    expect(notes.filter((note) => /asking again$/.test(note))).not.toEqual([]);
    const counts = await Promise.all(shards.map((shard) => shard.run(`SELECT count() FROM ${DATABASE}.units_shard`)));
    expect(counts.map(Number).filter((count) => count > 0)).toHaveLength(2);
    expect(await shards[0]!.run(`SELECT count() FROM ${DATABASE}.units`)).toBe(
      `${Number(counts[0]) + Number(counts[1])}\n`,
    );
    await serveBoth();
    // Two servers are made and one is started again: much on a machine that does other things, too.
  }, 600_000);

  const body = ({ status, json: { instance: _, ...rest } }: ServiceResponse) => ({ status, rest });

  test.each([
    '/v1/units?limit=20&sort=bruttoleistungKw:desc',
    '/v1/units?limit=20&suche=wind',
    '/v1/units?limit=20&suche=wind&einheitTyp=wind',
    '/v1/units?limit=20&suche=9007',
    '/v1/units?limit=20&suche=9007&einheitTyp=solar',
    '/v1/aggregations?groupBy=landkreis&suche=9007',
    '/v1/units?limit=20&landkreis=Rosenheim,München&include=technik',
    '/v1/units?limit=20&updatedSince=PUBLISHED',
    '/v1/aggregations?groupBy=landkreis&leistungMinKw=10',
    '/v1/aggregations?groupBy=signals&suche=wind',
    '/v1/region/zeitreihe?periode=jahr',
    '/v1/region/altersstruktur',
    '/v1/search?q=wind',
    '/v1/reference',
    '/v1/datasets',
    '/v1/datasets/version',
    '/v1/ausschreibungen',
  ])('answer as the folder does: %s', async (asked) => {
    const path = asked.replace('PUBLISHED', currentPublication(warehouse)?.publishedAt ?? '');
    const [one, other] = [await fromFolder.get(path), await fromShards.get(path)];
    expect(body(other)).toEqual(body(one));
    expect(one.status).toBe(200);
  });

  test('a detail comes from the shard that has the unit', async () => {
    const { json } = await fromFolder.get('/v1/units?limit=5');
    for (const { mastrNummer } of json.data) {
      const path = `/v1/units/${mastrNummer}`;
      expect(body(await fromShards.get(path))).toEqual(body(await fromFolder.get(path)));
    }
  });

  test('a group that has rows on both counts once in /v1/datasets', async () => {
    const [one, other] = shards;
    const row = await one!.run(`SELECT * FROM ${DATABASE}.region_tage_shard LIMIT 1 FORMAT Values`);
    await other!.run(`INSERT INTO ${DATABASE}.region_tage_shard VALUES ${row}`);
    const anew = await serveAlike({ WAREHOUSE_URL: one!.warehouse('energy_reader', PREFIX) });
    expect(body(await anew.get('/v1/datasets'))).toEqual(body(await fromFolder.get('/v1/datasets')));
    await anew.stop();
  });

  test('/v1/health says so when one of them is dead, and when it is back', async () => {
    const status = async () => (await fromShards.get('/v1/health')).status;
    await vi.waitFor(async () => expect(await status()).toBe(200), { timeout: 60_000 });
    await shards[1]!.kill();
    await vi.waitFor(async () => expect(await status()).toBe(503), { timeout: 60_000 });
    const path = '/v1/units?limit=2&leistungMinKw=0.123';
    expect(await fromShards.get(path)).toMatchObject({ status: 503, json: { code: 'SERVICE_UNAVAILABLE' } });
    await shards[1]!.restart();
    await vi.waitFor(async () => expect(await status()).toBe(200), { timeout: 60_000 });
    expect((await fromShards.get(path)).status).toBe(200);
  });
});
