import { type Settings, warehouseFolder } from '../../sql/settings.ts';
import { currentPublication } from '../../sql/warehouse/versions.ts';
import { BuildRefused } from '../build/build.ts';
import { printReport, readReport } from '../build/report.ts';
import { asJson, type IngestCommand, print } from './command.ts';

export const reportCommand: IngestCommand = {
  name: 'report',
  description: 'the report of a build',
  words: (command) => asJson(command.argument('[version]', 'default: the version served')),
  run(settings: Settings, { json }: { json: boolean }, version?: string) {
    const warehouse = warehouseFolder(settings);
    const id = version ?? currentPublication(warehouse)?.version;
    if (id === undefined) throw new BuildRefused('Nothing is served yet, so there is no report.');
    const report = readReport(warehouse, id);
    if (report === null)
      throw new BuildRefused(`There is no version ${id}. Those there are: npm run ingest -- versions`);
    print(json, report, printReport(report));
    return undefined;
  },
};
