import { mkdtempSync, rmSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { readSettings } from '../../runtime/settings.ts';
import { openPglite } from '../../sql/org/pglite.ts';
import { openOrgStore } from '../../sql/org/store.ts';
import { sharedFolder } from './shared-folder.ts';

/** Stores that are made once in a run: to make the files of one takes four seconds of a core, to copy them none. */

const SILENT = pino({ level: 'silent' });

/** Puts an organisation store into a folder that is not there yet: its tables are up to date, and it has no organisation. */
export async function putStore(folder: string): Promise<void> {
  const made = await sharedFolder('store', makeStore);
  await cp(join(made, 'org'), folder, { recursive: true });
}

/** Returns the ORG_STORE_URL of a store with its tables, in a folder that is removed when this process ends. */
export const preparedStore = (): Promise<string> => inNewFolder(putStore);

/** Returns the ORG_STORE_URL of a store without tables. */
export const storeWithoutTables = (): Promise<string> => inNewFolder(putWithoutTables);

const folders: string[] = [];
process.once('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

async function inNewFolder(put: (folder: string) => Promise<void>): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'store-'));
  folders.push(folder);
  await put(join(folder, 'org'));
  return `pglite:${join(folder, 'org')}`;
}

/** Puts an organisation store without tables into a folder that is not there yet. */
export async function putWithoutTables(folder: string): Promise<void> {
  const made = await sharedFolder('store-without-tables', async (draft) => {
    const driver = await openPglite(join(draft, 'org'), SILENT);
    await driver.close();
  });
  await cp(join(made, 'org'), folder, { recursive: true });
}

async function makeStore(folder: string): Promise<void> {
  await putWithoutTables(join(folder, 'org'));
  const store = await openOrgStore(readSettings({ ORG_STORE_URL: `pglite:${join(folder, 'org')}` }), SILENT);
  await store.migrate('apply');
  await store.close();
}
