import type { ClickHouseClient, ClickHouseSettings } from '@clickhouse/client';
import { z } from 'zod';
import { sqlFile, statementsOf, withPieces } from '../../query/sql-files.ts';
import { type Erasure, erasureShape } from '../erasures.ts';
import { type Publication, parseVersionId, publicationShape, type Version } from '../versions.ts';
import { type Placement, placementPieces } from './placement.ts';
import { queryRows } from './query-rows.ts';

/**
 * The dataset versions of a ClickHouse server and the pointer that says which one is served.
 *
 *     <prefix>                     publications (the pointer, with every publication there was) and reports
 *     <prefix>_v20261101_0007      one version; complete once its table `dataset` has its row, which comes last
 */

/** Name of a version's database. */
export const databaseOf = (prefix: string, version: string): string => `${prefix}_v${version.replace('-', '_')}`;

/** Returns the version of a database; null for a name without a version. */
const versionOf = (prefix: string, database: string): Version | null =>
  parseVersionId(database.slice(prefix.length + 2).replace('_', '-'));

/** The tables of the pointer are named in Keeper as here, so that a server that is added later joins them, whoever makes them there. */
const KEEPER_NAME = '{database}/{table}';

/** The statements that create the tables of the pointer where there are none yet. */
export function pointerStatements(prefix: string, placement: Placement): string[] {
  const pieces = { prefix, ...placementPieces(placement, KEEPER_NAME) };
  return statementsOf(withPieces(sqlFile(import.meta.url, 'publications.sql'), pieces));
}

/** A database of a version. */
export interface VersionDatabase extends Version {
  readonly database: string;
  /** False while it is being filled, and for the remains of an interrupted load. */
  readonly complete: boolean;
  /** The process that fills it, or filled it. */
  readonly loader: string;
  /** Seconds since the last insert; null before the first. */
  readonly idleSeconds: number | null;
}

/** The server knows no absent value: where nothing was forced the list is empty. */
const publicationRow = z.looseObject({ forced: z.array(z.string()) });

/** Lists every publication, oldest first; the last one is served. Empty when nothing was published yet. */
export async function serverPublications(client: ClickHouseClient, prefix: string): Promise<Publication[]> {
  if (!(await hasTable(client, prefix, 'publications'))) return [];
  const rows = await queryRows(
    client,
    publicationRow,
    `SELECT version, sequence, toString(exportDay) AS exportDay, cause, forced,
       concat(replaceOne(toString(publishedAt), ' ', 'T'), 'Z') AS publishedAt
     FROM {prefix:Identifier}.publications ORDER BY number, publications.publishedAt`,
    { prefix },
  );
  return rows.map(({ forced, ...row }) => publicationShape.parse(forced.length > 0 ? { ...row, forced } : row));
}

/** Makes a complete version the served one by one row. Sending the same publication again adds none. */
export async function addPublication(
  client: ClickHouseClient,
  prefix: string,
  number: number,
  publication: Publication,
  settings: ClickHouseSettings = {},
): Promise<void> {
  await client.insert({
    table: `${prefix}.publications`,
    values: [{ number, ...publication, publishedAt: publication.publishedAt.replace('T', ' ').replace('Z', '') }],
    format: 'JSONEachRow',
    clickhouse_settings: { ...settings, insert_deduplication_token: `publication/${number}/${publication.version}` },
  });
}

/** Lists the requests to forget, oldest first. */
export async function serverErasures(client: ClickHouseClient, prefix: string): Promise<Erasure[]> {
  if (!(await hasTable(client, prefix, 'erasures'))) return [];
  const query = 'SELECT DISTINCT nummer, am, von FROM {prefix:Identifier}.erasures ORDER BY am, nummer';
  return queryRows(client, erasureShape, query, { prefix });
}

export async function insertErasure(
  client: ClickHouseClient,
  prefix: string,
  erasure: Erasure,
  settings: ClickHouseSettings = {},
): Promise<void> {
  await client.insert({
    table: `${prefix}.erasures`,
    values: [erasure],
    format: 'JSONEachRow',
    clickhouse_settings: { ...settings, insert_deduplication_token: `erasure/${erasure.nummer}/${erasure.am}` },
  });
}

