import type { Settings } from '../../runtime/settings.ts';
import { withPublicationTarget } from '../publication/open.ts';
import { BuildRefused } from '../run/refused.ts';
import { printReport } from '../run/report.ts';
import { asJson, type IngestCommand, print } from './command.ts';

export const reportCommand: IngestCommand = {
  name: 'report',
  description: 'the report of a build',
  words: (command) => asJson(command.argument('[version]', 'default: the version served')),
  async run(settings: Settings, { json }: { json: boolean }, version?: string) {
    await withPublicationTarget(settings, async (published) => {
      const id = version ?? (await published.publications()).at(-1)?.version;
      if (id === undefined) throw new BuildRefused('Nothing is served yet, so there is no report.');
      const report = await published.report(id);
      if (report === null)
        throw new BuildRefused(`There is no version ${id}. Those there are: npm run ingest -- versions`);
      print(json, report, printReport(report));
    });
    return undefined;
  },
};
