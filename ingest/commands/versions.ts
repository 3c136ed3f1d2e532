import type { ExitName } from '../../runtime/command-line/exit.ts';
import { counted } from '../../runtime/counted.ts';
import type { PublicationTarget } from '../destination/target.ts';
import { withPublicationTarget } from '../publication/open.ts';
import { command, print } from './command.ts';

export const versionsCommand = command({
  name: 'versions',
  summary: 'list the versions',
  parameters: {},
  run: (_, { settings, json }) =>
    withPublicationTarget(settings, async (target): Promise<ExitName> => {
      const rows = await versionsOf(target);
      const lines = rows.map(({ id, served, publishedAt, units, failedChecks }) => {
        const state = publishedAt === null ? notPublished(failedChecks) : `published ${publishedAt}`;
        return `${served ? '*' : ' '} ${id}  ${units === null ? 'units unknown' : counted(units, 'unit')}  ${state}`;
      });
      print(json, rows, rows.length === 0 ? `No versions in ${target.name}` : lines.join('\n'));
      return 'done';
    }),
});

const notPublished = (failedChecks: readonly string[]): string =>
  failedChecks.length === 0 ? 'not published' : `not published: ${failedChecks.join('; ')}`;

async function versionsOf(target: PublicationTarget) {
  const publications = await target.publications();
  const served = publications.at(-1)?.version;
  const rows = [];
  for (const version of await target.versions()) {
    const report = await target.report(version.id);
    rows.push({
      ...version,
      served: version.id === served,
      publishedAt: publications.findLast((publication) => publication.version === version.id)?.publishedAt ?? null,
      units: report === null ? null : Object.values(report.units).reduce((sum, count) => sum + count, 0),
      failedChecks: report?.failedChecks ?? [],
    });
  }
  return rows;
}
