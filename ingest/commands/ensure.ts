import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Settings } from '../../runtime/settings.ts';
import { withPublicationTarget } from '../publication/open.ts';
import { runBuild } from './build.ts';
import type { IngestCommand } from './command.ts';
import { EXIT } from './exit.ts';

const SAMPLE_FOLDER = new URL('../../data/sample/', import.meta.url).pathname;

/** What `npm start` does first: a service without data answers nothing. */
export const ensureCommand: IngestCommand = {
  name: 'ensure',
  description: 'build a version from the sample export when there is none yet',
  words: (command) => command,
  async run(settings: Settings) {
    const publications = await withPublicationTarget(settings, (published) => published.publications());
    if (publications.length > 0) return EXIT.done;
    const sample = readdirSync(SAMPLE_FOLDER).find((file) => file.endsWith('.zip'));
    if (sample === undefined) throw new Error(`There is no sample export in ${SAMPLE_FOLDER}`);
    process.stdout.write(`No dataset version yet: building one from the sample export ${sample}\n`);
    return runBuild(settings, { force: false, backfill: false, json: false }, join(SAMPLE_FOLDER, sample));
  },
};
