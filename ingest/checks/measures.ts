import type { WarehouseConnection } from '../duckdb/connection.ts';
import { warehouseSql } from '../duckdb/sql-files.ts';
import type { Measure } from '../run/build-report.ts';

/**
 * Takes the measures that the checks judge in addition to the counts of units.
 * @param before true when the previous version is attached, as `previous_version`
 */
export async function takeMeasures(
  engine: WarehouseConnection,
  { before, sequence }: { before: boolean; sequence: number },
): Promise<Measure[]> {
  const own = await rowsOf(engine, warehouseSql('measures.sql'));
  return before ? [...own, ...(await rowsOf(engine, warehouseSql('measures-before.sql', { sequence })))] : own;
}

async function rowsOf(engine: WarehouseConnection, sql: string): Promise<Measure[]> {
  const rows = await engine.rows<Pick<Measure, 'check' | 'what' | 'where'> & { n: bigint; of: bigint }>(sql);
  // DuckDB returns sums as bigint, too, although they are wider than 64 bits.
  return rows.map(({ n, of, ...rest }) => ({ ...rest, count: Number(n), of: Number(of) }));
}
