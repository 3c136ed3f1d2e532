import type { TableDigests } from './backup-file.ts';
import type { StoreValue } from './statement.ts';

/**
 * The interface of both drivers: to a Postgres server (postgres.ts) and to Postgres inside this process (pglite.ts).
 */
export interface Driver {
  /** URL without secrets. */
  readonly place: string;
  /** True when the store belongs to this process alone. */
  readonly exclusive: boolean;
  /** Runs work in one transaction; on a server it may be repeated. */
  transaction<Result>(scope: TenantSetting, work: (connection: Connection) => Promise<Result>): Promise<Result>;
  /**
   * Runs one statement for all organisations as a transaction of its own, whose commit may reach the disk a little
   * later.
   */
  autocommit(text: string, values: readonly StoreValue[]): Promise<unknown[]>;
  /** Runs work on a separate connection, in transactions for all organisations without time limits. */
  maintenance<Result>(work: (transact: Transact) => Promise<Result>): Promise<Result>;
  /** Writes everything into a new file (backup-write.ts) without blocking others. @throws NoPlace */
  backup(path: string): Promise<BackupSummary>;
  pools(): readonly PoolState[];
  close(): Promise<void>;
}

/** The content of a backup, by table. */
export interface BackupSummary {
  readonly file: string;
  /** Time of its making, RFC 3339. */
  readonly createdAt: string;
  readonly tables: TableDigests;
}

export interface PoolState {
  readonly pool: string;
  readonly busy: number;
  readonly idle: number;
  /** Statements and transactions that wait for a connection. */
  readonly waiting: number;
}

export type Transact = <Result>(work: (connection: Connection) => Promise<Result>) => Promise<Result>;

/** Runs statements inside a transaction. */
export interface Connection {
  /** `changed` counts the rows that INSERT, UPDATE and DELETE changed. */
  query(text: string, values: readonly StoreValue[]): Promise<{ rows: unknown[]; changed: number }>;
  /** Runs several statements at once, without values. */
  exec(text: string): Promise<void>;
}

/** The statement that sets the organisation whose rows a transaction sees. */
export type TenantSetting = string;

export const ALL_ORGANISATIONS: TenantSetting = "SET LOCAL app.organisation = '*'";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** SET takes no parameters, so the id goes into the text and is checked first. */
export function forOrganisation(id: string): TenantSetting {
  if (!UUID.test(id)) throw new Error(`${JSON.stringify(id)} is no organisation id`);
  return `SET LOCAL app.organisation = '${id}'`;
}

/** The same for a transaction in which every statement is refused that writes. */
export const readOnly = (scope: TenantSetting): TenantSetting => `SET TRANSACTION READ ONLY; ${scope}`;

/** The store does not answer; the call may succeed later. */
export class StoreUnavailable extends Error {}

/** ORG_STORE_URL leads to something that cannot be the store; an operator has to repair it. */
export class StoreRefused extends Error {}

/** Classes of SQLSTATE: 08 connection; 28, 3D not let in; 53 no resources; 57 stopped, or took too long. */
const OUTAGE = /^(08|28|3D|53|57)/;

/** Returns true when an error of this code is about the store, not about the statement. */
export const isOutage = (code: unknown): boolean => OUTAGE.test(String(code));

/**
 * Removes from an error of Postgres what repeats values of rows and parameters: errors are logged with all their
 * properties.
 * @returns the error
 */
export function withoutRowValues<Failure extends Error>(error: Failure): Failure {
  for (const name of ['params', 'detail', 'where']) Reflect.deleteProperty(error, name);
  return error;
}

/** Settings of every session: times are read and written in UTC, and a statement sees what is committed. */
export const SESSION = {
  TimeZone: 'UTC',
  DateStyle: 'ISO',
  default_transaction_isolation: 'read committed',
} as const;

export const settingsText = (settings: Readonly<Record<string, string | number>>): string =>
  Object.entries(settings)
    .map(([name, value]) => `SET ${name} = '${value}'`)
    .join('; ');

/** Parsers of both drivers for texts of Postgres, by type: int8, date, timestamptz. */
export const PARSERS: Readonly<Record<number, (text: string) => unknown>> = {
  20: Number,
  1082: (text) => text,
  1184: timestamp,
};

/** Writes RFC 3339 in UTC with milliseconds. A text that is no moment (infinity) stays as it is. */
function timestamp(text: string): string {
  const at = new Date(text);
  return Number.isNaN(at.getTime()) ? text : at.toISOString();
}
