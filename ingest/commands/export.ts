import { z } from 'zod';
import { type ExitName, refused, usageError } from '../../runtime/command-line/exit.ts';
import { choice, flag, mandatoryOption, option } from '../../runtime/command-line/parameter.ts';
import { abortOnSignal } from '../../runtime/command-line/signals.ts';
import { counted } from '../../runtime/counted.ts';
import { DIALECT_NAMES } from '../../runtime/csv-dialect.ts';
import { type Settings, today } from '../../runtime/settings.ts';
import {
  DECIMALS,
  type Dump,
  type DumpForm,
  FORMATS,
  fileNameOf,
  pruneDumps,
  publishedPath,
} from '../../sql/warehouse/dumps.ts';
import type { PublicationTarget } from '../destination/target.ts';
import { destinationOf } from '../export/destination.ts';
import { exportUnits } from '../export/export.ts';
import { withPublicationTarget } from '../publication/open.ts';
import { BUILD_INTERRUPTED, command, print, progressOf, VERSIONS_HINT } from './command.ts';

export const exportCommand = command({
  name: 'export',
  summary: 'write all units of a version into a file, or what changed of them, with a manifest beside it',
  examples: [
    '--format parquet --out dumps/2026-11-01',
    '--format parquet --decimals double --publish',
    '--format parquet --changes --publish',
  ],
  parameters: {
    format: choice(mandatoryOption('<format>', 'of the file', z.enum(FORMATS)), FORMATS),
    decimals: choice(
      option(
        '<type>',
        'of decimals in Parquet and DuckDB: exact (default), or double for programs without decimals such as pandas',
        z.enum(DECIMALS).optional(),
      ),
      DECIMALS,
    ),
    dialect: choice(
      option(
        '<name>',
        'of CSV: excel has a byte order mark, semicolons, decimal commas, and no text that is a formula',
        z.enum(DIALECT_NAMES).optional(),
      ),
      DIALECT_NAMES,
    ),
    changes: flag('the changes against the version before in place of the units: Parquet, CSV or NDJSON'),
    geo: flag('Parquet as GeoParquet: with points, and in a spatial order, so that a map reads what it shows'),
    out: option('<path>', 'folder or file to write; one dump in a folder', z.string().optional()),
    publish: flag(
      'write to DUMPS_DIR instead, where the service hands dumps out, and remove old ones there (KEEP_DUMPS)',
    ),
    version: option('<id>', 'default: the version served', z.string().optional()),
    force: flag('replace the dump that is there'),
  },
  run: (
    {
      format,
      decimals,
      dialect,
      geo = false,
      changes = false,
      out,
      publish = false,
      version: requested,
      force = false,
    },
    { settings, json },
  ) => {
    const form: DumpForm = { format, decimals: decimals ?? 'exact', dialect: dialect ?? null, geo, changes };
    if (decimals !== undefined && format !== 'parquet' && format !== 'duckdb')
      throw usageError('--decimals is only for --format parquet or duckdb');
    if (changes && (geo || format === 'duckdb'))
      throw usageError('--changes is only for --format parquet, csv or ndjson, without --geo');
    if (geo && format !== 'parquet') throw usageError('--geo is only for --format parquet');
    if (dialect !== undefined && format !== 'csv') throw usageError('--dialect is only for --format csv');
    const place = placeOf(out, publish, settings);
    return abortOnSignal(
      (signal) =>
        withPublicationTarget(settings, async (target): Promise<ExitName> => {
          const version = requested ?? (await servedVersion(target));
          const source = await target.dumpSource(version, settings.INGEST_MEMORY_MB, signal);
          if (source === null) throw refused(`There is no version ${version}. ${VERSIONS_HINT}`);
          try {
            const path = 'out' in place ? place.out : publishedPath(place.root, version, fileNameOf(form));
            const destination = destinationOf(path, form, force);
            const progress = progressOf(json);
            const { INGEST_MEMORY_MB: memoryMb } = settings;
            const about = { source, version, form, today: today(settings) };
            const erased = (await target.erasures()).map(({ nummer }) => nummer);
            const options = { ...about, erased, destination, force, memoryMb, progress, signal };
            const dump = await exportUnits(options);
            const { name: dataset, ...said } = dump;
            const removed = 'root' in place ? await pruneDumps(place.root, settings.KEEP_DUMPS, version) : [];
            const { file, manifest } = destination;
            print(
              json,
              { event: 'exported', ...said, dataset, file, manifest, removed },
              summaryOf(dump, file, removed),
            );
            return 'done';
          } finally {
            await source.close();
          }
        }),
      BUILD_INTERRUPTED,
    );
  },
});

/** @throws CommandFailed unless the line names one place */
function placeOf(
  out: string | undefined,
  publish: boolean,
  { DUMPS_DIR: root }: Settings,
): { readonly out: string } | { readonly root: string } {
  if (out !== undefined && !publish) return { out };
  if (out !== undefined || !publish) throw usageError('Say where the dump goes: --out <path>, or --publish');
  if (root !== null) return { root };
  throw usageError('--publish needs the setting DUMPS_DIR, the folder whose dumps the service hands out');
}

async function servedVersion(target: PublicationTarget): Promise<string> {
  const served = (await target.publications()).at(-1);
  if (served === undefined) throw refused('Nothing is served yet, so there is nothing to export.');
  return served.version;
}

function summaryOf({ name, rows, version, asOf, files }: Dump, file: string, removed: readonly string[]): string {
  const megabytes = files.reduce((sum, { bytes }) => sum + bytes, 0) / 1e6;
  const written = `Wrote ${counted(rows, name === 'mastr_einheiten' ? 'unit' : 'change')} of ${version}, as of ${asOf}, to ${file} (${megabytes.toFixed(1)} MB), and manifest.json beside it`;
  return removed.length === 0 ? written : `${written}\nRemoved the dumps of ${removed.join(', ')}`;
}
