import type { ClickHouseClient } from '@clickhouse/client';
import type { ClickHouseAddress } from '../../runtime/clickhouse-address.ts';
import { openClient } from '../../sql/warehouse/clickhouse/client.ts';
import type { Placement } from '../../sql/warehouse/clickhouse/placement.ts';
import type { RetryPolicy } from '../run/retry.ts';
import type { TaskContext } from '../run/task-context.ts';
import { BRIEF_RETRIES, PERSISTENT_RETRIES, retryServerRequest } from './retry-request.ts';

/** The ClickHouse server into which versions are loaded. */
export interface LoadServer {
  /** Name of the server in messages. */
  readonly name: string;
  readonly prefix: string;
  readonly placement: Placement;
  /** This machine and folder; the comment of an unfinished database names them. */
  readonly loader: string;
  readonly client: ClickHouseClient;
  /** Servers of the cluster that are away, as far as somebody was told of them. */
  readonly told: Set<string>;
  /** Opens a client with a default database; the caller closes it. */
  clientFor(database: string): ClickHouseClient;
  /** Repeats a request for a caller who waits for the answer. */
  retryBriefly<T>(request: () => Promise<T>): Promise<T>;
  /** Repeats a request of a long task, through restarts of the server. */
  retryPersistently<T>(request: () => Promise<T>, task?: Pick<TaskContext, 'signal' | 'progress'>): Promise<T>;
  close(): Promise<void>;
}

export interface LoadServerOptions {
  readonly address: ClickHouseAddress;
  readonly placement: Placement;
  readonly loader: string;
  /** Replaces both the brief and the persistent policy. */
  readonly policy?: RetryPolicy | undefined;
}

/** Views and mutations of large blocks take a long time, during which the server reports progress in headers. */
const IDLE_TIMEOUT_SECONDS = 300;

/** A block is sent while another table is copied and a comparison runs. */
const CONNECTIONS = 3;

const SETTINGS = {
  // ClickHouse Cloud may turn it on for users; then an insert would be answered before its rows are stored.
  async_insert: 0,
  // An error has a status of its own instead of following a 200.
  wait_end_of_query: 1,
  // A replica that lacks a row which others have in quorum refuses, instead of answering that there is none.
  select_sequential_consistency: '1',
  send_progress_in_http_headers: 1,
  http_headers_progress_interval_ms: '20000',
} as const;

export function openLoadServer(options: LoadServerOptions): LoadServer {
  const { address, placement, loader, policy } = options;
  const open = (database: string | null) =>
    openClient(address, {
      silenceSeconds: IDLE_TIMEOUT_SECONDS,
      connections: CONNECTIONS,
      settings: SETTINGS,
      ...(database === null ? {} : { database }),
    });
  const client = open(null);
  const name = `ClickHouse at ${address.url}, databases ${address.prefix}`;
  return {
    name,
    prefix: address.prefix,
    placement,
    loader,
    client,
    told: new Set(),
    clientFor: open,
    retryBriefly: (request) => retryServerRequest(name, request, policy ?? BRIEF_RETRIES),
    retryPersistently: (request, task) =>
      retryServerRequest(name, request, policy ?? PERSISTENT_RETRIES, task?.signal, (text) =>
        task?.progress.note(text),
      ),
    close: () => client.close(),
  };
}
