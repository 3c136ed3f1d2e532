import { type NumberRange, unitNumberOf } from '../../sql/register/mastr-number.ts';
import { duckdbUnitColumns } from '../../sql/warehouse/duckdb/columns.ts';
import { projectionStatements } from '../../sql/warehouse/duckdb/projections.ts';
import { firstRow } from '../../sql/warehouse/first-row.ts';
import { literal, macroStatements, warehouseSql } from '../duckdb/sql-files.ts';
import { sliceRanges } from '../stage/slices.ts';
import { STAGED_TABLES } from '../stage/tables.ts';
import type { Assembly } from './assembly.ts';
import { countStatements } from './count.ts';
import { type LaneTask, runOnLanes } from './lanes.ts';
import { writeLineage } from './lineage.ts';
import { placeStatements } from './places.ts';
import { openHistory } from './previous-version.ts';
import { openRows } from './rows.ts';
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

/** Fills the tables and the row file that are computed from the finished units, side by side. */
async function fillFromUnits(assembly: Assembly): Promise<void> {
  const { warehouse, lanes, slices, progress } = assembly;
  const { n } = firstRow(await warehouse.rows<{ n: bigint }>('SELECT count(*) AS n FROM units'));
  const units = Number(n);
  const ranges = sliceRanges(slices);
  const { byNumber, sorted } = projectionStatements(ranges);
  const { rollups, overview } = await rollupStatements(assembly);
  const rows = openRows(assembly.rows, units, () => {});
  /** Runs statements one after the other. */
  const inOrder =
    (texts: readonly string[]): LaneTask =>
    async (lane) => {
      for (const text of texts) {
        await lane.run(text);
        progress.advance(1);
      }
    };
  const rowSlice =
    (range: NumberRange): LaneTask =>
    async (lane) => {
      await rows.addSlice(lane, 'units', range);
      progress.advance(1);
    };
  const each = (texts: readonly string[]): LaneTask[] => texts.map((text) => inOrder([text]));
  const searches = searchStatements(assembly);
  const counts = countStatements();
  const statements = [byNumber, rollups, [overview], searches, sorted, counts].flat().length + slices;
  progress.stage('answers', statements, 'statements');
  const stages: LaneTask[][] = [
    [inOrder(byNumber), inOrder([...rollups, overview]), ...each(searches)],
    [...ranges.map(rowSlice), ...each(sorted)],
    each(counts),
  ];
  try {
    for (const tasks of stages) await runOnLanes(lanes, tasks);
    await rows.finish(units);
  } catch (error) {
    await rows.abort();
    throw error;
  }
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
