import { z } from 'zod';
import { type ExitName, refused } from '../../runtime/command-line/exit.ts';
import { choice, flag, mandatoryOption, option } from '../../runtime/command-line/parameter.ts';
import { abortOnSignal } from '../../runtime/command-line/signals.ts';
import { counted } from '../../runtime/counted.ts';
import { today } from '../../runtime/settings.ts';
import { destinationOf } from '../export/destination.ts';
import { exportUnits } from '../export/export.ts';
import { FORMATS } from '../export/format.ts';
import type { Dump } from '../export/manifest.ts';
import { withPublicationTarget } from '../publication/open.ts';
import type { PublicationTarget } from '../publication/target.ts';
import { BUILD_INTERRUPTED, command, print, progressOf, VERSIONS_HINT } from './command.ts';

export const exportCommand = command({
  name: 'export',
  summary: 'write all units of a version into a file, with a manifest beside it',
  examples: ['--format parquet --out dumps/2026-11-01'],
  parameters: {
    format: choice(mandatoryOption('<format>', 'of the file', z.enum(FORMATS)), FORMATS),
    out: mandatoryOption('<path>', 'folder or file to write; one dump in a folder', z.string()),
    version: option('<id>', 'default: the version served', z.string().optional()),
    force: flag('replace the dump that is there'),
  },
  run: ({ format, out, version: requested, force = false }, { settings, json }) =>
    abortOnSignal(
      (signal) =>
        withPublicationTarget(settings, async (target): Promise<ExitName> => {
          const version = requested ?? (await servedVersion(target));
          const source = await target.dumpSource(version, signal);
          if (source === null) throw refused(`There is no version ${version}. ${VERSIONS_HINT}`);
          try {
            const destination = destinationOf(out, format, force);
            const progress = progressOf(json);
            const options = { source, version, format, destination, force, today: today(settings), progress, signal };
            const dump = await exportUnits(options);
            const { file, manifest } = destination;
            print(json, { event: 'exported', ...dump, file, manifest }, summaryOf(dump, file));
            return 'done';
          } finally {
            await source.close();
          }
        }),
      BUILD_INTERRUPTED,
    ),
});

async function servedVersion(target: PublicationTarget): Promise<string> {
  const served = (await target.publications()).at(-1);
  if (served === undefined) throw refused('Nothing is served yet, so there is nothing to export.');
  return served.version;
}

function summaryOf({ rows, version, asOf, files }: Dump, file: string): string {
  const megabytes = files.reduce((sum, { bytes }) => sum + bytes, 0) / 1e6;
  return `Wrote ${counted(rows, 'unit')} of ${version}, as of ${asOf}, to ${file} (${megabytes.toFixed(1)} MB), and manifest.json beside it`;
}
