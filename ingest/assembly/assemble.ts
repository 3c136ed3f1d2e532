import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { signalsExpression } from '../../sql/catalogue/signals.ts';
import { FIRST_KEPT_COLUMN, UNIT_COLUMN_NAMES } from '../../sql/catalogue/unit-columns.ts';
import { unitNumberOf } from '../../sql/register/mastr-number.ts';
import { Damaged, VERSION_REMEDY } from '../../sql/warehouse/damage.ts';
import { contentHash, duckdbUnitColumns, hashBasis, unitSelectList } from '../../sql/warehouse/duckdb/columns.ts';
import { projectionStatements } from '../../sql/warehouse/duckdb/projections.ts';
import { ROW_COLUMNS, rowStatement } from '../../sql/warehouse/duckdb/rows.ts';
import { firstRow } from '../../sql/warehouse/first-row.ts';
import { createRowFile } from '../../sql/warehouse/rows/writer.ts';
import type { Publication, Version } from '../../sql/warehouse/versions.ts';
import { columnsOf, type WarehouseConnection } from '../duckdb/connection.ts';
import { literal, macroStatements, warehouseSql } from '../duckdb/sql-files.ts';
import type { Progress } from '../run/progress.ts';
import { columnFor } from '../stage/columns.ts';
import type { Catalogues } from '../stage/labels.ts';
import { ParquetFile } from '../stage/parquet.ts';
import { tableColumns } from '../stage/plan.ts';
import { sliceRanges } from '../stage/slices.ts';
import { ORIGIN_COLUMNS } from '../stage/staging.ts';
import { requireStagedTable, STAGED_TABLES, type StagedTable } from '../stage/tables.ts';
import type { LoadedTenders } from '../tenders/loaded.ts';
import { countStatements } from './count.ts';
import { writeLineage } from './lineage.ts';
import { placeStatements } from './places.ts';
import { prepareSupport, supportOfSlice } from './support.ts';
import { fillAwards, linkAwards } from './tenders.ts';
import { windNameStatements } from './wind-names.ts';

export interface Assembly {
  readonly warehouse: WarehouseConnection;
  readonly stage: string;
  /** The row file to write. */
  readonly rows: string;
  readonly slices: number;
  readonly catalogues: Catalogues;
  /** Folder of the warehouse. */
  readonly folder: string;
  readonly self: Version;
  /** All publications so far, oldest first. */
  readonly publications: readonly Publication[];
  /** The version whose history is carried over, and its file; null for the first version. */
  readonly before: (Version & { readonly file: string }) | null;
  /** File of the operator's list of the grid development plan; null when none was loaded. */
  readonly nep: string | null;
  /** The tenders that were loaded. */
  readonly tenders: LoadedTenders;
  /** Files with the history of older exports that `before` does not contain yet. */
  readonly olderExports: readonly string[];
  readonly progress: Progress;
}

/** The staged table of the units. */
export const UNITS = requireStagedTable('einheit');

/**
 * Creates and fills all tables that are computed from the records.
 * @returns dataset.ersetztAb, see lineage.ts
 */
export async function assemble(assembly: Assembly): Promise<number> {
  const { warehouse, progress } = assembly;
  progress.stage('tables and duplicates', STAGED_TABLES.length, 'tables');
  await warehouse.run(warehouseSql('tables.sql', { unitColumns: duckdbUnitColumns() }));
  await warehouse.run(macroStatements());
  for (const table of STAGED_TABLES) {
    await openStaged(assembly, table);
    progress.advance(1);
  }
  progress.stage('look-ups');
  await openHistory(assembly);
  await warehouse.run(warehouseSql('lookups.sql', UNIT_NUMBERS));
  for (const text of placeStatements()) await warehouse.run(text);
  await warehouse.run(windNameStatements());
  await openNep(assembly);
  await linkAwards(assembly);
  progress.stage('support values');
  await prepareSupport({ ...assembly, day: assembly.self.exportDay });
  await fillUnits(assembly);
  await fillAwards(assembly);
  const replacedSince = await writeLineage({ ...assembly, engine: warehouse });
  progress.stage('roll-ups', await countRegions(warehouse), 'regions');
  await fillRollups(assembly);
  await fillSearch(assembly);
  await fillProjections(assembly);
  progress.stage('counts');
  await warehouse.run(countStatements().join('\n'));
  await writeRows(assembly);
  return replacedSince;
}

