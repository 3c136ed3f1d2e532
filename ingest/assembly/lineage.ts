import { existsSync } from 'node:fs';
import { entryOf } from '../../runtime/present.ts';
import { UNIT_COLUMN_NAMES } from '../../sql/catalogue/unit-columns.ts';
import { unitNumberOf } from '../../sql/register/mastr-number.ts';
import { firstRow } from '../../sql/warehouse/first-row.ts';
import { type Publication, type Version, versionFile } from '../../sql/warehouse/versions.ts';
import { columnsOf, type WarehouseConnection } from '../duckdb/connection.ts';
import { literal, warehouseSql } from '../duckdb/sql-files.ts';
import { sliceRanges } from '../stage/slices.ts';
import { runOnLanes, statement } from './lanes.ts';

/** The lineage of a version: the versions from which deltas lead to it, and the rows that have been replaced since. */

export interface Lineage {
  readonly engine: WarehouseConnection;
  /** Connections that work side by side; the first is `engine`. */
  readonly lanes: readonly WarehouseConnection[];
  /** Number of ranges in which units are read. */
  readonly slices: number;
  /** Folder of the warehouse. */
  readonly folder: string;
  readonly self: Version;
  /** All publications so far, oldest first. */
  readonly publications: readonly Publication[];
  /** The version attached as `previous_version`; null for the first version. */
  readonly before: Version | null;
}

/** Days for which replaced rows are kept. A sync token is valid for 30 days, and some nights may be missed. */
const DAYS_KEPT = 35;

/** Largest share of the register that one build may replace if the replaced rows are to be kept. */
const MAX_REPLACED_SHARE = 0.25;

/** Up to this number, replaced rows are always kept. */
const ALWAYS_KEPT_ROWS = 10_000;

/**
 * Fills `vorgaenger` and `units_ersetzt` once `units` and `units_departed` are complete, and includes the versions that
 * were withdrawn since the previous version was built.
 * @returns dataset.ersetztAb: the first build from which on every replaced row is kept
 */
export async function writeLineage(lineage: Lineage): Promise<number> {
  const { engine, self, before } = lineage;
  const hasLineage = before !== null && (await columnsOf(engine, 'previous_version', 'vorgaenger')).size > 0;
  let replacedSince = self.sequence;
  if (hasLineage) {
    await engine.run('INSERT INTO vorgaenger SELECT version, sequence, anker FROM previous_version.vorgaenger');
    replacedSince = await carryReplacedRows(lineage);
    for (const version of withdrawn(lineage, await ancestorsIn(engine, 'vorgaenger')))
      await includeWithdrawn(lineage, version);
  }
  await engine.run(`INSERT INTO vorgaenger VALUES (${literal(self.id)}, ${self.sequence}, ${self.sequence})`);
  return replacedSince;
}

/** Keeps the rows that this build and earlier ones replaced, unless a new release has changed much of the register. */
async function carryReplacedRows({ engine, lanes, slices, self }: Lineage): Promise<number> {
  const counts = firstRow(
    await engine.rows<{ changed: bigint; units: bigint }>(
      `SELECT count(*) FILTER (inhaltSeit = ${self.sequence}) AS changed, count(*) AS units FROM units`,
    ),
  );
  if (Number(counts.changed) > Math.max(ALWAYS_KEPT_ROWS, Number(counts.units) * MAX_REPLACED_SHARE))
    return self.sequence;
  const oldest = `DATE ${literal(self.exportDay)} - ${DAYS_KEPT}`;
  const { sequence, exportDay } = self;
  const values = { sequence, exportDay, sharedColumns: await sharedColumns(engine, 'previous_version') };
  // To find a few rows the engine reads every column of the version before: a quarter of a minute on one core.
  await runOnLanes(lanes, [
    ...sliceRanges(slices).map(({ from, to }) =>
      statement(warehouseSql('replaced.sql', { ...values, from: unitNumberOf(from), to: unitNumberOf(to) })),
    ),
    statement(warehouseSql('replaced-before.sql', { ...values, oldest })),
  ]);
  const row = firstRow(
    await engine.rows<{ replacedSince: number }>(
      `SELECT greatest(ersetztAb, (SELECT max(ersetztSeit) FROM previous_version.units_ersetzt WHERE ersetztAm < ${oldest}))
       AS replacedSince FROM previous_version.dataset`,
    ),
  );
  return row.replacedSince;
}

/** Columns that both releases have, except the name of an operator, who may have become a natural person. */
async function sharedColumns(engine: WarehouseConnection, database: string): Promise<string> {
  const present = await columnsOf(engine, database, 'units');
  return UNIT_COLUMN_NAMES.filter((name) => name !== 'betreiberName' && present.has(name)).join(', ');
}

/** The ancestors listed in a table, by version. */
async function ancestorsIn(engine: WarehouseConnection, table: string): Promise<Map<string, Ancestor>> {
  const rows = await engine.rows<Ancestor>(`SELECT version, sequence, anker FROM ${table}`);
  return new Map(rows.map((row) => [row.version, row]));
}

interface Ancestor {
  readonly version: string;
  readonly sequence: number;
  readonly anker: number;
}

/** Versions that were served, still exist, and from which no delta leads to this one yet; oldest first. */
function withdrawn({ folder, self, publications }: Lineage, known: ReadonlyMap<string, Ancestor>): Version[] {
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
      warehouseSql('withdrawn.sql', {
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

/** The newest version from which deltas lead both to this and to the withdrawn version, with its anchor in each. */
async function commonVersion(
  engine: WarehouseConnection,
): Promise<{ common: string; commonHere: number; commonThere: number } | null> {
  if ((await columnsOf(engine, 'withdrawn_version', 'vorgaenger')).size === 0) return null;
  const here = await ancestorsIn(engine, 'vorgaenger');
  const there = [...(await ancestorsIn(engine, 'withdrawn_version.vorgaenger')).values()];
  const newest = there.filter(({ version }) => here.has(version)).sort((a, b) => b.sequence - a.sequence)[0];
  if (newest === undefined) return null;
  return { common: newest.version, commonThere: newest.anker, commonHere: entryOf(here, newest.version).anker };
}
