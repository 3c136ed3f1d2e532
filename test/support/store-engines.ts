import { type Logger, pino } from 'pino';
import { readSettings } from '../../runtime/settings.ts';
import type { Driver } from '../../sql/org/driver.ts';
import { openPglite, type StoreThread } from '../../sql/org/pglite.ts';
import { openPostgres } from '../../sql/org/postgres.ts';
import { type StoreStatement, sql } from '../../sql/org/statement.ts';
import { type OrgStore, openOrgStore } from '../../sql/org/store.ts';
import { drawn } from './cases.ts';
import { freshDatabase, POSTGRES_HERE, POSTGRES_SUITE } from './database.ts';
import { preparedStore, storeAnywhere, storeWithoutTables } from './prepared-store.ts';

/** One of the engines of the store. */
export interface Engine {
  readonly name: string;
  /** True when it can be tested on this machine. */
  readonly here: boolean;
  /** The thread on which an embedded store works. */
  readonly thread?: StoreThread;
  /** The ORG_STORE_URL of a new store without organisations. */
  place(): Promise<string>;
  driver(url: string): Promise<Driver>;
}

export const SILENT: Logger = pino({ level: 'silent' });

const pglite = (url: string) => openPglite(url.slice('pglite:'.length), SILENT);

export const MEMORY: Engine = {
  name: 'PGlite in memory',
  here: true,
  place: async () => 'pglite:memory',
  driver: pglite,
};

/** The store begins with its tables, which are made once for all tests. */
export const PREPARED: Engine = {
  name: 'PGlite',
  here: true,
  place: preparedStore,
  driver: pglite,
};

/** As PREPARED, on a thread of its own, as a service has it. */
export const THREADED: Engine = {
  name: 'PGlite on a thread of its own',
  here: true,
  thread: 'own',
  place: preparedStore,
  driver: (url) => openPglite(url.slice('pglite:'.length), SILENT, 'own'),
};

/** Without tables, for tests of what makes them. */
export const WITHOUT_TABLES: Engine = {
  name: 'PGlite without tables',
  here: true,
  place: storeWithoutTables,
  driver: pglite,
};

export const POSTGRES: Engine = {
  name: POSTGRES_SUITE,
  here: POSTGRES_HERE,
  place: freshDatabase,
  driver: (url) => openPostgres(url, SILENT),
};

/** For tests of what is the same on both engines. The store begins with its tables. */
export const ANYWHERE: Engine = { ...(POSTGRES_HERE ? POSTGRES : PREPARED), place: storeAnywhere };

/**
 * The engines on which a run of the suite tries what is the same SQL on both and expensive to arrange: one, which SEED draws;
 * from CASES=2 on, both.
 * @param salt another for each file, or all of them would try the same engine
 */
export const drawnEngines = (salt: number): readonly Engine[] =>
  drawn(
    [PREPARED, POSTGRES].filter(({ here }) => here),
    1,
    salt,
  );

export const openStore = (url: string, thread: StoreThread = 'shared'): Promise<OrgStore> =>
  openOrgStore(readSettings({ ORG_STORE_URL: url }), SILENT, { thread });

/** A store with its tables. */
export async function openFresh(engine: Engine): Promise<OrgStore> {
  const store = await openStore(await engine.place(), engine.thread);
  await store.migrate('apply');
  return store;
}

/** Makes a statement from a composed text, because names of tables cannot be bound. */
export const written = (text: string): StoreStatement => sql(Object.assign([text], { raw: [text] }));