/** The first and the last number that a unit can have. */
const UNIT_NUMBERS = { from: unitNumberOf(0), to: unitNumberOf(10 ** 12 - 1) };

/**
 * Creates the views over the files of a staged table; an empty file with all columns makes them work without any other.
 */
export async function openStaged(
  { warehouse, stage, catalogues }: Pick<Assembly, 'warehouse' | 'stage' | 'catalogues'>,
  table: StagedTable,
): Promise<void> {
  mkdirSync(join(stage, table.name), { recursive: true });
  writeShape(shapeFile(stage, table), table, catalogues);
  await warehouse.run(
    warehouseSql('staged-table.sql', {
      table: table.name,
      files: stagedFiles(stage, table).join(', '),
      key: table.key ?? '_zeile',
      changed: table.changed ?? 'NULL::TIMESTAMP',
    }),
  );
}

const shapeFile = (stage: string, table: StagedTable): string => join(stage, table.name, 'shape.parquet');

/** The files of a staged table, or of one of its slices, as SQL literals. */
function stagedFiles(stage: string, table: StagedTable, slice: number | null = null): string[] {
  const folder = join(stage, table.name);
  const slices = readdirSync(folder).filter((name) =>
    slice === null ? /^[0-9]+$/.test(name) : name === String(slice),
  );
  const files = slices.flatMap((name) => readdirSync(join(folder, name)).map((file) => join(folder, name, file)));
  return [shapeFile(stage, table), ...files].map(literal);
}

function writeShape(path: string, table: StagedTable, catalogues: Catalogues): void {
  const columns = tableColumns(table, catalogues).map(({ name, kind }) => ({
    name,
    type: columnFor(kind, 0, { first: 0, last: 0 }, () => {}).type,
  }));
  new ParquetFile(path, [...ORIGIN_COLUMNS, ...columns]).close();
}

/** @throws Damaged when the file cannot be opened as a database */
async function attachPrevious(warehouse: WarehouseConnection, file: string): Promise<void> {
  try {
    await warehouse.run(`ATTACH ${literal(file)} AS previous_version (READ_ONLY)`);
  } catch (error) {
    throw new Damaged(file, String(error).split('\n')[0] ?? '', VERSION_REMEDY, error);
  }
}

async function openHistory({ warehouse, before, olderExports }: Assembly): Promise<void> {
  if (before === null) await warehouse.run(warehouseSql('no-history.sql'));
  else {
    await attachPrevious(warehouse, before.file);
    const present = await columnsOf(warehouse, 'previous_version', 'units');
    // A version of an earlier release has no signals, so all signals count as new in this one.
    const betreiberSeit = present.has('betreiberSeit') ? 'betreiberSeit' : 'NULL::DATE';
    const signals = present.has('signals') ? 'signals' : '0';
    const previousHash = await previousContentHash(warehouse, present);
    await warehouse.run(warehouseSql('history.sql', { previousHash, betreiberSeit, signals }));
  }
  const files = olderExports.map(literal).join(', ');
  await warehouse.run(
    warehouseSql(olderExports.length === 0 ? 'no-older-exports.sql' : 'older-exports.sql', { files }),
  );
}

/**
 * SQL for the content hash of a previous unit: the stored hash when it is comparable, otherwise computed again. A
 * column that was kept then without being served had no value for its readers.
 */
async function previousContentHash(warehouse: WarehouseConnection, present: ReadonlySet<string>): Promise<string> {
  const [dataset] = await warehouse.rows<{ hashBasis: string }>('SELECT hashBasis FROM previous_version.dataset');
  if (dataset?.hashBasis === hashBasis(warehouse.engineVersion)) return 'inhalt';
  const columns = [...present];
  return contentHash(new Set(columns.slice(0, columns.indexOf(FIRST_KEPT_COLUMN))));
}

async function openNep({ warehouse, nep }: Assembly): Promise<void> {
  await warehouse.run(nep === null ? warehouseSql('no-nep.sql') : warehouseSql('nep.sql', { file: literal(nep) }));
}

