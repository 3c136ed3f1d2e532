import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { writeDurably } from '../../runtime/durable-files.ts';
import { Damaged, VERSION_REMEDY } from './damage.ts';

/**
 * The dataset versions of a warehouse folder and the pointer that says which one is served.
 *
 *     current.json            the pointer, with every publication there was
 *     versions/<id>/          warehouse.duckdb, units.rows, units.search, units.orders, region.days and report.json
 *     building/<id>/          a build in progress, or what a failed one left
 *     erasures.json           whose past is to be forgotten (erasures.ts)
 *     history/<day>.parquet   planned and registration days of older exports (--backfill)
 *
 * A version's id is the export's day and the number of the build: 20261101-0007. The time of publication stands in the
 * pointer, not in the version, because it is known only when the pointer is written.
 */

export const publicationShape = z.object({
  version: z.string(),
  /** Number of the build; grows from build to build. */
  sequence: z.number().int(),
  /** Day of the export, YYYY-MM-DD. */
  exportDay: z.string(),
  /** RFC 3339, UTC. */
  publishedAt: z.string(),
  /** The cause of the publication: a build, or a roll-back to this version. */
  cause: z.enum(['build', 'rollback']),
  /** Checks that failed although the version was published. */
  forced: z.array(z.string()).optional(),
});

const pointerShape = z.object({ current: z.string(), publications: z.array(publicationShape) });

export type Publication = z.infer<typeof publicationShape>;

export interface Version {
  readonly id: string;
  readonly sequence: number;
  readonly exportDay: string;
}

const VERSION_ID = /^(\d{4})(\d{2})(\d{2})-(\d{4,})$/;

export const versionId = (exportDay: string, sequence: number): string =>
  `${exportDay.replaceAll('-', '')}-${String(sequence).padStart(4, '0')}`;

/** Parses an id; null for any other text. */
export function parseVersionId(id: string): Version | null {
  const match = VERSION_ID.exec(id);
  if (match === null) return null;
  const [, year, month, day, sequence] = match;
  return { id, sequence: Number(sequence), exportDay: `${year}-${month}-${day}` };
}

export const versionsFolder = (warehouse: string): string => join(warehouse, 'versions');
export const versionFolder = (warehouse: string, id: string): string => join(warehouse, 'versions', id);
export const versionFile = (warehouse: string, id: string): string =>
  join(versionFolder(warehouse, id), 'warehouse.duckdb');
/** The file with the values of every unit; see rows/layout.ts. */
export const rowFile = (warehouse: string, id: string): string => join(versionFolder(warehouse, id), 'units.rows');
/** The search index; see search/layout.ts. */
export const searchFile = (warehouse: string, id: string): string => join(versionFolder(warehouse, id), 'units.search');
/** The orders of units; see orders/layout.ts. */
export const ordersFile = (warehouse: string, id: string): string => join(versionFolder(warehouse, id), 'units.orders');
/** The days of regions; see regions/layout.ts. */
export const regionDaysFile = (warehouse: string, id: string): string =>
  join(versionFolder(warehouse, id), 'region.days');
export const reportFile = (warehouse: string, id: string): string => join(versionFolder(warehouse, id), 'report.json');
export const buildingFolder = (warehouse: string): string => join(warehouse, 'building');
export const pointerFile = (warehouse: string): string => join(warehouse, 'current.json');

/** Lists the complete versions of the folder, oldest build first. */
export function listVersions(warehouse: string): Version[] {
  if (!existsSync(versionsFolder(warehouse))) return [];
  return readdirSync(versionsFolder(warehouse))
    .map(parseVersionId)
    .filter((version) => version !== null)
    .sort((a, b) => a.sequence - b.sequence);
}

/**
 * Lists every publication, oldest first; the last one is served. Empty when nothing was published yet.
 * @throws Damaged when the pointer cannot be read
 */
export function publications(warehouse: string): Publication[] {
  if (!existsSync(pointerFile(warehouse))) return [];
  try {
    return pointerShape.parse(JSON.parse(readFileSync(pointerFile(warehouse), 'utf8'))).publications;
  } catch (error) {
    const newest = listVersions(warehouse).at(-1)?.id ?? '<version>';
    throw new Damaged(
      pointerFile(warehouse),
      'it is no pointer to a version',
      `Bring it back from the backup; or move it away and begin a new one: npm run ingest -- publish ${newest}. ` +
        'Mirrors then have to read everything again that followed by updatedSince',
      error,
    );
  }
}

