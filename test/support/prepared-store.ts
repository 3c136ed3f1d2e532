import { mkdtempSync, rmSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { readSettings } from '../../runtime/settings.ts';
import { openOrgStore } from '../../sql/org/store.ts';
import { once } from './once.ts';

/**
 * Puts an organisation store into a folder that is not there yet: its tables are up to date, and it has no organisation.
 * To make one takes seconds, to copy it takes none.
 */
export async function putStore(folder: string): Promise<void> {
  const made = await once('store', makeStore);
  await cp(join(made, 'org'), folder, { recursive: true });
}

/** A store of that kind in a folder that is gone with this process. Returns its ORG_STORE_URL. */
export async function preparedStore(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'store-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  await putStore(join(folder, 'org'));
  return `pglite:${join(folder, 'org')}`;
}

async function makeStore(folder: string): Promise<void> {
  const settings = readSettings({ ORG_STORE_URL: `pglite:${join(folder, 'org')}` });
  const store = await openOrgStore(settings, pino({ level: 'silent' }));
  await store.migrate('apply');
  await store.close();
}
