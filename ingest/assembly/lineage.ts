import { existsSync } from 'node:fs';
import { entryOf } from '../../runtime/present.ts';
import { UNIT_COLUMN_NAMES } from '../../sql/catalogue/unit-columns.ts';
import { type Publication, type Version, versionFile } from '../../sql/warehouse/versions.ts';
import { columnsOf, type WarehouseConnection } from '../duckdb/connection.ts';
import { firstRow } from '../duckdb/first-row.ts';
import { literal, sqlFile } from '../duckdb/sql-files.ts';

/** The lineage of a version: the versions from which deltas lead to it, and the rows that were replaced since. */

export interface Lineage {
  readonly engine: WarehouseConnection;
  /** Folder of the warehouse. */
  readonly folder: string;
  readonly self: Version;
  /** Every publication there was, oldest first. */
  readonly publications: readonly Publication[];
  /** The version attached as `previous_version`; null for the first one. */
  readonly before: Version | null;
}

/** A token of a delta is good for 30 days; a night or two may be missed. */
const DAYS_KEPT = 35;

/** Share of the register up to which replaced rows are kept. */
const SHARE_KEPT = 0.25;

/** Fewer rows than this are always kept. */
const FEW = 10_000;

/**
 * Fills `vorgaenger` and `units_ersetzt` once `units` and `units_departed` are complete, and takes in the versions that
 * were withdrawn since the version before was built.
 * @returns dataset.ersetztAb: the build from which on readers find every replaced row
 */
export async function writeLineage(lineage: Lineage): Promise<number> {
  const { engine, self, before } = lineage;
  const follows = before !== null && (await columnsOf(engine, 'previous_version', 'vorgaenger')).size > 0;
  let complete = self.sequence;
  if (follows) {
    await engine.run('INSERT INTO vorgaenger SELECT version, sequence, anker FROM previous_version.vorgaenger');
    complete = await carryReplaced(lineage);
    for (const version of withdrawn(lineage, await knownVersions(engine, 'vorgaenger')))
      await includeWithdrawn(lineage, version);
  }
  await engine.run(`INSERT INTO vorgaenger VALUES (${literal(self.id)}, ${self.sequence}, ${self.sequence})`);
  return complete;
}

/** Keeps the rows that this build and the last ones replaced, unless a new release has changed much of the register. */
async function carryReplaced({ engine, self }: Lineage): Promise<number> {
  const counts = firstRow(
    await engine.rows<{ changed: bigint; units: bigint }>(
      `SELECT count(*) FILTER (inhaltSeit = ${self.sequence}) AS changed, count(*) AS units FROM units`,
    ),
  );
  if (Number(counts.changed) > Math.max(FEW, Number(counts.units) * SHARE_KEPT)) return self.sequence;
  const oldest = `DATE ${literal(self.exportDay)} - ${DAYS_KEPT}`;
  await engine.run(
    sqlFile('replaced.sql', {
      sequence: self.sequence,
      exportDay: self.exportDay,
      oldest,
      sharedColumns: await sharedColumns(engine, 'previous_version'),
    }),
  );
  const row = firstRow(
    await engine.rows<{ complete: number }>(
      `SELECT greatest(ersetztAb, (SELECT max(ersetztSeit) FROM previous_version.units_ersetzt WHERE ersetztAm < ${oldest}))
       AS complete FROM previous_version.dataset`,
    ),
  );
  return row.complete;
}

/** Columns that both releases have; the name of an operator is not carried on: it may have become a natural person. */
async function sharedColumns(engine: WarehouseConnection, database: string): Promise<string> {
  const present = await columnsOf(engine, database, 'units');
  return UNIT_COLUMN_NAMES.filter((name) => name !== 'betreiberName' && present.has(name)).join(', ');
}

/** Anchor by version. */
async function knownVersions(engine: WarehouseConnection, table: string): Promise<Map<string, KnownVersion>> {
  const rows = await engine.rows<KnownVersion>(`SELECT version, sequence, anker FROM ${table}`);
  return new Map(rows.map((row) => [row.version, row]));
}

interface KnownVersion {
  readonly version: string;
  readonly sequence: number;
  readonly anker: number;
}

/** Versions that were served, are still there, and from which no delta leads here yet; oldest first. */
function withdrawn({ folder, self, publications }: Lineage, known: ReadonlyMap<string, KnownVersion>): Version[] {
  const served = new Map(publications.map(({ version, ...rest }) => [version, { id: version, ...rest }]));
  return [...served.values()].filter(
    ({ id }) => !known.has(id) && id !== self.id && existsSync(versionFile(folder, id)),
  );
}

async function includeWithdrawn({ engine, folder, self }: Lineage, version: Version): Promise<void> {
  await engine.run(`ATTACH ${literal(versionFile(folder, version.id))} AS withdrawn_version (READ_ONLY)`);
  try {
    const common = await commonVersion(engine);
    if (common === null) return;
    await engine.run(
      sqlFile('withdrawn.sql', {
        ...common,
        sequence: self.sequence,
        exportDay: self.exportDay,
        version: literal(version.id),
        versionSequence: version.sequence,
        sharedColumns: await sharedColumns(engine, 'withdrawn_version'),
      }),
    );
  } finally {
    await engine.run('DETACH withdrawn_version');
  }
}

/** The newest version from which deltas lead both here and to the withdrawn one, with its anchors on both ways. */
async function commonVersion(
  engine: WarehouseConnection,
): Promise<{ common: string; commonHere: number; commonThere: number } | null> {
  if ((await columnsOf(engine, 'withdrawn_version', 'vorgaenger')).size === 0) return null;
  const here = await knownVersions(engine, 'vorgaenger');
  const there = [...(await knownVersions(engine, 'withdrawn_version.vorgaenger')).values()];
  const newest = there.filter(({ version }) => here.has(version)).sort((a, b) => b.sequence - a.sequence)[0];
  if (newest === undefined) return null;
  return { common: newest.version, commonThere: newest.anker, commonHere: entryOf(here, newest.version).anker };
}
