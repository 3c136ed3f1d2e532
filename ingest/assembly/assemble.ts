import { unitNumberOf } from '../../sql/register/mastr-number.ts';
import { duckdbUnitColumns } from '../../sql/warehouse/duckdb/columns.ts';
import { literal, macroStatements, warehouseSql } from '../duckdb/sql-files.ts';
<<<<<<< HEAD
import { STAGED_TABLES } from '../stage/tables.ts';
import { fillAnswers } from './answers.ts';
import type { Assembly } from './assembly.ts';
import { runOnLanes } from './lanes.ts';
=======
import type { Progress } from '../run/progress.ts';
import { parquetTypeOf } from '../stage/columns.ts';
import type { Catalogues } from '../stage/labels.ts';
import { ParquetFile } from '../stage/parquet.ts';
import { tableColumns } from '../stage/plan.ts';
import { sliceRanges } from '../stage/slices.ts';
import { ORIGIN_COLUMNS } from '../stage/staging.ts';
import { requireStagedTable, STAGED_TABLES, type StagedTable } from '../stage/tables.ts';
import type { LoadedTenders } from '../tenders/loaded.ts';
import { countStatements } from './count.ts';
>>>>>>> i17-read
import { writeLineage } from './lineage.ts';
import { placeStatements } from './places.ts';
import { openHistory } from './previous-version.ts';
import { openStaged } from './staged.ts';
import { prepareSupport, supportAcrossSlices } from './support.ts';
import { fillAwards, linkAwards } from './tenders.ts';
import { fillUnits, referenceTasks } from './units.ts';
import { windNameStatements } from './wind-names.ts';

/**
 * Creates and fills all tables that are computed from the records.
 * @returns dataset.ersetztAb, see lineage.ts
 */
export async function assemble(assembly: Assembly): Promise<number> {
  const { warehouse, lanes, progress } = assembly;
  progress.stage('tables and duplicates', STAGED_TABLES.length, 'tables');
  await warehouse.run(warehouseSql('tables.sql', { unitColumns: duckdbUnitColumns() }));
  for (const lane of lanes) await lane.run(macroStatements());
  await runOnLanes(
    lanes,
    STAGED_TABLES.map((table) => async (lane) => {
      await openStaged({ ...assembly, warehouse: lane }, table);
      progress.advance(1);
    }),
  );
  progress.stage('look-ups');
  await openHistory(assembly);
  await warehouse.run(warehouseSql('lookups.sql', UNIT_NUMBERS));
  for (const text of placeStatements()) await warehouse.run(text);
  await warehouse.run(windNameStatements());
  await openNep(assembly);
  await linkAwards(assembly);
  progress.stage('support values');
  const day = assembly.self.exportDay;
  await prepareSupport({ ...assembly, day });
  await warehouse.run(warehouseSql('references.sql'));
  await runOnLanes(lanes, [
    (lane) => supportAcrossSlices({ ...assembly, warehouse: lane, day }),
    ...referenceTasks(assembly),
  ]);
  await fillUnits(assembly);
  await fillAwards(assembly);
  const replacedSince = await writeLineage({ ...assembly, engine: warehouse });
  await fillAnswers(assembly);
  return replacedSince;
}

/** The first and the last number that a unit can have. */
const UNIT_NUMBERS = { from: unitNumberOf(0), to: unitNumberOf(10 ** 12 - 1) };

<<<<<<< HEAD
=======
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
    type: parquetTypeOf(kind),
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

>>>>>>> i17-read
async function openNep({ warehouse, nep }: Assembly): Promise<void> {
  await warehouse.run(nep === null ? warehouseSql('no-nep.sql') : warehouseSql('nep.sql', { file: literal(nep) }));
}
