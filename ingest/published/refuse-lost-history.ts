import { listVersions } from '../../sql/warehouse/versions.ts';
import { BuildRefused } from '../run/build-refused.ts';
import { type BuildReport, readReport } from '../run/build-report.ts';

/**
 * A place that serves nothing yet, although the folder has versions: they were published elsewhere, or their pointer is
 * lost. A build upon nothing would forget their history without a word.
 * @param counts whether such a version is one that was, or should have been, published
 * @throws BuildRefused saying what to do
 */
export function refuseLostHistory(place: string, folder: string, counts: (report: BuildReport) => boolean): void {
  const newest = listVersions(folder).findLast(({ id }) => {
    const report = readReport(folder, id);
    return report !== null && counts(report);
  });
  if (newest === undefined) return;
  throw new BuildRefused(
    `Nothing is served from ${place}, but ${folder} has ${newest.id}, whose history this build would forget. ` +
      `Serve it first: npm run ingest -- publish ${newest.id}; to begin without history, move ${folder} away.`,
  );
}
