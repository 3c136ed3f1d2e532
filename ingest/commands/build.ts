import { z } from 'zod';
import type { ExitName } from '../../runtime/command-line/exit.ts';
import { argument, flag, option } from '../../runtime/command-line/parameter.ts';
import { abortOnSignal } from '../../runtime/command-line/signals.ts';
import { counted } from '../../runtime/counted.ts';
import { type Settings, warehouseFolder } from '../../runtime/settings.ts';
import { backfill } from '../build/backfill.ts';
import { build } from '../build/build.ts';
import type { BuildOptions } from '../build/options.ts';
import { printReport } from '../build/print-report.ts';
import { bandsOf } from '../checks/bands.ts';
import type { PublicationTarget } from '../destination/target.ts';
import { withPublicationTarget } from '../publication/open.ts';
import { BUILD_INTERRUPTED, type CommandContext, command, print, progressOf } from './command.ts';
import { calendarDayOption } from './schemas.ts';

export interface BuildInput {
  /** The export: a zip or a folder. */
  readonly source: string;
  readonly day?: string | undefined;
  readonly force?: boolean | undefined;
  readonly fromNothing?: boolean | undefined;
}

export const buildCommand = command({
  name: 'build',
  summary: 'build a version from an export and publish it',
  description: 'What is served stays served until the new version has passed its checks.',
  examples: ['Gesamtdatenexport_20261101_26.1.zip', 'extracted-export --day 2026-11-01'],
  parameters: {
    export: argument('the zip of the register, or the folder it was extracted into', z.string()),
    day: option('<YYYY-MM-DD>', 'day of the export, where its name does not say it', calendarDayOption.optional()),
    force: flag('publish although checks have failed'),
    fromNothing: flag('compute every unit, also those that the version before has as they are'),
    backfill: flag('take only the history from an export older than the version served'),
  },
  json: 'progress and report as JSON lines',
  run: ({ export: source, backfill: onlyHistory, ...input }, context) =>
    (onlyHistory ? runBackfill : runBuild)({ source, ...input }, context),
});

/** Builds and publishes a version, and prints its report. */
export function runBuild(input: BuildInput, { settings, json }: CommandContext): Promise<ExitName> {
  return withBuildOptions(input, { settings, json }, async (options): Promise<ExitName> => {
    const { report, publication, pruned } = await build(options);
    print(json, { event: 'report', ...report }, printReport(report));
    const removed = pruned.length > 0 ? `; removed ${pruned.join(', ')}` : '';
    if (publication === null) {
      const { version, failedChecks } = report;
      print(
        json,
        { event: 'not published', version, failedChecks, pruned },
        `NOT PUBLISHED: ${counted(failedChecks.length, 'check')} failed; what was served is still served.\n` +
          `To serve it all the same: npm run ingest -- publish ${version} --force${removed}`,
      );
      return 'checkFailed';
    }
    const forced = publication.forced === undefined ? '' : ' (forced)';
    print(json, { event: 'published', ...publication, pruned }, `Published ${publication.version}${forced}${removed}`);
    return 'done';
  });
}

function runBackfill(input: BuildInput, { settings, json }: CommandContext): Promise<ExitName> {
  return withBuildOptions(input, { settings, json }, async (options): Promise<ExitName> => {
    const outcome = await backfill(options);
    print(
      json,
      { event: 'backfilled', ...outcome },
      `The history of ${counted(outcome.units, 'unit')} as of ${outcome.exportDay} was taken in; the next build has it.`,
    );
    return 'done';
  });
}

export const withBuildOptions = <T>(
  input: BuildInput,
  { settings, json }: CommandContext,
  work: (options: BuildOptions) => Promise<T>,
): Promise<T> =>
  abortOnSignal(
    (signal) =>
      withPublicationTarget(settings, (target) => {
        const progress = progressOf(json);
        return work({ ...buildOptions(settings, target, input), progress, signal });
      }),
    BUILD_INTERRUPTED,
  );

/** The options of a build that settings and input determine. */
export function buildOptions(
  settings: Settings,
  target: PublicationTarget,
  { source, day, force, fromNothing }: BuildInput,
): Omit<BuildOptions, 'progress' | 'signal'> {
  return {
    source,
    warehouse: warehouseFolder(settings),
    target,
    day: day ?? null,
    force: force ?? false,
    fromNothing: fromNothing ?? false,
    bands: bandsOf(settings),
    keep: settings.KEEP_VERSIONS,
    threads: settings.INGEST_WORKERS,
    memoryMb: settings.INGEST_MEMORY_MB,
    compareEvery: settings.INGEST_COMPARE_EVERY,
  };
}
