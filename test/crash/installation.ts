import { publishFixture, temporaryFolder } from '../conformance/fixture.ts';
import { type Engine, openStore, POSTGRES, PREPARED } from '../sql/org/engines.ts';
import { makeCaller } from '../support/organisation.ts';
import { startProcess } from '../support/service-process.ts';

/** The stores that outlive a process. */
export const PERSISTENT_STORES: readonly { readonly name: string; readonly here: boolean; engine: Engine }[] = [
  { name: 'PGlite in a folder', here: true, engine: PREPARED },
  { name: POSTGRES.name, here: POSTGRES.here, engine: POSTGRES },
];

/** Where a service keeps everything, for several processes one after the other. */
export async function makeInstallation(engine: Engine) {
  const folder = temporaryFolder();
  await publishFixture(folder.path);
  const url = await engine.place();
  const store = await openStore(url);
  await store.migrate('apply');
  const key = await makeCaller(store);
  await store.close();
  return {
    /** Key of an organisation with every right. */
    key,
    start: (script: URL) => startProcess(script, { state: folder.path, warehouse: folder.path, store: url }),
    /** The store itself, while no process has it. */
    openStore: () => openStore(url),
    remove: folder.remove,
  };
}

export type Installation = Awaited<ReturnType<typeof makeInstallation>>;
