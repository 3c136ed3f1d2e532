import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { DIALECT_NAMES, type DialectName } from '../../runtime/csv-dialect.ts';
import { parseVersionId, type Version } from './versions.ts';

/**
 * Dumps, and the folder of those that the service hands out:
 *
 *     <version>/<file>/<file>          the dump, never changed
 *     <version>/<file>/manifest.json   seals it: written last, and removed first
 */

/** The formats of a dump; each is the ending of its file. */
export const FORMATS = ['parquet', 'duckdb', 'csv', 'ndjson'] as const;

export type Format = (typeof FORMATS)[number];

/** Decimals of Parquet and DuckDB: `exact` as they are stored, `double` for programs whose tables know no decimals, such as pandas. */
export const DECIMALS = ['exact', 'double'] as const;

/** A format with its choices, which have no effect on other formats. */
export interface DumpForm {
  readonly format: Format;
  readonly decimals: (typeof DECIMALS)[number];
  /** Null = RFC 4180. */
  readonly dialect: DialectName | null;
  /** Parquet as GeoParquet: with points, in a spatial order. */
  readonly geo: boolean;
  /** The changes against the version before in place of the units: Parquet, CSV or NDJSON. */
  readonly changes: boolean;
}

/** The usual name of the file of a dump: `units.parquet`, `units-double-geo.parquet`, `units-excel.csv`. */
export function fileNameOf({ format, decimals, dialect, geo, changes }: DumpForm): string {
  const choices = [decimals === 'exact' ? null : decimals, dialect, geo ? 'geo' : null];
  return `${[changes ? 'changes' : 'units', ...choices.filter((choice) => choice !== null)].join('-')}.${format}`;
}

const FILE_NAME = new RegExp(`^(?:units|changes)(-[a-z]+)*\\.(${FORMATS.join('|')})$`);

/** Returns true for a name that `fileNameOf` gives: never one with a slash or a step upwards. */
export const isFileName = (name: string): boolean => FILE_NAME.test(name);

export const MANIFEST = 'manifest.json';

export const manifestShape = z.object({
  /** The dataset as GET /v1/datasets names it. */
  name: z.enum(['mastr_einheiten', 'mastr_aenderungen']),
  version: z.string(),
  /** Day of the export, YYYY-MM-DD. */
  asOf: z.iso.date(),
  /** The day from which delays of planned units are computed. */
  today: z.iso.date(),
  rows: z.int(),
  /** Of changes: the version that they are against. */
  since: z.object({ version: z.string(), asOf: z.iso.date() }).optional(),
  format: z.enum(FORMATS),
  /** Of Parquet and DuckDB: whether decimals are exact, or of type DOUBLE. */
  decimals: z.enum(DECIMALS).optional(),
  /** Of CSV; null = RFC 4180. */
  dialect: z.enum(DIALECT_NAMES).nullable().optional(),
  /** Of Parquet: whether it is GeoParquet. */
  geo: z.boolean().optional(),
  files: z.array(z.object({ name: z.string(), bytes: z.int(), sha256: z.string() })),
});

export type Dump = z.infer<typeof manifestShape>;

/** A dump in the folder of those that are handed out. */
export interface PublishedDump {
  readonly name: Dump['name'];
  readonly version: string;
  readonly file: string;
  readonly path: string;
  readonly format: Format;
  readonly bytes: number;
  /** Hexadecimal. */
  readonly sha256: string;
  readonly rows: number;
  /** Day of the export, YYYY-MM-DD. */
  readonly asOf: string;
}

/** The path of a dump that is, or is to be, handed out. */
export const publishedPath = (root: string, version: string, file: string): string => join(root, version, file, file);

/** The text of the manifest of a dump that is complete; null when there is none under these names, whatever they are. */
export const publishedManifest = async (root: string, version: string, file: string): Promise<string | null> =>
  parseVersionId(version) === null || !isFileName(file)
    ? null
    : readFile(join(root, version, file, MANIFEST), 'utf8').catch(absent);

/** Returns a dump that is complete; null when there is none under these names, whatever they are. */
export async function publishedDump(root: string, version: string, file: string): Promise<PublishedDump | null> {
  const text = await publishedManifest(root, version, file);
  if (text === null) return null;
  const dump = manifestShape.parse(JSON.parse(text));
  const [described] = dump.files;
  if (described === undefined) throw new Error(`The manifest of ${version}/${file} describes no file`);
  const { bytes, sha256 } = described;
  const { name, format, rows, asOf } = dump;
  return { name, version, file, path: publishedPath(root, version, file), format, bytes, sha256, rows, asOf };
}

/** The version of dumps that stays in addresses of which each version has its own content. */
export const LATEST = 'latest';

/**
 * The newest version that has a dump of that name: of all versions for `latest`, of those of a day for YYYY-MM-DD.
 * @returns null where there is none; the name of a version is returned as it is
 */
export async function dumpVersion(root: string, named: string, file: string): Promise<string | null> {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(named);
  if (!isDay && named !== LATEST) return named;
  for (const { id, exportDay } of (await versionsIn(root)).reverse()) {
    if ((!isDay || exportDay === named) && (await publishedManifest(root, id, file)) !== null) return id;
  }
  return null;
}

/** Lists the dumps that are complete, those of the newest version first. */
export async function publishedDumps(root: string): Promise<PublishedDump[]> {
  const dumps: PublishedDump[] = [];
  for (const { id } of (await versionsIn(root)).reverse()) {
    for (const file of (await namesIn(join(root, id))).filter(isFileName).sort()) {
      const dump = await publishedDump(root, id, file);
      if (dump !== null) dumps.push(dump);
    }
  }
  return dumps;
}

/**
 * Removes the dumps of all but the newest versions. A download that is running goes on, since an open file outlives its
 * name.
 * @param stays a version whose dumps stay, however old it is
 * @returns the versions that were removed
 */
export async function pruneDumps(root: string, keep: number, stays: string): Promise<string[]> {
  const versions = await versionsIn(root);
  const removed = versions.slice(0, Math.max(0, versions.length - keep)).filter(({ id }) => id !== stays);
  for (const { id } of removed) {
    const folder = join(root, id);
    for (const file of await namesIn(folder)) await rm(join(folder, file, MANIFEST), { force: true });
    await rm(folder, { recursive: true, force: true });
  }
  return removed.map(({ id }) => id);
}

/** The versions that have a folder of dumps, oldest build first. */
const versionsIn = async (root: string): Promise<Version[]> =>
  (await namesIn(root))
    .map(parseVersionId)
    .filter((version) => version !== null)
    .sort((a, b) => a.sequence - b.sequence);

const namesIn = async (folder: string): Promise<string[]> => (await readdir(folder).catch(absent)) ?? [];

/** Answers null for a file or folder that is not there. @throws every other error */
function absent(error: unknown): null {
  if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return null;
  throw error;
}
