import { fileURLToPath } from 'node:url';
import { withWarehouseLock } from '../run/warehouse-lock.ts';
import { filesOf, loadTenders } from './load.ts';
import { storedRounds } from './store.ts';

/** The invented award lists that belong to the sample export. */
const LISTS = fileURLToPath(new URL('../../data/sample/tenders/', import.meta.url));

/** The day of the sample export. */
const SAMPLE_DAY = '2026-11-01';

/**
 * Loads the invented award lists of the sample, unless an operator has loaded lists of their own. They leave again with the
 * first build of a true export (`dropInvented`).
 * @returns the number of lists
 */
export function loadSampleTenders(warehouse: string): Promise<number> {
  const files = filesOf([LISTS]);
  // A clock that is behind the sample's day does not make its awards ones of the future.
  const day = [SAMPLE_DAY, new Date().toISOString().slice(0, 10)].toSorted()[1] ?? SAMPLE_DAY;
  return withWarehouseLock(warehouse, 'loading the award lists of the sample', async () => {
    if (storedRounds(warehouse).length > 0) return 0;
    const outcomes = await loadTenders(warehouse, files, { dryRun: false, day });
    const refused = outcomes.find(({ outcome }) => outcome === 'refused');
    if (refused !== undefined) throw new Error(`${refused.file} of the sample was refused: ${refused.reason}`);
    return files.length;
  });
}
