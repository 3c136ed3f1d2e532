import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { PGlite, type Transaction } from '@electric-sql/pglite';
import { takeLock } from '../lock.ts';
import type { Logger } from '../log.ts';
import { migrate } from './migrate.ts';
import type { OrgStore, Work } from './store.ts';
import { begin, checkedRows, PARSERS, type Scope, SESSION_DEFAULTS, session, type Wire } from './wire.ts';

/** The user that owns the tables: an ordinary one, so that row-level security holds for it. */
const OWNER = 'service';

/**
 * The store inside this process: Postgres compiled to WebAssembly, its files in a folder that belongs to one process.
 * It survives the end of the process at any moment, but does not wait for the disk: a power cut can cost the last writes.
 * @param folder or `memory` for a store that is gone with the process
 * @throws Locked when another process has the folder
 */
export async function openPglite(folder: string, log: Logger): Promise<OrgStore> {
  const inMemory = folder === 'memory';
  if (!inMemory) mkdirSync(dirname(folder), { recursive: true });
  const unlock = inMemory
    ? () => {}
    : takeLock(`${folder}.lock`, 'organisation store', `${folder} belongs to another process`);
  try {
    const began = performance.now();
    const database = await PGlite.create(inMemory ? 'memory://' : folder, { parsers: { ...PARSERS } });
    await prepare(database);
    log.debug({ folder, ms: Math.round(performance.now() - began) }, 'organisation store opened');
    return doors(database, folder, unlock);
  } catch (error) {
    unlock();
    throw error;
  }
}

async function prepare(database: PGlite): Promise<void> {
  const { rows } = await database.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [OWNER]);
  if (rows.length === 0) await database.exec(`CREATE ROLE ${OWNER}; GRANT ALL ON SCHEMA public TO ${OWNER}`);
  const settings = Object.entries(SESSION_DEFAULTS).map(([name, value]) => `SET ${name} = '${value}'`);
  // What is asked outside a transaction is asked across organisations (`quick`); every transaction sets its own scope.
  await database.exec([...settings, `SET ROLE ${OWNER}`, "SET app.organisation = '*'"].join(';'));
}

function doors(database: PGlite, folder: string, unlock: () => void): OrgStore {
  const transact = <Result>(scope: Scope, work: Work<Result>): Promise<Result> =>
    database.transaction(async (transaction) => {
      await transaction.exec(begin(scope).replace('BEGIN; ', ''));
      return work(session(wireOf(transaction)));
    });
  return {
    place: `pglite:${folder}`,
    asOrganisation: transact,
    asOperator: (work) => transact('*', work),
    async quick(shape, statement) {
      const { rows } = await database.query(statement.text, [...statement.values]);
      return checkedRows(shape, rows, statement);
    },
    migrate: (how) => migrate(wireOf(database), how),
    async close() {
      await database.close();
      unlock();
    },
  };
}

const wireOf = (to: PGlite | Transaction): Wire => ({
  async query(text, values) {
    const { rows, affectedRows = 0 } = await to.query(text, [...values]);
    return { rows, changed: affectedRows };
  },
  async exec(text) {
    await to.exec(text);
  },
});
