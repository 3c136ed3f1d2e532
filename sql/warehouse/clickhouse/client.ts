import { type ClickHouseClient, ClickHouseLogLevel, type ClickHouseSettings, createClient } from '@clickhouse/client';
import type { ClickHouseAddress } from '../../../runtime/clickhouse-address.ts';

export interface ClientOptions {
  /** Longest silence of the server within one request, seconds. */
  readonly silenceSeconds: number;
  /** Requests at a time, at most. */
  readonly connections: number;
  /** Database of unqualified tables; that of the user by default. */
  readonly database?: string;
  /** Settings of every statement. */
  readonly settings?: ClickHouseSettings;
}

/** Servers close idle connections after ten seconds by default, the cloud too; the client closes them sooner. */
const IDLE_MILLISECONDS = 2_500;

/** Settings of every session, under which both engines read a statement alike. */
export const SESSION_SETTINGS = { join_use_nulls: 1, session_timezone: 'UTC' } satisfies ClickHouseSettings;

/** Opens a client without sending anything. The caller closes it. */
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
    // Requests are compressed already (Parquet) or small.
    compression: { request: false, response: true },
    keep_alive: { enabled: true, idle_socket_ttl: IDLE_MILLISECONDS, eagerly_destroy_stale_sockets: true },
    // Callers report failures themselves.
    log: { level: ClickHouseLogLevel.OFF },
    clickhouse_settings: { ...SESSION_SETTINGS, ...options.settings },
    ...(options.database === undefined ? {} : { database: options.database }),
  });
}
