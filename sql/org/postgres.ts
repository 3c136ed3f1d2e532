import { createHash } from 'node:crypto';
import pg from 'pg';
import type { Logger } from '../../runtime/log.ts';
import { writeBackup } from './backup-write.ts';
import {
  ALL_ORGANISATIONS,
  type Connection,
  type Driver,
  isOutage,
  PARSERS,
  type PoolState,
  SESSION,
  StoreRefused,
  StoreUnavailable,
  settingsText,
  type TenantSetting,
  withoutRowValues,
} from './driver.ts';

/** Connections for transactions, and for the short statements that every request needs: these never wait for those. */
export interface PoolSizes {
  readonly transactions: number;
  readonly quick: number;
}

const CONNECTIONS: PoolSizes = { transactions: 10, quick: 4 };

/** Connections that are left for the command line, for backups and for whoever looks after the server. */
const SPARE_CONNECTIONS = 5;

/**
 * Returns the pools of each of several processes, all of which together fit into what a server allows.
 * @param allowed connections of the user and database that the server allows
 * @returns null when there are too many processes
 */
export function poolSizes(allowed: number, processes: number): PoolSizes | null {
  const share = Math.floor((allowed - SPARE_CONNECTIONS) / processes);
  if (share < 3) return null;
  if (share >= CONNECTIONS.transactions + CONNECTIONS.quick) return CONNECTIONS;
  const quick = Math.max(1, Math.floor((share * CONNECTIONS.quick) / (CONNECTIONS.transactions + CONNECTIONS.quick)));
  return { transactions: share - quick, quick };
}

/** Time limits, milliseconds. */
const CONNECT = 5_000;
const STATEMENT = 15_000;
/** Longer than the server's own limit: a server that does not report its timeout is gone. */
const ANSWER = 20_000;
const IDLE = 60_000;

const TRANSACTION_SETTINGS = {
  ...SESSION,
  statement_timeout: STATEMENT,
  idle_in_transaction_session_timeout: STATEMENT,
};
const AUTOCOMMIT_SETTINGS = { ...TRANSACTION_SETTINGS, 'app.organisation': '*', synchronous_commit: 'off' };
const MAINTENANCE_SETTINGS = {
  ...SESSION,
  statement_timeout: 0,
  lock_timeout: 0,
  idle_in_transaction_session_timeout: 0,
};

/**
 * The store on a Postgres server (15 or newer).
 * @param url `postgres://user:password@host:port/database`
 * @throws StoreUnavailable when it cannot be reached, StoreRefused when it does not meet the requirements
 */
export async function openPostgres(url: string, log: Logger, sizes: PoolSizes = CONNECTIONS): Promise<Driver> {
  const place = placeOf(url);
  const transactions = pool(url, sizes.transactions, TRANSACTION_SETTINGS, log);
  const autocommit = pool(url, sizes.quick, AUTOCOMMIT_SETTINGS, log);
  const prepared = preparedNames();
  const close = async () => {
    await Promise.all([transactions.end(), autocommit.end()]);
  };
  try {
    await withClient(autocommit, mustBeFit);
  } catch (error) {
    await close();
    throw error instanceof StoreUnavailable
      ? new StoreUnavailable(`${place}: ${error.message}`, { cause: error.cause })
      : error;
  }
  const maintenance: Driver['maintenance'] = async (work) => {
    const client = new pg.Client(connection(url));
    client.on('error', reportedElsewhere);
    try {
      await translateOutages(client.connect());
      await translateOutages(client.query(settingsText(MAINTENANCE_SETTINGS)));
      return await work((inside) =>
        withRetries(prepared, () => transaction(client, prepared, ALL_ORGANISATIONS, inside)),
      );
    } finally {
      await client.end();
    }
  };
  return {
    place,
    exclusive: false,
    transaction: (scope, work) =>
      withRetries(prepared, () => withClient(transactions, (client) => transaction(client, prepared, scope, work))),
    autocommit: (text, values) =>
      withRetries(prepared, () =>
        withClient(autocommit, async (client) => (await connectionOf(client, prepared).query(text, values)).rows),
      ),
    maintenance,
    backup: (path) => maintenance((transact) => transact((connection) => writeBackup(connection, path))),
    pools: () => [stateOf('transactions', transactions), stateOf('quick', autocommit)],
    close,
  };
}

