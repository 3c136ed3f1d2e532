import { type Settings, warehouseFolder } from '../../sql/settings.ts';
import { listVersions, publications } from '../../sql/warehouse/versions.ts';
import { readReport } from '../build/report.ts';
import { asJson, type IngestCommand, print } from './command.ts';

export const versionsCommand: IngestCommand = {
  name: 'versions',
  description: 'the versions there are',
  words: asJson,
  run(settings: Settings, { json }: { json: boolean }) {
    const warehouse = warehouseFolder(settings);
    const rows = versionsOf(warehouse);
    const lines = rows.map(({ id, served, publishedAt, units, failedChecks }) => {
      const state = publishedAt === null ? `not published: ${failedChecks.join('; ')}` : `published ${publishedAt}`;
      return `${served ? '*' : ' '} ${id}  ${units ?? '?'} units  ${state}`;
    });
    print(json, rows, rows.length === 0 ? `No versions in ${warehouse}` : lines.join('\n'));
    return undefined;
  },
};

function versionsOf(warehouse: string) {
  const published = publications(warehouse);
  const served = published.at(-1)?.version;
  return listVersions(warehouse).map((version) => {
    const report = readReport(warehouse, version.id);
    return {
      ...version,
      served: version.id === served,
      publishedAt: published.findLast((publication) => publication.version === version.id)?.publishedAt ?? null,
      units: report === null ? null : Object.values(report.units).reduce((sum, count) => sum + count, 0),
      failedChecks: report?.failedChecks ?? [],
    };
  });
}
