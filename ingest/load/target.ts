import type { ClickHouseClient } from '@clickhouse/client';
import type { ClickHouseAddress } from '../../runtime/clickhouse-address.ts';
import { type ClientOptions, openClient } from '../../sql/warehouse/clickhouse/client.ts';
import type { Placement } from '../../sql/warehouse/clickhouse/placement.ts';
import type { Work } from '../published/published.ts';
import { BRIEF_RETRIES, PERSISTENT_RETRIES, type RetryPolicy, retry } from './retry.ts';

/** The ClickHouse server that versions are loaded into, as those see it that load. */
export interface Target {
  /** How messages name it. */
  readonly name: string;
  readonly prefix: string;
  readonly placement: Placement;
  /** Who loads: this folder of this machine. Stands beside a database that is not finished. */
  readonly loader: string;
  readonly client: ClickHouseClient;
  /** A client whose statements are about the tables of a database; whoever takes it closes it. */
  inside(database: string): ClickHouseClient;
  /** Asks for somebody who waits for the answer; see persistently. */
  ask<T>(request: () => Promise<T>): Promise<T>;
  /** Asks as a part of long work, through restarts of the server; see persistently. */
  insist<T>(request: () => Promise<T>, work?: Pick<Work, 'signal' | 'progress'>): Promise<T>;
  close(): Promise<void>;
}

export interface TargetOptions {
  readonly address: ClickHouseAddress;
  readonly placement: Placement;
  readonly loader: string;
  /** In place of both degrees of patience. */
  readonly policy?: RetryPolicy | undefined;
  /** Stands in for the network in tests: a connection whose statements are about the tables of a database. */
  readonly connect?: ((database: string | null) => NonNullable<ClientOptions['connection']>) | undefined;
}

/** Views and mutations of large blocks take their time; meanwhile the server tells that it is at work. */
const IDLE_TIMEOUT_SECONDS = 300;

/** One block is sent while another question is asked. */
const CONNECTIONS = 2;

const SETTINGS = {
  // Users of the cloud may have it on: an answer would come before the rows are there.
  async_insert: 0,
  // An error is told as such, never behind a 200.
  wait_end_of_query: 1,
  send_progress_in_http_headers: 1,
  http_headers_progress_interval_ms: '20000',
} as const;

export function openTarget(options: TargetOptions): Target {
  const { address, placement, loader, policy, connect } = options;
  const open = (database: string | null) =>
    openClient(address, {
      silenceSeconds: IDLE_TIMEOUT_SECONDS,
      connections: CONNECTIONS,
      settings: SETTINGS,
      ...(database === null ? {} : { database }),
      ...(connect === undefined ? {} : { connection: connect(database) }),
    });
  const client = open(null);
  const name = `ClickHouse at ${address.url}, databases ${address.prefix}`;
  return {
    name,
    prefix: address.prefix,
    placement,
    loader,
    client,
    inside: open,
    ask: (request) => retry(name, request, policy ?? BRIEF_RETRIES),
    insist: (request, work) =>
      retry(name, request, policy ?? PERSISTENT_RETRIES, work?.signal, (text) => work?.progress.note(text)),
    close: () => client.close(),
  };
}