const stateOf = (name: string, { totalCount, idleCount, waitingCount }: pg.Pool): PoolState => ({
  pool: name,
  busy: totalCount - idleCount,
  idle: idleCount,
  waiting: waitingCount,
});

const connection = (url: string): pg.ClientConfig => ({
  connectionString: url,
  connectionTimeoutMillis: CONNECT,
  keepAlive: true,
  types: { getTypeParser },
});

const getTypeParser: pg.CustomTypesConfig['getTypeParser'] = (oid: number, format?: 'text' | 'binary') =>
  PARSERS[oid] ?? pg.types.getTypeParser(oid, format as 'text');

function pool(url: string, max: number, settings: Parameters<typeof settingsText>[0], log: Logger): pg.Pool {
  const made = new pg.Pool({
    ...connection(url),
    max,
    query_timeout: ANSWER,
    idleTimeoutMillis: IDLE,
    onConnect: (client) => client.query(settingsText(settings)),
  });
  made.on('connect', (client) => client.on('error', reportedElsewhere));
  // An idle connection that breaks is replaced when the next one is needed.
  made.on('error', ({ message }) => log.warn({ reason: message }, 'a connection to the organisation store broke'));
  return made;
}

/** A connection that breaks between two statements emits an event, and fails its next user, which is enough. */
const reportedElsewhere = () => {};

/** Runs work with a connection of the pool. One that may still be in a transaction afterwards is discarded. */
async function withClient<Result>(from: pg.Pool, work: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
  const client = await translateOutages(from.connect());
  let lost = false;
  try {
    return await work(client);
  } catch (error) {
    lost = error instanceof StoreUnavailable;
    throw error;
  } finally {
    client.release(lost || client.getTransactionStatus() !== 'I');
  }
}

async function transaction<Result>(
  client: pg.ClientBase,
  prepared: PreparedNames,
  scope: TenantSetting,
  work: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  let over = false;
  const connection = connectionOf(client, prepared, () => over);
  try {
    await translateOutages(client.query(`BEGIN; ${scope}`));
    const result = await work(connection).finally(() => {
      over = true;
    });
    const { command } = await translateOutages(client.query('COMMIT'));
    if (command !== 'COMMIT') throw new Error('A statement failed and the work went on: nothing of it was kept');
    return result;
  } catch (error) {
    // Nothing is sent on a broken connection; the server rolls its transaction back.
    if (!(error instanceof StoreUnavailable)) await client.query('ROLLBACK').catch(reportedElsewhere);
    throw error;
  }
}

/** @param isOver keeps a late statement out of the transaction that uses the connection next */
function connectionOf(client: pg.ClientBase, prepared: PreparedNames, isOver: () => boolean = () => false): Connection {
  const send = <Answer>(request: () => Promise<Answer>): Promise<Answer> => {
    if (isOver()) throw new Error('A statement came after the end of its transaction');
    return translateOutages(request());
  };
  return {
    async query(text, values) {
      const prepare = { name: prepared.nameOf(text), text, values: [...values] };
      const { rows, command, rowCount } = await send(() => client.query(prepare));
      return { rows, changed: CHANGES.has(command) ? (rowCount ?? 0) : 0 };
    },
    async exec(text) {
      await send(() => client.query(text));
    },
  };
}

const CHANGES = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE']);

/** Turns errors of the connection into StoreUnavailable; errors of the statement stay. */
async function translateOutages<Answer>(answer: Promise<Answer>): Promise<Answer> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof pg.DatabaseError && !isOutage(error.code)) throw withoutRowValues(error);
    const { message, code } = error as Error & { code?: unknown };
    throw new StoreUnavailable(`The organisation store does not answer: ${message || code}`, { cause: error });
  }
}

