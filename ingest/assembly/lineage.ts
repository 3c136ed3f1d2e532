import { entryOf } from '../../runtime/present.ts';
import { rememberedColumn } from '../../sql/query/erased.ts';
import { unitNumberOf } from '../../sql/register/mastr-number.ts';
import { hashBasis } from '../../sql/warehouse/duckdb/columns.ts';
import { type Erasure, numbersOf } from '../../sql/warehouse/erasures.ts';
import { firstRow } from '../../sql/warehouse/first-row.ts';
import type { Publication, Version } from '../../sql/warehouse/versions.ts';
import { type Destination, type EarlierVersion, FromNothing } from '../destination/destination.ts';
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
  /** The numbers whose past is to be forgotten. */
  readonly erasures: readonly Erasure[];
  /** All publications so far, oldest first. */
  readonly publications: readonly Publication[];
  /** The version attached as `previous_version`; null for the first version. */
  readonly before: Version | null;
}

/** What is kept of the past of organisations: what a question can show of them. */
const ACTOR_COLUMNS = ['mastrNummer', 'name', 'marktfunktion', 'bundesland', 'ort'];

/** The tables of places whose rows in earlier versions are kept, too. */
export const PLACE_TABLES = ['regionen', 'gebiete'] as const;

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
  const { warehouse, self } = lineage;
  const carried = async () => {
    const sharedColumns = await sharedColumnsOf(lineage, 'previous_version');
    const known = await columnsOf(warehouse, 'previous_version', 'units_ersetzt');
    const reason = known.has('abgangGrund') ? ', abgangGrund' : '';
    await warehouse.run(warehouseSql('replaced-before.sql', { sharedColumns, reason }));
  };
  const replacedSince = (await hasLineage(lineage))
    ? await addReplacedRows(lineage, 'previous_version.units', carried)
    : self.sequence;
  for (const version of await warehouse.rows<Ancestor>('FROM withdrawn_versions ORDER BY sequence')) {
    await withWithdrawn(lineage, version.version, () => includeWithdrawn(lineage, version));
  }
  await writeStates(lineage);
  return replacedSince;
}

/**
 * The same where `units_ersetzt` is that of the version before, and no version was withdrawn.
 * @param former a table of the rows that the version before had of all units that may have changed
 * @throws FromNothing
 */
export async function writeNightLineage(lineage: Lineage, former: string): Promise<number> {
  const replacedSince = await addReplacedRows(lineage, former, async () => {});
  await writeStates(lineage);
  if (lineage.erasures.length === 0) return replacedSince;
  // Rows that are deleted stay in a file until it is written anew.
  const { n } = firstRow(await lineage.warehouse.rows<{ n: bigint }>('SELECT count(*) AS n FROM erased'));
  if (Number(n) > 0) throw new FromNothing('a row has ended whose past is to be forgotten');
  return replacedSince;
}

/** The columns that rows of an attached version keep as former rows, as a select list. */
export async function sharedColumnsOf(
  { warehouse, destination, erasures }: Pick<Lineage, 'warehouse' | 'destination' | 'erasures'>,
  name: EarlierVersion,
): Promise<string> {
  const columns = await destination.carriedColumns(warehouse, name);
  return columns.map((column) => `${rememberedColumn(column, numbersOf(erasures))} AS ${column}`).join(', ');
}

const hasTable = async ({ warehouse, before }: Lineage, table: string): Promise<boolean> =>
  before !== null && (await columnsOf(warehouse, 'previous_version', table)).size > 0;

const hasLineage = (lineage: Lineage): Promise<boolean> => hasTable(lineage, 'vorgaenger');

