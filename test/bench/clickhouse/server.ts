import { resolve } from 'node:path';
import type { ClickHouseClient } from '@clickhouse/client';
import { z } from 'zod';
import { clickhouseAddress } from '../../../runtime/clickhouse-address.ts';
import { openClient } from '../../../sql/warehouse/clickhouse/client.ts';
import { queryRows } from '../../../sql/warehouse/clickhouse/query-rows.ts';
import { startClickHouse } from '../../support/clickhouse-server.ts';
import { readFolder } from '../support/files.ts';
import { NotMeasurable, type Place } from '../support/place.ts';
import { forgetPeak, residentOf, timesOfProcess } from '../support/processes.ts';
import type { Spent } from '../support/spent.ts';

/** A ClickHouse that is measured: a server, or the front end that the tests start. */
export interface Server {
  /** The WAREHOUSE_URL. */
  readonly url: string;
  /** The prefix of its databases. */
  readonly prefix: string;
  readonly client: ClickHouseClient;
  /** Release, what it is, and what a statement takes that asks nothing. */
  readonly described: string;
  /** Reads everything once, where that is ours to do, so that no question waits for the disk. */
  prewarm(): Promise<void>;
  /** Begins to count what its process takes. @returns tells what it has taken since; null for a server, which is somebody else's */
  meter(): () => ServerSpent | null;
  close(): Promise<void>;
}

/** Processor time, background work included, and the most resident memory, MB. */
export type ServerSpent = Pick<Spent, 'cpuSeconds' | 'peakMemoryMb'>;

const IDLE_TIMEOUT_SECONDS = 60;

/** Databases in a folder of our own. */
const PREFIX = 'energy_bench';

/** @param folder where chdb keeps its tables */
export async function openServer(place: Exclude<Place, { kind: 'folder' }>, folder: string): Promise<Server> {
  if (place.kind === 'server') return opened(place.url, SERVER);
  const server = await startClickHouse(resolve(folder));
  // Measuring reads system tables that no user of the service may read. An administrator may.
  return opened(`clickhouse://default:@127.0.0.1:${server.port}/${PREFIX}`, {
    nature: ', no server but the front end of the package chdb',
    prewarm: () => readFolder(folder),
    meter: () => meterOf(server.pid),
    stop: server.stop,
  });
}

type Own = Pick<Server, 'prewarm' | 'meter'> & { readonly nature: string; stop(): Promise<void> };

const SERVER: Own = { nature: '', prewarm: async () => {}, meter: () => () => null, stop: async () => {} };

function meterOf(id: number): () => ServerSpent {
  const cpuSeconds = () => timesOfProcess(id)?.ownSeconds ?? 0;
  const before = cpuSeconds();
  forgetPeak(id);
  return () => ({ cpuSeconds: cpuSeconds() - before, peakMemoryMb: residentOf(id).peakMb });
}

async function opened(url: string, { nature, stop, ...own }: Own): Promise<Server> {
  const address = clickhouseAddress(url);
  const client = openClient(address, { silenceSeconds: IDLE_TIMEOUT_SECONDS, connections: 1 });
  const close = async () => {
    await client.close();
    await stop();
  };
  try {
    const [row] = await queryRows(client, z.strictObject({ release: z.string() }), 'SELECT version() AS release');
    const empty = await emptyStatement(client);
    return {
      url,
      prefix: address.prefix,
      client,
      described: `ClickHouse ${row!.release}${nature}; an empty statement takes ${empty.toFixed(2)} ms`,
      ...own,
      close,
    };
  } catch (error) {
    await close();
    throw new NotMeasurable(`ClickHouse at ${address.url}: ${error instanceof Error ? error.message : error}`);
  }
}

const EMPTY_STATEMENTS = 50;

/** Milliseconds, the median. */
async function emptyStatement(client: ClickHouseClient): Promise<number> {
  const times: number[] = [];
  for (let count = 0; count < EMPTY_STATEMENTS; count++) {
    const begun = performance.now();
    await queryRows(client, z.unknown(), 'SELECT 1');
    times.push(performance.now() - begun);
  }
  return times.sort((a, b) => a - b)[EMPTY_STATEMENTS / 2]!;
}
