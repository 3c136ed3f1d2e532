import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import type { ClickHouseClient } from '@clickhouse/client';
import { afterAll, describe, expect, test } from 'vitest';
import { openBlocks } from '../../../ingest/direct/blocks.ts';
import { retryServerRequest } from '../../../ingest/load/retry-request.ts';
import type { LoadServer } from '../../../ingest/load/server.ts';
import { silentProgress } from '../../../ingest/run/progress.ts';
import { folderOfTests } from '../../support/exports.ts';

const folder = folderOfTests();
afterAll(() => folder.remove());

/** A server whose connections break, and that is asked again only after an hour. */
function blocksOnTheirWay() {
  const policy = { firstPauseMs: 3_600_000, longestPauseMs: 3_600_000, maxElapsedMs: 36_000_000 };
  const server: Pick<LoadServer, 'retryPersistently'> = {
    retryPersistently: (request, task) => retryServerRequest('server', request, policy, task?.signal),
  };
  let asked = 0;
  const insert = async ({ values }: { values: Readable }) => {
    asked++;
    await buffer(values);
    throw new Error('socket hang up');
  };
  const build = new AbortController();
  const task = { folder: folder.path, memoryMb: 100, progress: silentProgress, signal: build.signal };
  const blocks = openBlocks(server as LoadServer, { insert } as unknown as ClickHouseClient, 'version', task);
  const send = (block: number) => {
    const file = join(folder.path, `${block}.parquet`);
    writeFileSync(file, '');
    blocks.send({ table: 'units', block, file, after: 'keep' });
  };
  return { blocks, send, asked: () => asked, end: () => build.abort(new Error('The build has ended')) };
}

describe('blocks for a server that is away', () => {
  test('one is on its way, and others wait for their turn', async () => {
    const { blocks, send, asked, end } = blocksOnTheirWay();
    for (const block of [0, 1, 2]) send(block);
    await expect.poll(asked).toBe(1);
    end();
    await expect(blocks.arrived()).rejects.toThrow('The build has ended');
    expect(asked()).toBe(1);
  });

  test('let one lane after the other work while they wait, and all of them before', async () => {
    const { blocks, send, end } = blocksOnTheirWay();
    const atOnce = async () => {
      let [working, most] = [0, 0];
      const work = async () => {
        most = Math.max(most, ++working);
        await setImmediate();
        working--;
      };
      await Promise.all([blocks.lead(work), blocks.lead(work), blocks.lead(work)]);
      return most;
    };
    expect(await atOnce()).toBe(3);
    send(0);
    expect(await atOnce()).toBe(3);
    send(1);
    expect(await atOnce()).toBe(1);
    end();
    await expect(blocks.arrived()).rejects.toThrow('The build has ended');
    expect(await atOnce()).toBe(3);
  });

  test('are given up when the build ends', async () => {
    const { blocks, send, end } = blocksOnTheirWay();
    send(0);
    end();
    await expect(blocks.arrived()).rejects.toThrow('The build has ended');
  });
});
