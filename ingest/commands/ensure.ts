import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { counted } from '../../runtime/counted.ts';
import { warehouseFolder } from '../../runtime/settings.ts';
import { withPublicationTarget } from '../publication/open.ts';
import { loadSampleTenders } from '../tenders/sample.ts';
import { runBuild } from './build.ts';
import { command } from './command.ts';

const SAMPLE_FOLDER = fileURLToPath(new URL('../../data/sample/', import.meta.url));

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
    const lists = await loadSampleTenders(warehouseFolder(context.settings));
    if (lists > 0) process.stdout.write(`Loaded the ${counted(lists, 'invented award list')} that belong to it\n`);
    return runBuild({ source: join(SAMPLE_FOLDER, sample) }, context);
  },
});
