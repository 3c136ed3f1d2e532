import type { z } from 'zod';
import type { Logger } from '../../runtime/log.ts';
import type { Settings } from '../../runtime/settings.ts';
import { restoreBackup } from './backup-restore.ts';
import {
  ALL_ORGANISATIONS,
  type BackupSummary,
  type Connection,
  type Driver,
  forOrganisation,
  type PoolState,
  readOnly,
} from './driver.ts';
import { appliedMigrations, migrate } from './migrate.ts';
import { openPglite, type StoreThread } from './pglite.ts';
import { openPostgres, type PoolSizes } from './postgres.ts';
import type { StoreStatement } from './statement.ts';

export { StoreUnavailable } from './driver.ts';

/**
 * The store of everything that belongs to organisations: a Postgres server, or Postgres inside this process. Statements
 * are the same for both; only the drivers differ (postgres.ts, pglite.ts).
 *
 * Row-level security is below all of it: a session for one organisation sees the rows of that organisation and no others,
 * whatever a statement says.
 */
export interface OrgStore {
  /** The URL without its secret, for messages. */
  readonly place: string;
  /** True when it belongs to this process, so that no other one writes to it. */
  readonly exclusive: boolean;
  /**
   * Runs work for one organisation in one transaction. It may be repeated after a deadlock, so it uses nothing but the
   * session.
   * @param access `reads`: a statement that writes fails, and `changes` stays as it is
   * @throws StoreUnavailable when the store cannot be reached
   */
  asOrganisation<Result>(organisationId: string, work: Work<Result>, access?: Access): Promise<Result>;
  /** Runs work across organisations in one transaction, for administration and jobs. */
  asOperator<Result>(work: Work<Result>): Promise<Result>;
  /**
   * Runs one statement across organisations as a transaction of its own, whose commit may reach the disk up to a second
   * later: for keys, counters and records of calls, which every request needs.
   */
  autocommit<Row>(shape: z.ZodType<Row>, statement: StoreStatement): Promise<Row[]>;
  /**
   * Brings the tables up to date, or only lists the migrations that would run (migrate.ts).
   * @returns the names of the migrations
   * @throws MigrationRefused when the store does not fit this release
   */
  migrate(how: 'apply' | 'plan'): Promise<string[]>;
  /** Returns true while its tables have never been created. */
  isNew(): Promise<boolean>;
  /**
   * Writes everything, as it is at one moment, into a new file without blocking others (backup-write.ts).
   * @throws NoPlace
   */
  backup(path: string): Promise<BackupSummary>;
  /**
   * Restores a backup, all of it or nothing; other sessions wait until it is done.
   * @param replace permits it although there are organisations
   * @throws BackupDamaged, MigrationRefused, RestoreRefused
   */
  restore(path: string, replace: boolean): Promise<BackupSummary>;
  /** Counts restores in this process: caches from before a restore are no longer valid. */
  restores(): number;
  /**
   * Counts when work of this process begins and ends that may change records: while the number stays, records of an exclusive
   * store are as they were. Statements of `autocommit` write none.
   */
  changes(): number;
  /** Returns the state of its connections; an embedded store is one. */
  pools(): readonly PoolState[];
  /** Waits for work in progress; later calls fail with StoreUnavailable. */
  close(): Promise<void>;
}

/** Default: `writes`. */
type Access = 'reads' | 'writes';

export type Work<Result> = (session: Session) => Promise<Result>;

/**
 * Runs statements inside a transaction. Rows are checked: timestamps are RFC 3339 texts in UTC with milliseconds,
 * days `YYYY-MM-DD`, bigint a number, jsonb its value.
 */
export interface Session {
  rows<Row>(shape: z.ZodType<Row>, statement: StoreStatement): Promise<Row[]>;
  /** The first row, or null. */
  row<Row>(shape: z.ZodType<Row>, statement: StoreStatement): Promise<Row | null>;
  /** Runs a statement whose rows do not matter. @returns the number of rows that it changed */
  run(statement: StoreStatement): Promise<number>;
}

/** Differences between processes that open the same store. */
export interface StoreChoices {
  /** The thread on which an embedded store works. */
  readonly thread?: StoreThread;
  /** Connections to a server. */
  readonly pools?: PoolSizes;
}

/** Opens the store that ORG_STORE_URL names, without migrating it. */
export async function openOrgStore(
  settings: Settings,
  log: Logger,
  { thread, pools }: StoreChoices = {},
): Promise<OrgStore> {
  const url = settings.ORG_STORE_URL;
  const isEmbedded = url.startsWith('pglite:');
  return storeOver(
    await (isEmbedded ? openPglite(url.slice('pglite:'.length), log, thread) : openPostgres(url, log, pools)),
  );
}

function storeOver(driver: Driver): OrgStore {
  let closing: Promise<void> | undefined;
  let restores = 0;
  let changes = 0;
  const changing = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    changes += 1;
    try {
      return await work();
    } finally {
      changes += 1;
    }
  };
  return {
    place: driver.place,
    exclusive: driver.exclusive,
    async asOrganisation(id, work, access = 'writes') {
      const scope = forOrganisation(id);
      const inSession = (connection: Connection) => work(session(connection));
      return access === 'reads'
        ? driver.transaction(readOnly(scope), inSession)
        : changing(() => driver.transaction(scope, inSession));
    },
    asOperator: (work) =>
      changing(() => driver.transaction(ALL_ORGANISATIONS, (connection) => work(session(connection)))),
    autocommit: async (shape, { text, values }) => checked(shape, await driver.autocommit(text, values), text),
    migrate: (how) => changing(() => driver.maintenance((transact) => migrate(transact, how))),
    isNew: () =>
      driver.maintenance((transact) =>
        transact(async (connection) => (await appliedMigrations(connection)).length === 0),
      ),
    backup: (path) => driver.backup(path),
    async restore(path, replace) {
      const held = await changing(() => driver.maintenance((transact) => restoreBackup(transact, path, replace)));
      restores += 1;
      return held;
    },
    restores: () => restores,
    changes: () => changes,
    pools: () => driver.pools(),
    close: () => {
      closing ??= driver.close();
      return closing;
    },
  };
}

function session(connection: Connection): Session {
  const rows: Session['rows'] = async (shape, { text, values }) =>
    checked(shape, (await connection.query(text, values)).rows, text);
  return {
    rows,
    row: async (shape, statement) => (await rows(shape, statement))[0] ?? null,
    run: async ({ text, values }) => (await connection.query(text, values)).changed,
  };
}

/** @throws Error when a row does not have the shape: statement and shape then disagree, which is a bug */
function checked<Row>(shape: z.ZodType<Row>, rows: readonly unknown[], text: string): Row[] {
  return rows.map((row) => {
    const { data, error } = shape.safeParse(row);
    if (error === undefined) return data as Row;
    throw new Error(`A row of the organisation store is not what was expected: ${error.message}\n${text}`);
  });
}
