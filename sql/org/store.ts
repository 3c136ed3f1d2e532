import type { z } from 'zod';
import type { Logger } from '../log.ts';
import type { Settings } from '../settings.ts';
import { openPglite } from './pglite.ts';
import { openPostgres } from './postgres.ts';
import type { Statement } from './statement.ts';

/**
 * The store of what belongs to organisations: a Postgres server, or Postgres inside this process. What is written and
 * asked is the same for both; only the doors differ (postgres.ts, pglite.ts).
 *
 * Row-level security stands below all of it: who works for one organisation sees that organisation's rows and no
 * others, whatever a statement says.
 */
export interface OrgStore {
  /** The URL without its secret, for messages. */
  readonly place: string;
  /**
   * Work for one organisation, in one transaction. It may be run again after a deadlock, so it does nothing but talk to
   * the session.
   * @throws StoreUnavailable when the store cannot be reached
   */
  asOrganisation<Result>(organisationId: string, work: Work<Result>): Promise<Result>;
  /** Work across organisations, in one transaction: administration, jobs. */
  asOperator<Result>(work: Work<Result>): Promise<Result>;
  /**
   * One statement across organisations, a transaction of its own, whose commit may reach the disk up to a second later:
   * keys, counters and records of calls, which every request needs.
   */
  quick<Row>(shape: z.ZodType<Row>, statement: Statement): Promise<Row[]>;
  /**
   * Brings the tables up to date, or only says what that would run (migrate.ts).
   * @returns the names of the migrations
   */
  migrate(how: 'apply' | 'plan'): Promise<string[]>;
  close(): Promise<void>;
}

export type Work<Result> = (session: Session) => Promise<Result>;

/**
 * What can be asked inside a transaction. Rows come checked: timestamps are RFC 3339 texts in UTC with milliseconds,
 * days `YYYY-MM-DD`, bigint a number.
 */
export interface Session {
  rows<Row>(shape: z.ZodType<Row>, statement: Statement): Promise<Row[]>;
  /** The first row, or null. */
  row<Row>(shape: z.ZodType<Row>, statement: Statement): Promise<Row | null>;
  /** For statements whose rows do not matter; the number of rows they changed. */
  run(statement: Statement): Promise<number>;
}

/** The store does not answer: try again later. */
export class StoreUnavailable extends Error {}

/** Opens the store that ORG_STORE_URL names; its tables are as they are until `migrate`. */
export function openOrgStore(settings: Settings, log: Logger): Promise<OrgStore> {
  const url = settings.ORG_STORE_URL;
  return url.startsWith('pglite:') ? openPglite(url.slice('pglite:'.length), log) : openPostgres(url, log);
}
