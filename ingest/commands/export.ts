import { Option } from 'commander';
import { type Settings, today } from '../../runtime/settings.ts';
import { destinationOf } from '../export/destination.ts';
import { exportUnits } from '../export/export.ts';
import { FORMATS, type Format } from '../export/format.ts';
import type { Dump } from '../export/manifest.ts';
import { withPublicationTarget } from '../publication/open.ts';
import type { PublicationTarget } from '../publication/target.ts';
import { BuildRefused } from '../run/refused.ts';
import { asJson, type IngestCommand, print, progressOf } from './command.ts';
import { EXIT, type ExitCode, stoppable } from './exit.ts';

interface ExportFlags {
  readonly format: Format;
  readonly out: string;
  readonly version?: string;
  readonly force: boolean;
  readonly json: boolean;
}

export const exportCommand: IngestCommand = {
  name: 'export',
  description: 'write all units of a version into a file, with a manifest beside it',
  words: (command) =>
    asJson(
      command
        .addOption(new Option('--format <format>', 'of the file').choices(FORMATS).makeOptionMandatory())
        .requiredOption('--out <path>', 'folder or file to write; one dump in a folder')
        .option('--version <id>', 'default: the version served')
        .option('--force', 'replace the dump that is there', false),
    ),
  run: (settings: Settings, flags: ExportFlags) => stoppable((signal) => exportAndTell(settings, flags, signal)),
};

function exportAndTell(settings: Settings, flags: ExportFlags, signal: AbortSignal): Promise<ExitCode> {
  const { format, force, json } = flags;
  return withPublicationTarget(settings, async (published) => {
    const version = flags.version ?? (await servedVersion(published));
    const source = await published.dumpSource(version, signal);
    if (source === null) {
      throw new BuildRefused(`There is no version ${version}. Those there are: npm run ingest -- versions`);
    }
    try {
      const place = destinationOf(flags.out, format, force);
      const progress = progressOf(json);
      const options = { source, version, format, destination: place, force, today: today(settings), progress, signal };
      const dump = await exportUnits(options);
      print(json, { event: 'exported', ...dump, file: place.file, manifest: place.manifest }, told(dump, place.file));
      return EXIT.done;
    } finally {
      await source.close();
    }
  });
}

async function servedVersion(published: PublicationTarget): Promise<string> {
  const served = (await published.publications()).at(-1);
  if (served === undefined) throw new BuildRefused('Nothing is served yet, so there is nothing to export.');
  return served.version;
}

function told({ rows, version, asOf, files }: Dump, file: string): string {
  const megabytes = files.reduce((sum, { bytes }) => sum + bytes, 0) / 1e6;
  return `Wrote ${rows.toLocaleString('en')} units of ${version}, as of ${asOf}, to ${file} (${megabytes.toFixed(1)} MB), and manifest.json beside it`;
}
