import pg from 'pg';
import type { Logger } from '../log.ts';
import { migrate } from './migrate.ts';
import { type OrgStore, StoreUnavailable, type Work } from './store.ts';
import {
  again,
  begin,
  checkedRows,
  PARSERS,
  type Scope,
  SESSION_DEFAULTS,
  session,
  statementName,
  type Wire,
} from './wire.ts';

/** Connections for transactions, and for the short statements that every request needs: these never wait for those. */
const CONNECTIONS = { transactions: 10, quick: 4 } as const;

const CONNECT_MILLISECONDS = 5_000;
const STATEMENT_MILLISECONDS = 15_000;

/** The store on a Postgres server (15 or newer). @param url `postgres://user:password@host:port/database` */
export async function openPostgres(url: string, log: Logger): Promise<OrgStore> {
  const transactions = pool(url, CONNECTIONS.transactions, {}, log);
  const quick = pool(url, CONNECTIONS.quick, { 'app.organisation': '*', synchronous_commit: 'off' }, log);
  const close = async () => {
    await Promise.all([transactions.end(), quick.end()]);
  };
  try {
    await mustBeFit(transactions);
  } catch (error) {
    await close();
    throw error;
  }
  const transact = <Result>(scope: Scope, work: Work<Result>) =>
    again(() => transaction(transactions, scope, (wire) => work(session(wire))));
  return {
    place: placeOf(url),
    asOrganisation: transact,
    asOperator: (work) => transact('*', work),
    async quick(shape, statement) {
      const { rows } = await reached(quick.query(named(statement.text, statement.values)));
      return checkedRows(shape, rows, statement);
    },
    async migrate(how) {
      const client = await reached(transactions.connect());
      try {
        return await migrate(wireOf(client), how);
      } finally {
        client.release(true);
      }
    },
    close,
  };
}

function pool(url: string, max: number, settings: Readonly<Record<string, string>>, log: Logger): pg.Pool {
  const options = Object.entries({ ...SESSION_DEFAULTS, statement_timeout: STATEMENT_MILLISECONDS, ...settings })
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');
  const made = new pg.Pool({
    connectionString: url,
    max,
    options,
    connectionTimeoutMillis: CONNECT_MILLISECONDS,
    idleTimeoutMillis: 60_000,
    types: { getTypeParser: typeParser },
  });
  // A connection that breaks while it is idle is replaced when it is needed next.
  made.on('error', (error) => log.warn({ err: error }, 'a connection to the organisation store broke'));
  return made;
}

const typeParser: pg.CustomTypesConfig['getTypeParser'] = (oid: number, format?: 'text' | 'binary') =>
  PARSERS[oid] ?? pg.types.getTypeParser(oid, format as 'text');

async function transaction<Result>(
  from: pg.Pool,
  scope: Scope,
  work: (wire: Wire) => Promise<Result>,
): Promise<Result> {
  const client = await reached(from.connect());
  let broken = false;
  try {
    await reached(client.query(begin(scope)));
    const result = await work(wireOf(client));
    await reached(client.query('COMMIT'));
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {
      broken = true;
    });
    throw error;
  } finally {
    client.release(broken);
  }
}

const wireOf = (client: pg.PoolClient): Wire => ({
  async query(text, values) {
    const { rows, rowCount } = await reached(client.query(named(text, values)));
    return { rows, changed: rowCount ?? 0 };
  },
  async exec(text) {
    await reached(client.query(text));
  },
});

const named = (text: string, values: Parameters<Wire['query']>[1]): pg.QueryConfig => ({
  name: statementName(text),
  text,
  values: [...values],
});

/** Class 08: connection; 53: no resources; 57: stopped, or took too long. */
const UNREACHABLE = /^(08|53|57)/;

/** Tells a store that cannot be reached from a statement that is wrong. */
async function reached<Result>(answer: Promise<Result>): Promise<Result> {
  try {
    return await answer;
  } catch (error) {
    const { code } = error as { code?: unknown };
    const fromServer = error instanceof pg.DatabaseError;
    if (fromServer && !UNREACHABLE.test(String(code))) throw error;
    const reason = error instanceof Error ? error.message || String(code) : String(error);
    throw new StoreUnavailable(`The organisation store does not answer: ${reason}`, { cause: error });
  }
}

const OLDEST_RELEASE = 15;

/** @throws Error saying what to do when the server is too old, or its user stands above row-level security */
async function mustBeFit(from: pg.Pool): Promise<void> {
  const { rows } = await reached(
    from.query<{ release: number; above: boolean; name: string }>(
      `SELECT current_setting('server_version_num')::int / 10000 AS release, rolsuper OR rolbypassrls AS above,
         rolname AS name FROM pg_roles WHERE rolname = current_user`,
    ),
  );
  const { release, above, name } = rows[0]!;
  if (release < OLDEST_RELEASE)
    throw new Error(`The organisation store needs Postgres 15 or newer; this one is ${release}`);
  if (above) {
    throw new Error(
      `The database user ${name} stands above row-level security, which keeps organisations apart. Use one that is ` +
        'neither superuser nor BYPASSRLS: CREATE ROLE energy LOGIN; CREATE DATABASE energy OWNER energy',
    );
  }
}

function placeOf(url: string): string {
  const place = new URL(url);
  place.password = '';
  place.search = '';
  return place.href;
}
