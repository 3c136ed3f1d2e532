import { statement } from '../../sql/warehouse/duckdb/sql-file.ts';
import type { Measure } from '../run/build-report.ts';
import type { BuildingWarehouse } from './warehouse.ts';

/** The checks of a version look at these measures beside its counts of units (sql/warehouse/duckdb/measures.sql). */

/** @param before whether there is a version before, attached as `vorige` */
export async function measure(
  engine: BuildingWarehouse,
  { before, sequence }: { before: boolean; sequence: number },
): Promise<Measure[]> {
  const own = await rowsOf(engine, statement('measures.sql'));
  return before ? [...own, ...(await rowsOf(engine, statement('measures-before.sql', { sequence })))] : own;
}

async function rowsOf(engine: BuildingWarehouse, sql: string): Promise<Measure[]> {
  const rows = await engine.rows<Pick<Measure, 'check' | 'what' | 'where'> & { n: bigint; of: bigint }>(sql);
  // A sum is wider than 64 bits, and comes as a bigint all the same.
  return rows.map(({ n, of, ...rest }) => ({ ...rest, count: Number(n), of: Number(of) }));
}
