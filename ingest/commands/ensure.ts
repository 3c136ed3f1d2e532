import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { counted } from '../../runtime/counted.ts';
import { warehouseFolder } from '../../runtime/settings.ts';
import { withPublicationTarget } from '../publication/open.ts';
import { withWarehouseLock } from '../run/warehouse-lock.ts';
import { filesOf, loadTenders } from '../tenders/load.ts';
import { storedRounds } from '../tenders/store.ts';
import { runBuild } from './build.ts';
import { command } from './command.ts';

const SAMPLE_FOLDER = fileURLToPath(new URL('../../data/sample/', import.meta.url));

/**
 * Loads the invented award lists of the sample, unless an operator has loaded lists. They leave again with the first build of
 * another export than one of the generator.
 */
async function loadSampleTenders(warehouse: string): Promise<void> {
  const files = filesOf([join(SAMPLE_FOLDER, 'tenders')]);
  const day = new Date().toISOString().slice(0, 10);
  await withWarehouseLock(warehouse, 'loading the tenders of the sample', async () => {
    if (storedRounds(warehouse).length > 0) return;
    const outcomes = await loadTenders(warehouse, files, { dryRun: false, day });
    const refused = outcomes.find(({ outcome }) => outcome === 'refused');
    if (refused !== undefined) throw new Error(`${refused.file} of the sample was refused: ${refused.reason}`);
    process.stdout.write(`Loaded ${counted(files.length, 'invented award list')} of the sample\n`);
  });
}

/** `npm start` runs it first, since a service without data answers nothing. */
export const ensureCommand = command({
  name: 'ensure',
  summary: 'build a version from the sample export when there is none yet',
  parameters: {},
  json: false,
  async run(_, context) {
    const publications = await withPublicationTarget(context.settings, (target) => target.publications());
    if (publications.length > 0) return 'done';
    const sample = readdirSync(SAMPLE_FOLDER).find((file) => file.endsWith('.zip'));
    if (sample === undefined) throw new Error(`There is no sample export in ${SAMPLE_FOLDER}`);
    process.stdout.write(`No dataset version yet: building one from the sample export ${sample}\n`);
    await loadSampleTenders(warehouseFolder(context.settings));
    return runBuild({ source: join(SAMPLE_FOLDER, sample) }, context);
  },
});