const databaseRow = z.strictObject({
  database: z.string(),
  loader: z.string(),
  hasDataset: z.union([z.boolean(), z.int()]),
  complete: z.union([z.boolean(), z.int()]),
  idle: z.int().nullable(),
});

/**
 * Lists the databases of versions, oldest build first, including incomplete ones. A replica that lags behind takes a complete
 * one for incomplete, which is dropped; so each of these is read, which a replica refuses to the client of a load.
 */
export async function versionDatabases(client: ClickHouseClient, prefix: string): Promise<VersionDatabase[]> {
  const rows = await queryRows(
    client,
    databaseRow,
    `SELECT name AS database, comment AS loader, datasets.rows IS NOT NULL AS hasDataset, ifNull(datasets.rows, 0) > 0 AS complete,
       if(parts.newest IS NULL, NULL, toInt32(dateDiff('second', parts.newest, now()))) AS idle
     FROM system.databases
     LEFT JOIN (SELECT database, toNullable(sum(total_rows)) AS rows FROM system.tables WHERE name = 'dataset' GROUP BY database) AS datasets
       ON datasets.database = name
     LEFT JOIN (SELECT database, toNullable(max(modification_time)) AS newest FROM system.parts GROUP BY database) AS parts
       ON parts.database = name
     WHERE startsWith(name, {start:String})`,
    { start: `${prefix}_v` },
  );
  const databases: VersionDatabase[] = [];
  for (const { database, loader, hasDataset, complete, idle } of rows) {
    const version = versionOf(prefix, database);
    if (version === null) continue;
    const isComplete = Boolean(complete) || (Boolean(hasDataset) && (await hasRows(client, `${database}.dataset`)));
    databases.push({ ...version, database, loader, complete: isComplete, idleSeconds: idle });
  }
  return databases.sort((a, b) => a.sequence - b.sequence);
}

/** Follows the name of a database in which a night is made that is compared with a build from nothing. */
export const BESIDE = '_nacht';

/** Lists the databases of such nights, which are there no longer than a build lasts. */
export const databasesBeside = (client: ClickHouseClient, prefix: string): Promise<{ database: string }[]> =>
  queryRows(
    client,
    z.strictObject({ database: z.string() }),
    'SELECT name AS database FROM system.databases WHERE startsWith(name, {start:String}) AND endsWith(name, {end:String})',
    { start: `${prefix}_v`, end: BESIDE },
  );

async function hasRows(client: ClickHouseClient, table: string): Promise<boolean> {
  return (await queryRows(client, z.unknown(), `SELECT 1 FROM ${table} LIMIT 1`)).length > 0;
}

/** Lists the complete versions, oldest build first; the rights of a reading user suffice. */
export async function completeVersions(client: ClickHouseClient, prefix: string): Promise<Version[]> {
  const rows = await queryRows(
    client,
    z.strictObject({ database: z.string() }),
    "SELECT database FROM system.tables WHERE startsWith(database, {start:String}) AND name = 'dataset' AND total_rows > 0",
    { start: `${prefix}_v` },
  );
  return rows
    .flatMap(({ database }) => versionOf(prefix, database) ?? [])
    .sort((one, other) => one.sequence - other.sequence);
}

/** Reads the report of a version's build, as JSON text; null when there is none. */
export async function serverReport(client: ClickHouseClient, prefix: string, version: string): Promise<string | null> {
  if (!(await hasTable(client, prefix, 'reports'))) return null;
  const [row] = await queryRows(
    client,
    z.strictObject({ report: z.string() }),
    'SELECT report FROM {prefix:Identifier}.reports WHERE version = {version:String} LIMIT 1',
    { prefix, version },
  );
  return row?.report ?? null;
}

/** Returns true when the table exists and the user can see it. */
async function hasTable(client: ClickHouseClient, database: string, table: string): Promise<boolean> {
  const rows = await queryRows(
    client,
    z.unknown(),
    'SELECT 1 FROM system.tables WHERE database = {database:String} AND name = {table:String}',
    { database, table },
  );
  return rows.length > 0;
}
