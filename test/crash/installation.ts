import { drawn } from '../support/cases.ts';
import { publishFixture, temporaryFolder } from '../support/fixture.ts';
import { makeKey, makeOrganisation } from '../support/organisation.ts';
import { startProcess } from '../support/service-process.ts';
import { type Engine, openStore, POSTGRES, PREPARED } from '../support/store-engines.ts';

/** The engines whose store outlives a process. */
export const PERSISTENT_STORES: readonly { readonly name: string; readonly here: boolean; engine: Engine }[] = [
  { name: 'PGlite in a folder', here: true, engine: PREPARED },
  { name: POSTGRES.name, here: POSTGRES.here, engine: POSTGRES },
];

/** The one of them that a run draws, for files in which both take the same steps; from CASES=2 on, both. @param salt another for each file */
export const drawnStores = (salt: number) =>
  drawn(
    PERSISTENT_STORES.filter(({ here }) => here),
    1,
    salt,
  );

/**
 * Makes the folders and the store of a service that several processes use one after the other.
 * @param fill puts versions into the folder of the warehouse. Default: the small register, published
 */
export async function makeInstallation(
  engine: Engine,
  fill: (warehouse: string) => void | Promise<void> = publishFixture,
) {
  const folder = temporaryFolder();
  await fill(folder.path);
  const url = await engine.place();
  const store = await openStore(url);
  await store.migrate('apply');
  const organisation = await makeOrganisation(store);
  const key = (await makeKey(store, organisation)).text;
  await store.close();
  return {
    /** A key of an organisation, with all rights. */
    key,
    organisation,
    warehouse: folder.path,
    start: (script: URL, settings: Readonly<Record<string, string>> = {}) =>
      startProcess(script, { state: folder.path, warehouse: folder.path, store: url }, settings),
    /** Opens the store itself, while no process has it. */
    openStore: () => openStore(url),
    remove: folder.remove,
  };
}

export type Installation = Awaited<ReturnType<typeof makeInstallation>>;
