import { type Settings, warehouseFolder } from '../../runtime/settings.ts';
import { backfill } from '../assembly/backfill.ts';
import { build } from '../assembly/build.ts';
import type { BuildOptions } from '../assembly/options.ts';
import { bandsOf } from '../checks/bands.ts';
import { withPublicationTarget } from '../publication/open.ts';
import type { PublicationTarget } from '../publication/target.ts';
import { printReport } from '../run/report.ts';
import { calendarDay, type IngestCommand, progressOf } from './command.ts';
import { EXIT, type ExitCode, stoppable } from './exit.ts';

export interface BuildFlags {
  readonly day?: string;
  readonly force: boolean;
  readonly backfill: boolean;
  readonly json: boolean;
}

export const buildCommand: IngestCommand = {
  name: 'build',
  description: 'build a version from an export and publish it',
  words: (command) =>
    command
      .argument('<export>', 'the zip of the register, or the folder it was extracted into')
      .option('--day <YYYY-MM-DD>', 'day of the export, where its name does not say it', calendarDay)
      .option('--force', 'publish although checks have failed', false)
      .option('--backfill', 'take only the history from an export older than the version served', false)
      .option('--json', 'progress and report as JSON lines', false),
  run: (settings: Settings, flags: BuildFlags, source: string) => runBuild(settings, flags, source),
};

/** Builds, or takes history in, and says what came of it. */
export function runBuild(settings: Settings, flags: BuildFlags, source: string): Promise<ExitCode> {
  return stoppable((signal) =>
    withPublicationTarget(settings, (published) =>
      buildAndTell({ ...buildOptions(settings, published, source, flags), signal }, flags),
    ),
  );
}

async function buildAndTell(options: BuildOptions, flags: BuildFlags): Promise<ExitCode> {
  const say = (event: object, text: string) =>
    process.stdout.write(flags.json ? `${JSON.stringify(event)}\n` : `${text}\n`);
  if (flags.backfill) {
    const outcome = await backfill(options);
    say(
      { event: 'backfilled', ...outcome },
      `The history of ${outcome.units} units as of ${outcome.exportDay} was taken in; the next build has it.`,
    );
    return EXIT.done;
  }
  const { report, publication, pruned } = await build(options);
  say({ event: 'report', ...report }, printReport(report));
  const removed = pruned.length > 0 ? `; removed ${pruned.join(', ')}` : '';
  if (publication === null) {
    say(
      { event: 'not published', version: report.version, failedChecks: report.failedChecks, pruned },
      `NOT PUBLISHED: ${report.failedChecks.length} checks failed; what was served is still served.\n` +
        `To serve it all the same: npm run ingest -- publish ${report.version} --force${removed}`,
    );
    return EXIT.notPublished;
  }
  const forced = publication.forced === undefined ? '' : ' (forced)';
  say({ event: 'published', ...publication, pruned }, `Published ${publication.version}${forced}${removed}`);
  return EXIT.done;
}

/** A build as settings and words want it. */
export function buildOptions(
  settings: Settings,
  published: PublicationTarget,
  source: string,
  flags: Omit<BuildFlags, 'backfill'>,
): BuildOptions {
  return {
    source,
    warehouse: warehouseFolder(settings),
    target: published,
    day: flags.day ?? null,
    force: flags.force,
    bands: bandsOf(settings),
    keep: settings.KEEP_VERSIONS,
    threads: settings.INGEST_WORKERS,
    memoryMb: settings.INGEST_MEMORY_MB,
    progress: progressOf(flags.json),
  };
}