/**
 * Checks that the tables of a version exist, which the next build reads too.
 * @throws Damaged when they do not
 */
export function requireTables(warehouse: string, id: string): void {
  if (!existsSync(versionFolder(warehouse, id))) {
    const names = existsSync(versionsFolder(warehouse)) ? listVersions(warehouse).map((version) => version.id) : [];
    const others = names.length === 0 ? 'no version' : names.join(', ');
    const what = `it names the version ${id}, which is not there; ${versionsFolder(warehouse)} has ${others}`;
    throw new Damaged(pointerFile(warehouse), what, VERSION_REMEDY);
  }
  if (!existsSync(versionFile(warehouse, id))) {
    throw new Damaged(versionFile(warehouse, id), 'it is not there', VERSION_REMEDY);
  }
}

/**
 * Checks that all files exist that a version is served from.
 * @throws Damaged with the missing one
 */
export function requireFiles(warehouse: string, id: string): void {
  requireTables(warehouse, id);
  if (!existsSync(rowFile(warehouse, id))) {
    const what = 'it is not there: an older release built the version, or it was lost';
    throw new Damaged(rowFile(warehouse, id), what, VERSION_REMEDY);
  }
}

/** Returns a file that a version of an earlier release does not have; null where it is not there. */
export const existing = (path: string): string | null => (existsSync(path) ? path : null);

/** Returns the publication that is served now; null when nothing was published yet. */
export function currentPublication(warehouse: string): Publication | null {
  return publications(warehouse).at(-1) ?? null;
}

/** Makes a complete version the served one: one atomic rename, on disk before it returns. */
export function publish(
  warehouse: string,
  id: string,
  cause: Publication['cause'],
  publishedAt: Date,
  forced: string[] = [],
): Publication {
  const version = parseVersionId(id);
  if (version === null || !existsSync(versionFile(warehouse, id)))
    throw new Error(`There is no dataset version ${id} in ${warehouse}`);
  const publication: Publication = {
    version: id,
    sequence: version.sequence,
    exportDay: version.exportDay,
    publishedAt: publishedAt.toISOString(),
    cause,
    ...(forced.length > 0 ? { forced } : {}),
  };
  const pointer = { current: id, publications: [...publications(warehouse), publication] };
  writeDurably(pointerFile(warehouse), `${JSON.stringify(pointer, null, 1)}\n`);
  return publication;
}

/**
 * Returns all versions that were served, except the `keep` that were served last, with the one served now. Versions that were never served
 * displace none of these: the newest `keep` of those built after the one served stay, since they may still be published,
 * and earlier ones go.
 * @param versions oldest build first; @param publications oldest first
 */
export function surplus(versions: readonly Version[], publications: readonly Publication[], keep: number): Version[] {
  const served = publications.at(-1);
  const others = versions.filter(({ id }) => id !== served?.version);
  // After a roll-back, the version that was gone back to was served later than those that were withdrawn.
  const lastServed = new Map(publications.map(({ version }, place) => [version, place]));
  const once = others
    .filter(({ id }) => lastServed.has(id))
    .sort((one, other) => (lastServed.get(one.id) ?? 0) - (lastServed.get(other.id) ?? 0));
  const never = others.filter(({ id }) => !lastServed.has(id));
  const publishable = never.filter(({ sequence }) => sequence > (served?.sequence ?? 0));
  const staying = new Set([...newest(once, served === undefined ? keep : keep - 1), ...newest(publishable, keep)]);
  return others.filter((version) => !staying.has(version));
}

/** Removes the surplus versions of a folder. Returns what was removed. */
export function prune(warehouse: string, keep: number): string[] {
  const removed = surplus(listVersions(warehouse), publications(warehouse), keep);
  for (const { id } of removed) removeVersion(warehouse, id);
  return removed.map(({ id }) => id);
}

const newest = (versions: readonly Version[], count: number): Version[] =>
  versions.slice(Math.max(0, versions.length - count));

/** Takes a version out of the list in one step, so that an interrupted removal leaves no half of it there. */
export function removeVersion(warehouse: string, id: string): void {
  const aside = join(buildingFolder(warehouse), `removed-${id}`);
  mkdirSync(buildingFolder(warehouse), { recursive: true });
  renameSync(versionFolder(warehouse, id), aside);
  rmSync(aside, { recursive: true, force: true });
}
