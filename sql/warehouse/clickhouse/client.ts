import { type ClickHouseClient, ClickHouseLogLevel, type ClickHouseSettings, createClient } from '@clickhouse/client';
import type { ClickHouseAddress } from '../../../runtime/clickhouse-address.ts';

/** How ClickHouse is spoken to. */

type Connection = NonNullable<NonNullable<Parameters<typeof createClient>[0]>['connection']>;

export interface ClientOptions {
  /** Longest silence of the server within one request, seconds. */
  readonly silenceSeconds: number;
  /** Most requests at a time. */
  readonly connections: number;
  /** Database whose tables statements are about; that of the user, when left out. */
  readonly database?: string;
  /** Settings of every statement. */
  readonly settings?: ClickHouseSettings;
  /** Stands in for the network: an engine inside this process. */
  readonly connection?: Connection;
}

/** A server closes idle connections after ten seconds by default, also that of the cloud; ours are let go sooner. */
const IDLE_MILLISECONDS = 2_500;

/** What every session needs for both engines to understand a statement alike. */
const ALIKE: ClickHouseSettings = { join_use_nulls: 1, session_timezone: 'UTC' };

/** Opens a client. Nothing is sent yet; whoever opens it closes it. */
export function openClient(address: ClickHouseAddress, options: ClientOptions): ClickHouseClient {
  const { url, username, password } = address;
  return createClient({
    url,
    username,
    password,
    application: 'energy-asset-data-service',
    request_timeout: options.silenceSeconds * 1000,
    max_open_connections: options.connections,
    // A list of thousands of numbers does not fit into an address.
    use_multipart_params_auto: true,
    // What is sent is compressed already (Parquet) or small.
    compression: { request: false, response: true },
    keep_alive: { enabled: true, idle_socket_ttl: IDLE_MILLISECONDS, eagerly_destroy_stale_sockets: true },
    // Failures are told by whoever asked, in words of its own.
    log: { level: ClickHouseLogLevel.OFF },
    clickhouse_settings: { ...ALIKE, ...options.settings },
    ...(options.database === undefined ? {} : { database: options.database }),
    ...(options.connection === undefined ? {} : { connection: options.connection }),
  });
}
