import type { NumberRange } from '../../sql/register/mastr-number.ts';
import { projectionStatements } from '../../sql/warehouse/duckdb/projections.ts';
import { firstRow } from '../../sql/warehouse/first-row.ts';
import type { WarehouseConnection } from '../duckdb/connection.ts';
import { warehouseSql } from '../duckdb/sql-files.ts';
import { sliceRanges } from '../stage/slices.ts';
import type { Assembly } from './assembly.ts';
import { countStatements } from './count.ts';
import { type LaneTask, runOnLanes } from './lanes.ts';
import { fillOrders } from './orders.ts';
import { fillRegionDays } from './region-days.ts';
import { openRows } from './rows.ts';
import { fillSearch } from './search.ts';

/** The share of its memory that the engine has here: the row file and the search index are made outside of it, beside sorts. */
const BESIDE_OTHERS = 0.55;

/** Fills what answers are read from, out of the finished units: tables, row file and search index, side by side on lanes. */
export async function fillAnswers(assembly: Assembly): Promise<void> {
  const { warehouse, lanes, slices, search, progress } = assembly;
  const ranges = sliceRanges(slices);
  const { byNumber, sorted } = projectionStatements();
  const units = await countOf(warehouse, 'units');
  const rows = openRows(assembly.rows, units, () => {});
  const rowsOf =
    (range: NumberRange): LaneTask =>
    (lane) =>
      rows.addSlice(lane, 'units', range);
  // Each list needs the one before it: the longest tasks of a list come first, so that no lane is left alone with one.
  const lists: LaneTask[][] = [
    [inOrder(byNumber), inOrder(await rollupStatements(assembly))],
    [(lane) => fillSearch({ warehouse: lane, search, slices }), ...ranges.map(rowsOf), ...sorted.map(statement)],
    [
      (lane) => fillOrders(lane, assembly.orders, units),
      (lane) => fillRegionDays(lane, assembly.regionDays),
      ...countStatements().map(statement),
    ],
  ];
  progress.stage('answers', lists.flat().length, 'tasks');
  await warehouse.run(`SET memory_limit = '${Math.floor(assembly.memoryMb * BESIDE_OTHERS)}MB'`);
  const counted =
    (task: LaneTask): LaneTask =>
    async (lane) => {
      await task(lane);
      progress.advance(1);
    };
  try {
    for (const tasks of lists) await runOnLanes(lanes, tasks.map(counted));
    await rows.finish(units);
    await warehouse.run(`SET memory_limit = '${assembly.memoryMb}MB'`);
  } catch (error) {
    await rows.abort();
    throw error;
  }
}

const statement =
  (text: string): LaneTask =>
  (lane) =>
    lane.run(text);

const inOrder =
  (texts: readonly string[]): LaneTask =>
  async (lane) => {
    for (const text of texts) await lane.run(text);
  };

async function countOf(warehouse: WarehouseConnection, table: string): Promise<number> {
  return Number(firstRow(await warehouse.rows<{ n: bigint }>(`SELECT count(*) AS n FROM ${table}`)).n);
}

/** The statements of the roll-ups: by slices of regions, as many as the units have, since groups need about as much memory. */
async function rollupStatements({ warehouse, slices }: Assembly): Promise<string[]> {
  const regions = await countOf(warehouse, 'regionen');
  const bySlice = Array.from({ length: slices }, (_, slice) =>
    warehouseSql('rollups.sql', {
      from: Math.floor((regions * slice) / slices) + 1,
      to: Math.floor((regions * (slice + 1)) / slices),
    }),
  );
  return [...bySlice, warehouseSql('overview.sql')];
}