/** Names of prepared statements: equal texts have equal names. */
interface PreparedNames {
  nameOf(text: string): string;
  /** Gives every statement a new name, because a migration elsewhere has invalidated the old ones. */
  renew(): void;
}

function preparedNames(): PreparedNames {
  const names = new Map<string, string>();
  let generation = 0;
  return {
    nameOf(text) {
      let name = names.get(text);
      if (name === undefined) {
        name = `${generation}_${createHash('sha256').update(text).digest('base64url').slice(0, 20)}`;
        names.set(text, name);
      }
      return name;
    },
    renew() {
      generation += 1;
      names.clear();
    },
  };
}

const ATTEMPTS = 4;

/** Codes of conflicts with another transaction: serialisation failure, deadlock. */
const RETRYABLE = new Set(['40001', '40P01']);

/** The routine that refuses prepared statements whose columns have changed; the code of its error is less specific. */
const OUTDATED = 'RevalidateCachedQuery';

/** Repeats work that failed by a conflict or an outdated prepared statement. */
async function withRetries<Result>(prepared: PreparedNames, work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === ATTEMPTS || !(error instanceof pg.DatabaseError)) throw error;
      if (error.routine === OUTDATED) prepared.renew();
      else if (!RETRYABLE.has(String(error.code))) throw error;
    }
  }
}

/**
 * Asks a server how many connections it allows this user and database at a time. Those of others are not counted.
 * @throws StoreUnavailable when it cannot be reached
 */
export async function allowedConnections(url: string): Promise<number> {
  const client = new pg.Client(connection(url));
  client.on('error', reportedElsewhere);
  try {
    await translateOutages(client.connect());
    const { rows } = await translateOutages(client.query<{ allowed: number }>(ALLOWED_CONNECTIONS));
    return rows[0]?.allowed ?? 0;
  } finally {
    await client.end();
  }
}

/** A limit of -1 is none, which `least` passes over as NULL. */
const ALLOWED_CONNECTIONS = `
  SELECT least(
    current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer
      - coalesce(current_setting('reserved_connections', true)::integer, 0),
    (SELECT nullif(rolconnlimit, -1) FROM pg_roles WHERE rolname = current_user),
    (SELECT nullif(datconnlimit, -1) FROM pg_database WHERE datname = current_database())) AS allowed`;

const OLDEST_RELEASE = 15;

/** @throws StoreRefused when the server is too old, or its user bypasses row-level security */
async function mustBeFit(client: pg.ClientBase): Promise<void> {
  const { rows } = await translateOutages(
    client.query<{ release: number; bypasses: boolean; name: string }>(
      `SELECT current_setting('server_version_num')::int / 10000 AS release, rolsuper OR rolbypassrls AS bypasses,
         rolname AS name FROM pg_roles WHERE rolname = current_user`,
    ),
  );
  const [user] = rows;
  if (user === undefined) throw new Error('The server does not list its current user');
  const { release, bypasses, name } = user;
  if (release < OLDEST_RELEASE) {
    throw new StoreRefused(`The organisation store needs Postgres ${OLDEST_RELEASE} or newer; this one is ${release}`);
  }
  if (bypasses) {
    throw new StoreRefused(
      `The database user ${name} stands above row-level security, which keeps organisations apart. Use one that is ` +
        'neither superuser nor BYPASSRLS: CREATE ROLE energy LOGIN; CREATE DATABASE energy OWNER energy',
    );
  }
}

/** Returns the URL without its secrets. @throws StoreRefused, without the text itself, when it is none */
function placeOf(url: string): string {
  if (!URL.canParse(url)) {
    throw new StoreRefused('ORG_STORE_URL is not of the form postgres://user:password@host:port/database');
  }
  const place = new URL(url);
  place.password = '';
  place.search = '';
  place.hash = '';
  return place.href;
}
