import { unitNumberOf } from '../../sql/register/mastr-number.ts';
import { duckdbUnitColumns } from '../../sql/warehouse/duckdb/columns.ts';
import { projectionStatements } from '../../sql/warehouse/duckdb/projections.ts';
import { ROW_COLUMNS, rowStatement } from '../../sql/warehouse/duckdb/rows.ts';
import { firstRow } from '../../sql/warehouse/first-row.ts';
import { createRowFile } from '../../sql/warehouse/rows/writer.ts';
import type { WarehouseConnection } from '../duckdb/connection.ts';
import { literal, macroStatements, warehouseSql } from '../duckdb/sql-files.ts';
import { sliceRanges } from '../stage/slices.ts';
import { STAGED_TABLES } from '../stage/tables.ts';
import type { Assembly } from './assembly.ts';
import { countStatements } from './count.ts';
import { runOnLanes } from './lanes.ts';
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
  await fillFromUnits(assembly);
  return replacedSince;
}

/** The first and the last number that a unit can have. */
const UNIT_NUMBERS = { from: unitNumberOf(0), to: unitNumberOf(10 ** 12 - 1) };

async function openNep({ warehouse, nep }: Assembly): Promise<void> {
  await warehouse.run(nep === null ? warehouseSql('no-nep.sql') : warehouseSql('nep.sql', { file: literal(nep) }));
}

/** Fills the tables that are computed from the finished units, side by side. */
async function fillFromUnits(assembly: Assembly): Promise<void> {
  const { lanes, progress } = assembly;
  const [types = '', first = '', ...sorted] = projectionStatements();
  const { rollups, overview } = await rollupStatements(assembly);
  const searches = searchStatements(assembly);
  const counts = countStatements();
  progress.stage('answers', 2 + rollups.length + searches.length + sorted.length + counts.length + 1, 'statements');
  const task = (text: string) => async (lane: WarehouseConnection) => {
    await lane.run(text);
    progress.advance(1);
  };
  await assembly.warehouse.run(types);
  await runOnLanes(lanes, [first, ...rollups, ...searches].map(task));
  await runOnLanes(lanes, [(lane) => writeRows({ ...assembly, warehouse: lane }), ...[...sorted, overview].map(task)]);
  await runOnLanes(lanes, counts.map(task));
}

/** The statements of the roll-ups: by slices of regions, as many as the units have, since groups need about as much memory. */
async function rollupStatements({ warehouse, slices }: Assembly): Promise<{ rollups: string[]; overview: string }> {
  const { n } = firstRow(await warehouse.rows<{ n: bigint }>('SELECT count(*) AS n FROM regionen'));
  const regions = Number(n);
  const rollups = Array.from({ length: slices }, (_, slice) =>
    warehouseSql('rollups.sql', {
      from: Math.floor((regions * slice) / slices) + 1,
      to: Math.floor((regions * (slice + 1)) / slices),
    }),
  );
  return { rollups, overview: warehouseSql('overview.sql') };
}

/** Slices of units whose texts are indexed at once: lists of numbers are much narrower than units. */
const UNIT_SLICES_AT_ONCE = 4;

/** The statements that fill the tables of searchable texts and the units that contain them. */
function searchStatements({ slices: unitSlices }: Assembly): string[] {
  const slices = Math.ceil(unitSlices / UNIT_SLICES_AT_ONCE);
  return Array.from({ length: slices }, (_, slice) => warehouseSql('search.sql', { slice, slices }));
}

/** Pieces into which a slice is cut for the row file, since rows are wide and must be sorted. */
const PIECES_OF_SLICE = 4;

/** A small register is cut into fewer pieces, since preparing the statement of a piece takes 20 ms. */
const UNITS_OF_PIECE = 1000;

async function writeRows({ warehouse, rows, slices }: Assembly): Promise<void> {
  const { n } = firstRow(await warehouse.rows<{ n: bigint }>('SELECT count(*) AS n FROM units'));
  const units = Number(n);
  const file = createRowFile(
    rows,
    ROW_COLUMNS.map(({ name }) => name),
  );
  try {
    const pieces = Math.min(slices * PIECES_OF_SLICE, Math.max(1, Math.ceil(units / UNITS_OF_PIECE)));
    for (const range of sliceRanges(pieces)) {
      await warehouse.pairs(rowStatement(unitNumberOf(range.from), unitNumberOf(range.to)), (number, row) => {
        file.add(number, row);
      });
    }
    file.finish();
  } catch (error) {
    file.abort();
    throw error;
  }
}
