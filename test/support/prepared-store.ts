import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { inject } from 'vitest';
import { readSettings } from '../../runtime/settings.ts';
import { openPglite } from '../../sql/org/pglite.ts';
import { openOrgStore } from '../../sql/org/store.ts';
import { copyOfDatabase, freshDatabase, POSTGRES_HERE } from './database.ts';
import { sharedFolder } from './shared-folder.ts';

/** Stores that are made once in a run: to make the files of one takes four seconds of a core, to copy them none. */

const SILENT = pino({ level: 'silent' });

/** Puts an organisation store into a folder that is not there yet: its tables are up to date, and it has no organisation. */
export async function putStore(folder: string): Promise<void> {
  const made = await sharedFolder('store', makeStore);
  copy(join(made, 'org'), folder);
}

/**
 * Returns the ORG_STORE_URL of a store with its tables, for tests of what is the same on both engines: on the server where
 * there is one, as the embedded store takes several times the processor time.
 */
export const storeAnywhere = (): Promise<string> => (POSTGRES_HERE ? preparedDatabase() : preparedStore());

/** Returns the ORG_STORE_URL of a new database on the server, with its tables. */
async function preparedDatabase(): Promise<string> {
  const made = await sharedFolder('database', async (draft) => {
    const url = await freshDatabase();
    await makeTables(url);
    writeFileSync(join(draft, 'url'), url);
  });
  return copyOfDatabase(readFileSync(join(made, 'url'), 'utf8'));
}

/** Returns the ORG_STORE_URL of a store with its tables, in a folder that is removed at the end of the run. */
export const preparedStore = (): Promise<string> => inNewFolder(putStore);

/** Returns the ORG_STORE_URL of a store without tables. */
export const storeWithoutTables = (): Promise<string> => inNewFolder(putWithoutTables);

/** The folder is removed at the end of the run, with those that tests share. */
async function inNewFolder(put: (folder: string) => Promise<void>): Promise<string> {
  const folder = mkdtempSync(join(inject('sharedFolders'), 'store-'));
  await put(join(folder, 'org'));
  return `pglite:${join(folder, 'org')}`;
}

/** Puts an organisation store without tables into a folder that is not there yet. */
export async function putWithoutTables(folder: string): Promise<void> {
  const made = await sharedFolder('store-without-tables', async (draft) => {
    const driver = await openPglite(join(draft, 'org'), SILENT);
    await driver.close();
    for (const name of TEMPLATES) rmSync(join(draft, 'org/base', name), { recursive: true });
  });
  copy(join(made, 'org'), folder);
}

/** The databases template1 and template0, which nobody opens: they are half of the thousand files of a store. */
const TEMPLATES = ['1', '4'];

/** To copy files one after the other takes a fifth of the time of `cp`, which takes turns for each of them. */
const copy = (from: string, to: string): void => cpSync(from, to, { recursive: true });

async function makeStore(folder: string): Promise<void> {
  await putWithoutTables(join(folder, 'org'));
  await makeTables(`pglite:${join(folder, 'org')}`);
}

async function makeTables(url: string): Promise<void> {
  const store = await openOrgStore(readSettings({ ORG_STORE_URL: url }), SILENT);
  await store.migrate('apply');
  await store.close();
}
