import type { TableDigests } from './backup-file.ts';
import type { StoreValue } from './statement.ts';

/** What both doors to Postgres have in common: the server's (postgres.ts) and the one inside this process (pglite.ts). */
export interface Driver {
  /** Where it leads, without a secret. */
  readonly place: string;
  /** Whether it is this process's alone. */
  readonly exclusive: boolean;
  /** Work in one transaction. On a server it may be run again. */
  transaction<Result>(scope: TenantSetting, work: (connection: Connection) => Promise<Result>): Promise<Result>;
  /** One statement for all organisations, a transaction of its own, whose commit may reach the disk a little later. */
  autocommit(text: string, values: readonly StoreValue[]): Promise<unknown[]>;
  /** Work on a connection of its own, in transactions for all organisations that may take as long as they need. */
  maintenance<Result>(work: (transact: Transact) => Promise<Result>): Promise<Result>;
  /** Writes everything into a new file (backup-write.ts), while others go on. @throws NoPlace */
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

/** How the connections of a store stand. */
export interface PoolState {
  readonly pool: string;
  readonly busy: number;
  readonly idle: number;
  /** What waits for one. */
  readonly waiting: number;
}

export type Transact = <Result>(work: (connection: Connection) => Promise<Result>) => Promise<Result>;

/** What can be said inside a transaction. */
export interface Connection {
  /** `changed` counts the rows that INSERT, UPDATE and DELETE changed. */
  query(text: string, values: readonly StoreValue[]): Promise<{ rows: unknown[]; changed: number }>;
  /** Several statements at once, without values. */
  exec(text: string): Promise<void>;
}

/** The statement that says who a transaction works for. */
export type TenantSetting = string;

export const ALL_ORGANISATIONS: TenantSetting = "SET LOCAL app.organisation = '*'";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The id goes into the text, because SET takes no parameters: so it is checked. */
export function forOrganisation(id: string): TenantSetting {
  if (!UUID.test(id)) throw new Error(`${JSON.stringify(id)} is no organisation id`);
  return `SET LOCAL app.organisation = '${id}'`;
}

/** The store does not answer: try again later. */
export class StoreUnavailable extends Error {}

/** What ORG_STORE_URL leads to cannot be the store as it is: somebody has to see to it. */
export class StoreRefused extends Error {}

/** Classes of SQLSTATE: 08 connection; 28, 3D not let in; 53 no resources; 57 stopped, or took too long. */
const OUTAGE = /^(08|28|3D|53|57)/;

/** Whether an error of this code says something about the store, not about the statement. */
export const isOutage = (code: unknown): boolean => OUTAGE.test(String(code));

/** What every session is told first: times are read and written in UTC, and a statement sees what is committed. */
export const SESSION = {
  TimeZone: 'UTC',
  DateStyle: 'ISO',
  default_transaction_isolation: 'read committed',
} as const;

export const settingsText = (settings: Readonly<Record<string, string | number>>): string =>
  Object.entries(settings)
    .map(([name, value]) => `SET ${name} = '${value}'`)
    .join('; ');

/** How texts of Postgres become values, by type: int8, date, timestamptz. Both doors read alike. */
export const PARSERS: Readonly<Record<number, (text: string) => unknown>> = {
  20: Number,
  1082: (text) => text,
  1184: timestamp,
};

/** RFC 3339 in UTC with milliseconds. What is no moment (infinity) stays as it is. */
function timestamp(text: string): string {
  const at = new Date(text);
  return Number.isNaN(at.getTime()) ? text : at.toISOString();
}
