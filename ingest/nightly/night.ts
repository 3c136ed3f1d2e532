import { basename } from 'node:path';
import type { NightRecord, NightStep } from '../../runtime/nights.ts';
import { type Settings, today } from '../../runtime/settings.ts';
import { ArchiveError } from '../archive/archive-error.ts';
import { type BuildOutcome, build } from '../assembly/build.ts';
import type { BuildOptions } from '../assembly/options.ts';
import { EXIT, type ExitCode, exitCodeOf, tell } from '../commands/exit.ts';
import { pruneExports, setAside } from '../fetch/exports.ts';
import { type Fetched, fetchExport } from '../fetch/fetch.ts';
import type { FetchPolicy } from '../fetch/request.ts';
import type { PublicationTarget } from '../publication/target.ts';
import { duration } from '../run/progress.ts';
import { printReport } from '../run/report.ts';

/** One night: the newest export becomes the version that is served. */

export interface NightOptions {
  readonly settings: Settings;
  /** Where versions are published. */
  readonly published: PublicationTarget;
  /** The download page, or a zip. */
  readonly url: string;
  readonly policy: FetchPolicy;
  /** How the export is built, once it is there. */
  readonly building: (source: string) => BuildOptions;
  /** Tells what a step came to. */
  readonly say: (step: NightStep | 'end', text: string) => void;
}

/**
 * Fetches, builds, checks, publishes, prunes and reports, and writes into the record what each step came to.
 * @returns the exit code; EXIT.done also when there is nothing new
 * @throws what a step throws, once the record has it
 */
export async function runNight(options: NightOptions, record: NightRecord): Promise<ExitCode> {
  let step: NightStep = 'fetch';
  const at = (now: NightStep) => {
    step = now;
  };
  const done = (outcome: string) => {
    record.step(step, outcome);
    options.say(step, outcome);
  };
  try {
    const fetched = await fetchNewer(options, done);
    if ('nothing' in fetched) return end(options, record, 'nothing new', fetched.nothing);
    at('build');
    const { report, publication, pruned } = await buildFrom(fetched, options);
    done(`${report.version} in ${duration(report.seconds * 1000)}`);
    at('check');
    if (publication === null) {
      options.say('report', printReport(report));
      const message = `${report.version} failed its checks and was not published: ${report.failedChecks.join('; ')}`;
      record.end({ outcome: 'failed', failedStep: step, message, exitCode: EXIT.notPublished });
      options.say('end', `${message}\nTo serve it all the same: npm run ingest -- publish ${report.version} --force`);
      return EXIT.notPublished;
    }
    done('all passed');
    at('publish');
    done(`${publication.version}, export of ${publication.exportDay}`);
    at('prune');
    const removed = [...pruned, ...pruneExports(options.settings.EXPORT_DIR, options.settings.KEEP_EXPORTS)];
    done(removed.length === 0 ? 'nothing to remove' : `removed ${removed.join(', ')}`);
    at('report');
    record.step(step, `npm run ingest -- report ${report.version}`);
    options.say(step, printReport(report));
    return end(options, record, 'published', `Published ${publication.version} from ${fetched.name}`);
  } catch (error) {
    record.end({ outcome: 'failed', failedStep: step, message: tell(error), exitCode: exitCodeOf(error) });
    throw error;
  }
}

function end(
  { say }: NightOptions,
  record: NightRecord,
  outcome: 'published' | 'nothing new',
  message: string,
): ExitCode {
  record.end({ outcome, failedStep: null, message, exitCode: EXIT.done });
  say('end', message);
  return EXIT.done;
}

/** The newest export, or why there is nothing to build. What was published once is not built again, nor what is older. */
async function fetchNewer(
  { settings, published, url, policy }: NightOptions,
  done: (outcome: string) => void,
): Promise<Fetched | { nothing: string }> {
  const servedDay = (await published.publications()).reduce<string | null>(
    (latest, { exportDay }) => (latest === null || exportDay > latest ? exportDay : latest),
    null,
  );
  const fetched = await fetchExport({ url, folder: settings.EXPORT_DIR, today: today(settings), policy, servedDay });
  const { name, day, path } = fetched;
  if (path === null) done(`${name} is not needed`);
  else done(fetched.fresh ? `${name}, ${megabytes(fetched.bytes)}` : `${name} was there already`);
  if (path === null || (servedDay !== null && day <= servedDay)) {
    return {
      nothing: `Nothing new: the newest export is ${name}, of ${day}; one of ${servedDay} was published already`,
    };
  }
  return fetched;
}

/** An export whose members are damaged is out of the way afterwards, so that the next try downloads it anew. */
async function buildFrom({ path }: Fetched, options: NightOptions): Promise<BuildOutcome> {
  try {
    return await build(options.building(path));
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error;
    throw new ArchiveError(`${error.message}. It is kept as ${basename(setAside(path))} and will be downloaded anew.`);
  }
}

const megabytes = (bytes: number | null): string => `${((bytes ?? 0) / 1e6).toFixed(1)} MB`;
