import { entryOf } from '../../runtime/present.ts';
import { unitNumberOf } from '../../sql/register/mastr-number.ts';
import { firstRow } from '../../sql/warehouse/first-row.ts';
import type { Publication, Version } from '../../sql/warehouse/versions.ts';
import type { Destination, NightDestination } from '../destination/destination.ts';
import { columnsOf, type WarehouseConnection } from '../duckdb/connection.ts';
import { literal, warehouseSql } from '../duckdb/sql-files.ts';
import { sliceRanges } from '../stage/slices.ts';
import { runOnLanes, statement } from './lanes.ts';

/** The lineage of a version: the versions from which deltas lead to it, and the rows that have been replaced since. */

export interface Lineage {
  readonly warehouse: WarehouseConnection;
  /** Connections that work side by side; the first is `warehouse`. */
  readonly lanes: readonly WarehouseConnection[];
  /** Number of ranges in which units are read. */
  readonly slices: number;
  readonly destination: Destination;
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

/** The first day whose replaced rows are kept, as an expression. */
const oldestKept = ({ self }: Lineage): string => `DATE ${literal(self.exportDay)} - ${DAYS_KEPT}`;

/**
 * Takes over the ancestors of the version before, and finds the units in which versions differ that were served and withdrawn since it
 * was built: they count as changed by this build, so it has to be known before units are filled.
 */
export async function openLineage(lineage: Lineage): Promise<void> {
  const { warehouse, before } = lineage;
  await warehouse.run(warehouseSql('lineage.sql'));
  if (before === null || (await columnsOf(warehouse, 'previous_version', 'vorgaenger')).size === 0) return;
  await warehouse.run('INSERT INTO vorgaenger SELECT version, sequence, anker FROM previous_version.vorgaenger');
  for (const version of await withdrawn(lineage)) {
    await withWithdrawn(lineage, version.id, async () => {
      const common = await commonVersion(warehouse);
      if (common === null) return;
      const { id, sequence } = version;
      const values = { ...common, version: literal(id), versionSequence: sequence };
      await warehouse.run(warehouseSql('withdrawn-units.sql', values));
    });
  }
}

/**
 * Completes `vorgaenger` and fills `units_ersetzt` once `units` and `units_departed` are complete, and includes the rows of the versions
 * that were withdrawn.
 * @returns dataset.ersetztAb: the first build from which on every replaced row is kept
 */
export async function writeLineage(lineage: Lineage): Promise<number> {
  const { warehouse, self, before } = lineage;
  const hasLineage = before !== null && (await columnsOf(warehouse, 'previous_version', 'vorgaenger')).size > 0;
  const oldest = oldestKept(lineage);
  const carried = async () => {
    const sharedColumns = (await lineage.destination.carriedColumns(warehouse, 'previous_version')).join(', ');
    await warehouse.run(warehouseSql('replaced-before.sql', { sharedColumns, oldest }));
  };
  const replacedSince =
    hasLineage && (await keepsReplacedRows(lineage))
      ? await addReplacedRows(lineage, 'previous_version.units', carried)
      : self.sequence;
  for (const version of await warehouse.rows<Ancestor>('FROM withdrawn_versions ORDER BY sequence')) {
    await withWithdrawn(lineage, version.version, () => includeWithdrawn(lineage, version));
  }
  await warehouse.run(`INSERT INTO vorgaenger VALUES (${literal(self.id)}, ${self.sequence}, ${self.sequence})`);
  return replacedSince;
}

/**
 * The same where `units_ersetzt` is that of the version before, and no version was withdrawn.
 * @param former a table of the rows that the version before had of all units that may have changed
 */
export async function writeNightLineage(
  lineage: Lineage & { readonly destination: NightDestination },
  former: string,
): Promise<number> {
  const { warehouse, self, destination } = lineage;
  const keeps = await keepsReplacedRows(lineage);
  await destination.dropReplaced(warehouse, keeps ? oldestKept(lineage) : null);
  const replacedSince = keeps ? await addReplacedRows(lineage, former, async () => {}) : self.sequence;
  await warehouse.run(`INSERT INTO vorgaenger VALUES (${literal(self.id)}, ${self.sequence}, ${self.sequence})`);
  return replacedSince;
}

/** Returns false when a new release has changed much of the register: replaced rows are not kept then. */
async function keepsReplacedRows({ warehouse, self }: Lineage): Promise<boolean> {
  const counts = firstRow(
    await warehouse.rows<{ changed: bigint; units: bigint }>(
      `SELECT count(*) FILTER (inhaltSeit = ${self.sequence}) AS changed, count(*) AS units FROM units`,
    ),
  );
  return Number(counts.changed) <= Math.max(ALWAYS_KEPT_ROWS, Number(counts.units) * MAX_REPLACED_SHARE);
}

/**
 * Adds the rows that this build replaced to those that earlier ones did.
 * @param former a table of the rows of the version before
 * @param carry takes over the latter
 * @returns dataset.ersetztAb
 */
async function addReplacedRows(lineage: Lineage, former: string, carry: () => Promise<void>): Promise<number> {
  const { warehouse, lanes, slices, self, destination } = lineage;
  const oldest = oldestKept(lineage);
  const { sequence, exportDay } = self;
  const sharedColumns = (await destination.carriedColumns(warehouse, 'previous_version')).join(', ');
  const values = { sequence, exportDay, sharedColumns, former };
  // To find a few rows the engine reads every column of the version before: a quarter of a minute on one core.
  await runOnLanes(lanes, [
    ...sliceRanges(slices).map(({ from, to }) =>
      statement(warehouseSql('replaced.sql', { ...values, from: unitNumberOf(from), to: unitNumberOf(to) })),
    ),
    statement(warehouseSql('replaced-departed.sql', values)),
    carry,
  ]);
  const row = firstRow(
    await warehouse.rows<{ replacedSince: number }>(
      `SELECT greatest(ersetztAb, (SELECT max(ersetztSeit) FROM previous_version.units_ersetzt WHERE ersetztAm < ${oldest}))
       AS replacedSince FROM previous_version.dataset`,
    ),
  );
  return row.replacedSince;
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
async function withdrawn({ warehouse, destination, self, publications }: Lineage): Promise<Version[]> {
  const known = await ancestorsIn(warehouse, 'vorgaenger');
  const served = new Map(publications.map(({ version, ...rest }) => [version, { id: version, ...rest }]));
  const candidates = [...served.values()].filter(({ id }) => !known.has(id) && id !== self.id);
  const there = await Promise.all(candidates.map(({ id }) => destination.has(id)));
  return candidates.filter((_, index) => there[index]);
}

/** Works while a withdrawn version is attached. */
async function withWithdrawn(
  { warehouse, destination }: Lineage,
  version: string,
  work: () => Promise<void>,
): Promise<void> {
  await destination.attach(warehouse, version, 'withdrawn_version');
  try {
    await work();
  } finally {
    await warehouse.run('DETACH withdrawn_version');
  }
}

async function includeWithdrawn({ warehouse, destination, self }: Lineage, withdrawn: Ancestor): Promise<void> {
  const sharedColumns = (await destination.carriedColumns(warehouse, 'withdrawn_version')).join(', ');
  const version = literal(withdrawn.version);
  const { sequence, exportDay } = self;
  await warehouse.run(warehouseSql('withdrawn.sql', { sequence, exportDay, version, sharedColumns }));
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
