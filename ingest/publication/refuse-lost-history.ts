import { listVersions } from '../../sql/warehouse/versions.ts';
import { BuildRefused } from '../run/build-refused.ts';
import { type BuildReport, readReport } from '../run/build-report.ts';

/**
 * Refuses a build without history for a target that serves nothing although the folder has versions: they were published
 * elsewhere, or their pointer is lost, and the build would silently drop their history.
 * @param isPublishable selects the versions that were, or should have been, published
 * @throws BuildRefused with the remedy
 */
export function refuseLostHistory(
  target: string,
  folder: string,
  isPublishable: (report: BuildReport) => boolean,
): void {
  const newest = listVersions(folder).findLast(({ id }) => {
    const report = readReport(folder, id);
    return report !== null && isPublishable(report);
  });
  if (newest === undefined) return;
  throw new BuildRefused(
    `Nothing is served from ${target}, but ${folder} has ${newest.id}, whose history this build would forget. ` +
      `Serve it first: npm run ingest -- publish ${newest.id}; to begin without history, move ${folder} away.`,
  );
}
