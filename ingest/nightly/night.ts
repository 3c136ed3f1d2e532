import { basename } from 'node:path';
import { EXIT, type ExitName } from '../../runtime/command-line/exit.ts';
import type { NightRecorder, NightStep } from '../../runtime/nightly-record.ts';
import { type Settings, today } from '../../runtime/settings.ts';
import { ArchiveError } from '../archive/archive-error.ts';
import { type BuildOutcome, build } from '../build/build.ts';
import type { BuildOptions } from '../build/options.ts';
import { printReport } from '../build/print-report.ts';
import type { PublicationTarget } from '../destination/target.ts';
import { pruneExports, setAside } from '../fetch/exports.ts';
import { type Fetched, fetchExport } from '../fetch/fetch.ts';
import type { FetchPolicy } from '../fetch/request.ts';
import { changesText } from '../run/build-report.ts';
import { ingestFailureOf } from '../run/failure.ts';
import { duration } from '../run/progress.ts';

/** A nightly run makes the newest export the version that is served. */

export interface NightOptions {
  readonly settings: Settings;
  readonly target: PublicationTarget;
  /** The download page, or a zip. */
  readonly url: string;
  /** The caller named it, instead of EXPORT_PAGE_URL. */
  readonly named: boolean;
  readonly policy: FetchPolicy;
  /** The options of the build, once the export is downloaded. */
  readonly buildOptions: (source: string) => BuildOptions;
  /** Reports the outcome of a step. */
  readonly report: (step: NightStep | 'end', text: string) => void;
}

/**
 * Fetches, builds, checks, publishes, prunes and reports, and records the outcome of each step.
 * @returns `done` also when there is nothing new
 * @throws what a step throws, after it is recorded
 */
export async function runNight(options: NightOptions, record: NightRecorder): Promise<ExitName> {
  let step: NightStep = 'fetch';
  const enter = (next: NightStep) => {
    step = next;
  };
  const done = (outcome: string) => {
    record.step(step, outcome);
    options.report(step, outcome);
  };
  try {
    const fetched = await fetchNewer(options, done);
    if ('reason' in fetched) return end(options, record, 'nothing new', fetched.reason);
    enter('build');
    const { report, publication, pruned } = await buildFrom(fetched, options);
    done(`${report.version} in ${duration(report.seconds * 1000)}`);
    enter('check');
    if (publication === null) {
      options.report('report', printReport(report));
      const message = `${report.version} failed its checks and was not published: ${report.failedChecks.join('; ')}`;
      record.end({ outcome: 'failed', failedStep: step, message, exitCode: EXIT.checkFailed });
      options.report(
        'end',
        `${message}\nTo serve it all the same: npm run ingest -- publish ${report.version} --force`,
      );
      return 'checkFailed';
    }
    done('all passed');
    enter('publish');
    done(`${publication.version}, export of ${publication.exportDay}`);
    enter('prune');
    const removed = [...pruned, ...pruneExports(options.settings.EXPORT_DIR, options.settings.KEEP_EXPORTS)];
    done(removed.length === 0 ? 'nothing to remove' : `removed ${removed.join(', ')}`);
    enter('report');
    record.step(step, `npm run ingest -- report ${report.version}`);
    options.report(step, printReport(report));
    return end(
      options,
      record,
      'published',
      `Published ${publication.version} from ${fetched.name}${report.changes == null ? '' : `: ${changesText(report.changes)}`}`,
    );
  } catch (error) {
    const { exit, message } = ingestFailureOf(error);
    record.end({ outcome: 'failed', failedStep: step, message, exitCode: EXIT[exit] });
    throw error;
  }
}

function end(
  { report }: NightOptions,
  record: NightRecorder,
  outcome: 'published' | 'nothing new',
  message: string,
): ExitName {
  record.end({ outcome, failedStep: null, message, exitCode: EXIT.done });
  report('end', message);
  return 'done';
}

/** The newest export, or the reason why there is nothing to build: exports up to the latest day published are not built again. */
async function fetchNewer(
  { settings, target, url, named, policy }: NightOptions,
  done: (outcome: string) => void,
): Promise<Fetched | { reason: string }> {
  const servedDay = (await target.publications()).reduce<string | null>(
    (latest, { exportDay }) => (latest === null || exportDay > latest ? exportDay : latest),
    null,
  );
  const folder = settings.EXPORT_DIR;
  const fetched = await fetchExport({ url, named, folder, today: today(settings), policy, servedDay });
  const { name, day, path } = fetched;
  if (path === null) done(`${name} is not needed`);
  else done(fetched.fresh ? `${name}, ${megabytes(fetched.bytes)}` : `${name} was there already`);
  if (path === null || (servedDay !== null && day <= servedDay)) {
    return {
      reason: `Nothing new: the newest export is ${name}, of ${day}; one of ${servedDay} was published already`,
    };
  }
  return fetched;
}

/** Renames an export whose members are damaged, so that the next try downloads it anew. */
async function buildFrom({ path }: Fetched, options: NightOptions): Promise<BuildOutcome> {
  try {
    return await build(options.buildOptions(path));
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error;
    throw new ArchiveError(`${error.message}. It is kept as ${basename(setAside(path))} and will be downloaded anew.`);
  }
}

const megabytes = (bytes: number | null): string => `${((bytes ?? 0) / 1e6).toFixed(1)} MB`;
