import type { Settings } from '../../runtime/settings.ts';
import { withPublicationTarget } from '../publication/open.ts';
import type { PublicationTarget } from '../publication/target.ts';
import { asJson, type IngestCommand, print } from './command.ts';

export const versionsCommand: IngestCommand = {
  name: 'versions',
  description: 'the versions there are',
  words: asJson,
  async run(settings: Settings, { json }: { json: boolean }) {
    await withPublicationTarget(settings, async (published) => {
      const rows = await versionsOf(published);
      const lines = rows.map(({ id, served, publishedAt, units, failedChecks }) => {
        const state = publishedAt === null ? notPublished(failedChecks) : `published ${publishedAt}`;
        return `${served ? '*' : ' '} ${id}  ${units ?? '?'} units  ${state}`;
      });
      print(json, rows, rows.length === 0 ? `No versions in ${published.name}` : lines.join('\n'));
    });
    return undefined;
  },
};

const notPublished = (failedChecks: readonly string[]): string =>
  ['not published', ...(failedChecks.length > 0 ? [failedChecks.join('; ')] : [])].join(': ');

async function versionsOf(published: PublicationTarget) {
  const publications = await published.publications();
  const served = publications.at(-1)?.version;
  const rows = [];
  for (const version of await published.versions()) {
    const report = await published.report(version.id);
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
