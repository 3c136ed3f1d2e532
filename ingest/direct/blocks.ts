import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { ClickHouseClient, ClickHouseSettings } from '@clickhouse/client';
import pLimit from 'p-limit';
import { BLOCK_SETTINGS } from '../load/load.ts';
import type { LoadServer } from '../load/server.ts';
import type { TaskContext } from '../run/task-context.ts';

/** Blocks that the server works on at once. Each takes its views along, which may use a gigabyte. */
const IN_FLIGHT = 1;

/** More rows than any block has. */
const MORE_ROWS = '4000000';

/** Rows that are inserted at once become one part of their table, and of each that a view fills. */
export const ONE_PART: ClickHouseSettings = {
  ...BLOCK_SETTINGS,
  max_insert_block_size: MORE_ROWS,
  min_insert_block_size_rows: MORE_ROWS,
  // Views write what they have made of a block at once, side by side: that takes half of the memory, too.
  parallel_view_processing: 1,
  min_insert_block_size_rows_for_materialized_views: '1',
  min_insert_block_size_bytes_for_materialized_views: '1',
};

interface SentBlock {
  readonly table: string;
  /** Tells it from the other blocks of its table. */
  readonly block: string | number;
  readonly file: string;
  /** A file that has arrived is kept for what else reads it, or removed. */
  readonly after: 'keep' | 'remove';
  /** Further settings, asked for with each attempt. */
  readonly settings?: () => Promise<ClickHouseSettings>;
}

/** Parquet files on their way to tables of a version. */
export interface Blocks {
  /** Sends a file as one block of a table once its turn has come, again until it has arrived. @throws when another one has failed */
  send(block: SentBlock): void;
  /**
   * Does work of a lane, which leads to blocks. While blocks wait for the server, one lane after the other works: a server on the same
   * machine then has the other processors.
   */
  lead<T>(work: () => Promise<T>): Promise<T>;
  /** Returns once everything has arrived. */
  arrived(): Promise<void>;
}

export function openBlocks(server: LoadServer, client: ClickHouseClient, version: string, task: TaskContext): Blocks {
  const limit = pLimit(IN_FLIGHT);
  const lanes = pLimit(Number.POSITIVE_INFINITY);
  const sending = new Set<Promise<void>>();
  const makeRoom = () => {
    lanes.concurrency = sending.size > IN_FLIGHT ? 1 : Number.POSITIVE_INFINITY;
  };
  let failure: { readonly error: unknown } | null = null;
  const throwFailure = () => {
    if (failure !== null) throw failure.error;
  };
  const insert = async ({ table, block, file, after, settings }: SentBlock) => {
    throwFailure();
    await server.retryPersistently(
      async () =>
        client.insert({
          table,
          values: createReadStream(file, { highWaterMark: 1 << 18 }),
          format: 'Parquet',
          clickhouse_settings: {
            ...ONE_PART,
            insert_deduplication_token: `${version}/${table}/${block}`,
            ...(await settings?.()),
          },
        }),
      task,
    );
    if (after === 'remove') await rm(file);
  };
  return {
    send(block) {
      throwFailure();
      const sent = limit(() => insert(block))
        .catch((error: unknown) => {
          failure ??= { error };
        })
        .finally(() => {
          sending.delete(sent);
          makeRoom();
        });
      sending.add(sent);
      makeRoom();
    },
    lead: (work) => lanes(work),
    async arrived() {
      await Promise.all(sending);
      throwFailure();
    },
  };
}
