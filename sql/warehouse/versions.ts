import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/**
 * The dataset versions of a warehouse folder and the pointer that says which one is served.
 *
 *     current.json            the pointer, with every publication there was
 *     versions/<id>/          warehouse.duckdb and report.json, never changed again
 *     building/<id>/          a build under way, or the debris of one
 *     history/<day>.parquet   planned and registration days of older exports (--backfill)
 *
 * A version's id is the export's day and the number of the build: 20261101-0007. The time at which a version began to be
 * served stands in the pointer, not in the version: only the flip knows it.
 */

const publicationShape = z.object({
  version: z.string(),
  /** Number of the build; grows from build to build. */
  sequence: z.number().int(),
  /** Day of the export, YYYY-MM-DD. */
  exportDay: z.string(),
  /** RFC 3339, UTC. */
  publishedAt: z.string(),
  /** What led to it: a build, or a roll-back to this version. */
  cause: z.enum(['build', 'rollback']),
  /** Checks that had failed when the version was published all the same. */
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

/** Takes an id apart; null when it is none. */
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
export const reportFile = (warehouse: string, id: string): string => join(versionFolder(warehouse, id), 'report.json');
export const buildingFolder = (warehouse: string): string => join(warehouse, 'building');
export const pointerFile = (warehouse: string): string => join(warehouse, 'current.json');

/** The complete versions of the folder, oldest build first. */
export function listVersions(warehouse: string): Version[] {
  if (!existsSync(versionsFolder(warehouse))) return [];
  return readdirSync(versionsFolder(warehouse))
    .map(parseVersionId)
    .filter((version) => version !== null)
    .sort((a, b) => a.sequence - b.sequence);
}

/** Every publication, oldest first; the last one is what is served. Empty when nothing was published yet. */
export function publications(warehouse: string): Publication[] {
  if (!existsSync(pointerFile(warehouse))) return [];
  return pointerShape.parse(JSON.parse(readFileSync(pointerFile(warehouse), 'utf8'))).publications;
}

/** What is served now; null when nothing was published yet. */
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

/** Removes all but the newest `keep` versions; the served one always stays. Returns what was removed. */
export function prune(warehouse: string, keep: number): string[] {
  const served = currentPublication(warehouse)?.version;
  const others = listVersions(warehouse).filter((version) => version.id !== served);
  const surplus = others.slice(0, Math.max(0, others.length - (keep - 1)));
  for (const { id } of surplus) rmSync(versionFolder(warehouse, id), { recursive: true, force: true });
  return surplus.map(({ id }) => id);
}

/** Replaces a file in one step: a reader sees the old or the new content, also after a crash. */
export function writeDurably(path: string, content: string): void {
  const beside = `${path}.${process.pid}.new`;
  const file = openSync(beside, 'w');
  try {
    writeSync(file, content);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(beside, path);
  syncFolder(join(path, '..'));
}

/** Makes renames inside a folder durable. */
export function syncFolder(path: string): void {
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
