import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PGlite, type Transaction } from '@electric-sql/pglite';
import { takeLock } from '../lock.ts';
import type { Logger } from '../log.ts';
import { type Renewable, renewable } from './renewable.ts';
import {
  type Door,
  FOR_ALL,
  isOutage,
  PARSERS,
  type Scope,
  SESSION,
  StoreRefused,
  StoreUnavailable,
  settingsText,
  type Wire,
} from './wire.ts';

/** The user that owns the tables: an ordinary one, so that row-level security holds for it. */
const OWNER = 'service';

/** What is asked outside a transaction is asked for all organisations; every transaction says who it works for. */
const SETTINGS = { ...SESSION, role: OWNER, 'app.organisation': '*' };

/**
 * The store inside this process: Postgres compiled to WebAssembly, its files in a folder that belongs to one process.
 * It survives the end of the process at any moment, but does not wait for the disk: a power cut can cost the last writes.
 * @param folder or `memory` for a store that is gone with the process
 * @throws Locked when another process has the folder
 */
export async function openPglite(folder: string, log: Logger): Promise<Door> {
  const inMemory = folder === 'memory';
  if (!inMemory) mkdirSync(dirname(folder), { recursive: true });
  const unlock = inMemory
    ? () => {}
    : takeLock(`${folder}.lock`, 'organisation store', `${folder} belongs to another process`);
  try {
    const began = performance.now();
    const database = inMemory ? await create('memory://') : await openFolder(folder);
    await database.exec(settingsText(SETTINGS));
    const reopen = async (): Promise<PGlite> => {
      if (inMemory) throw new Error('it was kept in memory');
      const again = await open(folder);
      await again.exec(settingsText(SETTINGS));
      return again;
    };
    log.debug({ folder, ms: Math.round(performance.now() - began) }, 'organisation store opened');
    return door(renewable(database, reopen, log), folder, unlock);
  } catch (error) {
    unlock();
    throw error;
  }
}

/** A new store grows beside its place, so that its folder is there whole or not at all, whenever the process ends. */
async function openFolder(folder: string): Promise<PGlite> {
  if (!existsSync(join(folder, 'PG_VERSION'))) {
    if (existsSync(folder) && readdirSync(folder).length > 0) {
      throw new StoreRefused(`${folder} holds files, but no organisation store. Name another folder in ORG_STORE_URL`);
    }
    const unfinished = `${folder}.new`;
    rmSync(unfinished, { recursive: true, force: true });
    const made = await create(unfinished);
    await made.close();
    renameSync(unfinished, folder);
  }
  return open(folder);
}

async function create(place: string): Promise<PGlite> {
  const database = await open(place);
  await database.exec(`CREATE ROLE ${OWNER}; GRANT ALL ON SCHEMA public TO ${OWNER}`);
  return database;
}

const open = (place: string): Promise<PGlite> => PGlite.create(place, { parsers: { ...PARSERS } });

function door(databases: Renewable, folder: string, unlock: () => void): Door {
  /** Statements and transactions that were handed over and have not come back: it takes one at a time. */
  let handed = 0;
  const counted = async <Result>(ask: (database: PGlite) => Promise<Result>): Promise<Result> => {
    handed += 1;
    try {
      return await databases.use((database) => answered(database, () => ask(database)));
    } finally {
      handed -= 1;
    }
  };
  const transaction = <Result>(scope: Scope, work: (wire: Wire) => Promise<Result>): Promise<Result> =>
    counted((database) =>
      database.transaction(async (inside) => {
        await inside.exec(scope);
        return work(wireOf(inside));
      }),
    );
  return {
    place: `pglite:${folder}`,
    exclusive: true,
    transaction,
    quick: async (text, values) => (await counted((database) => database.query(text, [...values]))).rows,
    unhurried: (work) => work((inside) => transaction(FOR_ALL, inside)),
    pools() {
      const busy = Math.min(1, handed);
      return [{ pool: 'embedded', busy, idle: 1 - busy, waiting: handed - busy }];
    },
    async close() {
      try {
        await databases.close();
      } finally {
        unlock();
      }
    },
  };
}

const wireOf = (inside: Transaction): Wire => ({
  async query(text, values) {
    const { rows, affectedRows = 0 } = await inside.query(text, [...values]);
    return { rows, changed: affectedRows };
  },
  async exec(text) {
    await inside.exec(text);
  },
});

/** Tells a store that is closed, or has no room left, from a statement that is wrong. */
async function answered<Answer>(database: PGlite, ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    const failure = error as Error & { code?: unknown; params?: unknown };
    if (!database.ready) throw new StoreUnavailable('The organisation store is closed', { cause: error });
    if (isOutage(failure.code)) {
      throw new StoreUnavailable(`The organisation store does not answer: ${failure.message}`, { cause: error });
    }
    // The values that were bound may be secret, and errors are logged with all that they carry.
    delete failure.params;
    throw error;
  }
}
