import { join } from 'node:path';
import { type ClickHouseClient, ClickHouseError } from '@clickhouse/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { downloadParquet } from '../../../ingest/load/download.ts';
import { retryServerRequest } from '../../../ingest/load/retry-request.ts';
import { clickhouseAddress } from '../../../runtime/clickhouse-address.ts';
import { openClient } from '../../../sql/warehouse/clickhouse/client.ts';
import { clickhouseOfRun } from '../../support/clickhouse-of-run.ts';
import { folderOfTests } from '../../support/exports.ts';
import { queryFiles } from '../export/dumps.ts';

/** Dumps and history are read in one answer, which the server begins before it knows whether it can end it. */

const folder = folderOfTests();
const file = join(folder.path, 'rows.parquet');

describe('an answer of any length', () => {
  let client: ClickHouseClient;

  beforeAll(async () => {
    const { warehouse } = await clickhouseOfRun();
    const address = clickhouseAddress(warehouse('energy_loader', 'energy_downloads'));
    client = openClient(address, { silenceSeconds: 60, connections: 1 });
  });

  afterAll(async () => {
    await client.close();
    folder.remove();
  });

  /** Fails at this row, after many megabytes. */
  const FAILING = 'SELECT number, throwIf(number = 2900000) AS thrown FROM numbers(3000000)';

  test('is in the file as it is on the server', async () => {
    await downloadParquet(client, 'SELECT number FROM numbers(300000)', file);
    expect(await queryFiles(`SELECT count(*)::INTEGER AS n, max(number)::INTEGER AS last FROM '${file}'`)).toEqual([
      { n: 300_000, last: 299_999 },
    ]);
  });

  /**
   * Downloads what fails, until the error has come. The server resets the connection behind it, and on a busy machine the system
   * drops now and then what was not read by then: such a download is repeated, as after any broken connection.
   */
  async function refusal(): Promise<{ error: unknown; received: number }> {
    for (let attempt = 1; ; attempt++) {
      let received = 0;
      const error: unknown = await downloadParquet(client, FAILING, file, undefined, (bytes) => {
        received += bytes;
      }).then(
        () => 'no error',
        (reason: unknown) => reason,
      );
      if (error instanceof ClickHouseError || attempt === 10) return { error, received };
    }
  }

  test('fails with what the server says, also when that comes behind a beginning of the rows', async () => {
    const { error, received } = await refusal();
    expect(error).toMatchObject({ code: '395', message: expect.stringContaining('throwIf') });
    expect(received).toBeGreaterThan(1_000_000);
  });

  test('is not asked for again after a refusal that would be the same', async () => {
    const { error } = await refusal();
    let attempts = 0;
    const attempt = () => {
      attempts++;
      return Promise.reject(error);
    };
    const policy = { firstPauseMs: 1, longestPauseMs: 1, maxFailures: 3 };
    await expect(retryServerRequest('ClickHouse', attempt, policy)).rejects.toThrow(/^ClickHouse refused: .*throwIf/);
    expect(attempts).toBe(1);
  });
});