async function fillUnits(assembly: Assembly): Promise<void> {
  const { warehouse, stage, slices, self, before, nep, progress } = assembly;
  const { sequence, exportDay } = self;
  const total = firstRow(await warehouse.rows<{ n: bigint }>('SELECT count(*) AS n FROM einheit'));
  progress.stage('units', Number(total.n), 'units');
  let done = 0;
  for (const [slice, { from, to }] of sliceRanges(slices).entries()) {
    const range = { from: unitNumberOf(from), to: unitNumberOf(to) };
    await warehouse.run(warehouseSql('slice.sql', { ...range, files: stagedFiles(stage, UNITS, slice).join(', ') }));
    await supportOfSlice({ warehouse, day: exportDay, slices });
    await warehouse.run(
      warehouseSql('units.sql', {
        ...range,
        unitSelectList: unitSelectList(),
        contentHash: contentHash(),
        sequence,
        exportDay,
        signals: signalsExpression(exportDay),
      }),
    );
    const filled = firstRow(await warehouse.rows<{ n: bigint }>('SELECT count(*) AS n FROM units'));
    progress.advance(Number(filled.n) - done);
    done = Number(filled.n);
  }
  if (before !== null) await carryDepartedUnits(warehouse, sequence);
  if (nep !== null) await warehouse.run(warehouseSql('nep-account.sql'));
}

async function carryDepartedUnits(warehouse: WarehouseConnection, sequence: number): Promise<void> {
  const before = await columnsOf(warehouse, 'previous_version', 'units');
  const shared = UNIT_COLUMN_NAMES.filter((name) => name !== 'betreiberName' && before.has(name));
  await warehouse.run(warehouseSql('departed.sql', { sequence, sharedColumns: shared.join(', ') }));
}

async function countRegions(warehouse: WarehouseConnection): Promise<number> {
  const row = firstRow(await warehouse.rows<{ n: bigint }>('SELECT count(*) AS n FROM regionen'));
  return Number(row.n);
}

/** Fills the roll-ups by slices of regions, as many as the units have, since groups need about as much memory. */
async function fillRollups({ warehouse, slices, progress }: Assembly): Promise<void> {
  const regions = await countRegions(warehouse);
  for (let slice = 0; slice < slices; slice++) {
    const from = Math.floor((regions * slice) / slices) + 1;
    const to = Math.floor((regions * (slice + 1)) / slices);
    await warehouse.run(warehouseSql('rollups.sql', { from, to }));
    progress.advance(to - from + 1);
  }
  await warehouse.run(warehouseSql('overview.sql'));
}

/** Slices of units whose texts are indexed at once: lists of numbers are much narrower than units. */
const UNIT_SLICES_AT_ONCE = 4;

/** Fills the tables of searchable texts and the units that contain them. */
async function fillSearch({ warehouse, slices: unitSlices, progress }: Assembly): Promise<void> {
  const slices = Math.ceil(unitSlices / UNIT_SLICES_AT_ONCE);
  progress.stage('search', slices, 'slices');
  for (let slice = 0; slice < slices; slice++) {
    await warehouse.run(warehouseSql('search.sql', { slice, slices }));
    progress.advance(1);
  }
}

/** Fills the tables that answer queries, from the finished units. */
async function fillProjections({ warehouse, progress }: Assembly): Promise<void> {
  const statements = projectionStatements();
  progress.stage('projections', statements.length, 'statements');
  for (const text of statements) {
    await warehouse.run(text);
    progress.advance(1);
  }
}

/** Pieces into which a slice is cut for the row file, since rows are wide and must be sorted. */
const PIECES_OF_SLICE = 4;

/** A small register is cut into fewer pieces, since preparing the statement of a piece takes 20 ms. */
const UNITS_OF_PIECE = 1000;

async function writeRows({ warehouse, rows, slices, progress }: Assembly): Promise<void> {
  const { n } = firstRow(await warehouse.rows<{ n: bigint }>('SELECT count(*) AS n FROM units'));
  const units = Number(n);
  progress.stage('row file', units, 'units');
  const file = createRowFile(
    rows,
    ROW_COLUMNS.map(({ name }) => name),
  );
  try {
    const pieces = Math.min(slices * PIECES_OF_SLICE, Math.max(1, Math.ceil(units / UNITS_OF_PIECE)));
    for (const range of sliceRanges(pieces)) {
      let written = 0;
      await warehouse.pairs(rowStatement(unitNumberOf(range.from), unitNumberOf(range.to)), (number, row) => {
        file.add(number, row);
        written++;
      });
      progress.advance(written);
    }
    file.finish();
  } catch (error) {
    file.abort();
    throw error;
  }
}
