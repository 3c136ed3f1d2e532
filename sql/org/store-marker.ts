import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import type { Logger } from '../../runtime/log.ts';
import type { Settings } from '../../runtime/settings.ts';
import { StoreRefused } from './driver.ts';
import { isEmptyOrMissing } from './pglite.ts';
import { type OrgStore, openOrgStore, type StoreChoices } from './store.ts';

/**
 * STATE_DIR/store.json records the location of the organisations. It distinguishes a store that is empty because a disk
 * is not mounted, or a database was lost, from the empty one of a first start.
 */

const shape = z.object({
  /** OrgStore.place */
  store: z.string(),
  /** RFC 3339 */
  since: z.iso.datetime(),
});

export type StoreMarker = z.infer<typeof shape>;

const markerFile = ({ STATE_DIR }: Settings): string => join(STATE_DIR, 'store.json');

/** @returns null before the first start. @throws StoreRefused when the file cannot be read */
function readStoreMarker(settings: Settings): StoreMarker | null {
  const path = markerFile(settings);
  try {
    return shape.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new StoreRefused(
      `${path} does not say where the organisations are (${(error as Error).message}). If they are all there, remove it`,
    );
  }
}

/** Returns true before the first start with this store: the marker is missing, or of another store. */
export const isFirstStart = (settings: Settings, { place }: OrgStore): boolean =>
  readStoreMarker(settings)?.store !== absolutePlace(place);

/** Records the location of the organisations. */
export function writeStoreMarker(settings: Settings, store: OrgStore): void {
  const { place } = store;
  // A store that ends with the process cannot get lost.
  if (place === 'pglite:memory') return;
  if (!isFirstStart(settings, store)) return;
  const known: StoreMarker = { store: absolutePlace(place), since: new Date().toISOString() };
  const path = markerFile(settings);
  mkdirSync(settings.STATE_DIR, { recursive: true, mode: 0o700 });
  writeFileSync(`${path}.${process.pid}`, `${JSON.stringify(known)}\n`, { mode: 0o600, flush: true });
  renameSync(`${path}.${process.pid}`, path);
}

/**
 * Opens the store, unless it is empty although the marker names it.
 * @throws StoreRefused with what to do in that case; errors of openOrgStore
 */
export async function openMarkedStore(settings: Settings, log: Logger, choices?: StoreChoices): Promise<OrgStore> {
  const known = readStoreMarker(settings);
  const lost = (what: string) =>
    new StoreRefused(
      `The organisations were in ${known?.store} since ${known?.since}, and ${what} now. Is a disk not mounted, or is it ` +
        'another database? Bring it back, or restore the last backup: npm run admin -- restore <file>. To begin anew ' +
        `without them, remove ${markerFile(settings)}`,
    );
  const folder = /^pglite:(.+)$/.exec(settings.ORG_STORE_URL)?.[1];
  if (folder !== undefined && known?.store === absolutePlace(settings.ORG_STORE_URL) && isEmptyOrMissing(folder)) {
    throw lost('there is nothing');
  }
  const store = await openOrgStore(settings, log, choices);
  try {
    if (known?.store === absolutePlace(store.place) && (await store.isNew())) throw lost('it has no tables');
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** Makes the folder absolute, so that places compare whatever the working directory is. */
const absolutePlace = (place: string): string =>
  place.startsWith('pglite:') ? `pglite:${resolve(place.slice('pglite:'.length))}` : place;