/** Says of which versions this one can tell the state, itself the last, and keeps what their places and names were. */
async function writeStates(lineage: Lineage): Promise<void> {
  const { warehouse, self, before: last } = lineage;
  const { id, sequence, exportDay } = self;
  await warehouse.run(`INSERT INTO vorgaenger VALUES (${literal(id)}, ${sequence}, ${sequence})`);
  if (await hasTable(lineage, 'staende')) {
    await warehouse.run('INSERT INTO staende SELECT version, sequence, exportDay FROM previous_version.staende');
  } else if (last !== null && (await hasLineage(lineage))) {
    const day = literal(last.exportDay);
    await warehouse.run(`INSERT INTO staende VALUES (${literal(last.id)}, ${last.sequence}, ${day})`);
  }
  await warehouse.run(`INSERT INTO staende VALUES (${literal(id)}, ${sequence}, ${literal(exportDay)})`);
  for (const table of PLACE_TABLES) {
    const same = [...(await columnsOf(warehouse, await ownName(warehouse), table))]
      .map((name) => `now.${name} IS NOT DISTINCT FROM former.${name}`)
      .join(' AND ');
    const number = table === 'regionen' ? 'region' : 'gebiet';
    await warehouse.run(warehouseSql('places-kept.sql', { table, number, same, sequence }));
  }
  const { erasures } = lineage;
  if (erasures.length > 0)
    await warehouse.append(
      'loeschungen',
      erasures.map(({ nummer, am, von }) => [nummer, am, von, 0]),
    );
  if (!(await hasTable(lineage, 'marktakteure'))) return;
  const kept = (await hasTable(lineage, 'akteurnamen')) ? 'previous_version.akteurnamen' : 'akteurnamen LIMIT 0';
  const before = `SELECT * FROM ${kept}`;
  await warehouse.run(warehouseSql('names-kept.sql', { before, sequence, columns: ACTOR_COLUMNS.join(', ') }));
  if (erasures.length === 0) return;
  const known = (await hasTable(lineage, 'loeschungen')) ? 'previous_version.loeschungen' : 'loeschungen';
  await warehouse.run(warehouseSql('erased.sql', { known, sequence }));
}

const ownName = async (engine: WarehouseConnection): Promise<string> =>
  firstRow(await engine.rows<{ name: string }>('SELECT current_database() AS name')).name;

/**
 * Adds the rows that this build replaced to those that earlier ones did.
 * @param former a table of the rows of the version before
 * @param carry takes over the latter
 * @returns dataset.ersetztAb
 */
async function addReplacedRows(lineage: Lineage, former: string, carry: () => Promise<void>): Promise<number> {
  const { warehouse, lanes, slices, self } = lineage;
  const { sequence, exportDay } = self;
  const sharedColumns = await sharedColumnsOf(lineage, 'previous_version');
  const values = { sequence, exportDay, sharedColumns, former };
  // To find a few rows the engine reads every column of the version before: a quarter of a minute on one core.
  await runOnLanes(lanes, [
    ...sliceRanges(slices).map(({ from, to }) =>
      statement(warehouseSql('replaced.sql', { ...values, from: unitNumberOf(from), to: unitNumberOf(to) })),
    ),
    statement(warehouseSql('replaced-departed.sql', values)),
    carry,
  ]);
  // A release with other fields changes every unit, and keeps the rows of those alone that were registered anew.
  if (!(await isHashedAlike(warehouse))) return sequence;
  const [row] = await warehouse.rows<{ replacedSince: number | null }>(
    'SELECT ersetztAb AS replacedSince FROM previous_version.dataset',
  );
  return row?.replacedSince ?? sequence;
}

/** Returns true where the release that built the version before hashed the same of a unit as this one. */
export async function isHashedAlike(warehouse: WarehouseConnection): Promise<boolean> {
  const [dataset] = await warehouse.rows<{ hashBasis: string }>('SELECT hashBasis FROM previous_version.dataset');
  return dataset?.hashBasis === hashBasis(warehouse.engineVersion);
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

async function includeWithdrawn(lineage: Lineage, withdrawn: Ancestor): Promise<void> {
  const { warehouse, self } = lineage;
  const sharedColumns = await sharedColumnsOf(lineage, 'withdrawn_version');
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
