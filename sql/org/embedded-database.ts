import { PGlite } from '@electric-sql/pglite';
import { type Connection, PARSERS, type TenantSetting } from './driver.ts';
import type { StoreValue } from './statement.ts';

/**
 * Postgres inside this process: on the thread that asks (openHere), or on a thread of its own (embedded-thread.ts). It takes
 * one statement or transaction at a time; others wait for their turn.
 */
export interface EmbeddedDatabase {
  /** Runs one statement as a transaction of its own. */
  query(text: string, values: readonly StoreValue[]): Promise<QueryResult>;
  /** Runs several statements at once, without values. */
  exec(text: string): Promise<void>;
  transaction<Result>(scope: TenantSetting, work: (connection: Connection) => Promise<Result>): Promise<Result>;
  /** Runs work while no statement runs. */
  alone(work: () => Promise<void>): Promise<void>;
  /** True from the moment at which it is closed. */
  isClosed(): boolean;
  /** Waits for its turn, writes what is not written yet and closes the files. */
  close(): Promise<void>;
  /** Closes a database that may not answer any more, within CLOSE_TIMEOUT_MILLISECONDS. */
  abandon(): Promise<void>;
}

export type QueryResult = Awaited<ReturnType<Connection['query']>>;

/** The time limit for closing a database that is given up. */
const CLOSE_TIMEOUT_MILLISECONDS = 5_000;

/** The engine could not open the files of a database. */
export class NotOpened extends Error {
  /** The last words of Postgres on stderr: the error of the engine has no reason. */
  readonly stderr: readonly string[];

  constructor(message: string, stderr: readonly string[], options?: ErrorOptions) {
    super(message, options);
    this.stderr = stderr;
  }
}

/**
 * The engine fills its buffers with zeros when it opens: 128 MB, its default, are half of the time that takes, and memory
 * that no other use gets back. Pages that fall out of smaller ones are read from the system's own cache of files.
 */
const START: readonly string[] = [...PGlite.defaultStartParams, '-c', 'shared_buffers=16MB'];

/**
 * Opens a database on this thread.
 * @param place folder of its files, or `memory://`
 * @throws NotOpened
 */
export async function openHere(place: string): Promise<EmbeddedDatabase> {
  const stderr: string[] = [];
  const onStderr = (text: string) => {
    stderr.push(text);
    return true;
  };
  const opened = await PGlite.create(place, { parsers: { ...PARSERS }, onStderr, startParams: [...START] }).catch(
    (error: Error) => {
      throw new NotOpened(error.message, stderr, { cause: error });
    },
  );
  return databaseOf(opened);
}

/** Both a database and a transaction inside of it. */
type Session = Pick<PGlite, 'query' | 'exec'>;

const connectionOf = (session: Session): Connection => ({
  async query(text, values) {
    const { rows, affectedRows = 0 } = await session.query(text, [...values]);
    return { rows, changed: affectedRows };
  },
  async exec(text) {
    await session.exec(text);
  },
});

const databaseOf = (database: PGlite): EmbeddedDatabase => ({
  ...connectionOf(database),
  transaction: (scope, work) =>
    database.transaction(async (inside) => {
      await inside.exec(scope);
      return work(connectionOf(inside));
    }),
  alone: (work) => database.runExclusive(work),
  isClosed: () => !database.ready,
  close: () => database.close(),
  abandon: () => withinTime(database.close().catch(() => {})),
});

/** Waits for an end at most CLOSE_TIMEOUT_MILLISECONDS. */
export async function withinTime(end: Promise<void>): Promise<void> {
  const timeout = Promise.withResolvers<void>();
  const timer = setTimeout(timeout.resolve, CLOSE_TIMEOUT_MILLISECONDS);
  await Promise.race([end, timeout.promise]).finally(() => clearTimeout(timer));
}
