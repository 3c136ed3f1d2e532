import { mastrBits, unitNumberOf } from '../../sql/register/mastr-number.ts';
import { columnsOf, type WarehouseConnection } from '../duckdb/connection.ts';
import { warehouseSql } from '../duckdb/sql-files.ts';
import { isHashedAlike } from './lineage.ts';
import type { DifferingRow } from './row-pieces.ts';

/**
 * Fills `units_verlauf` once all tables of units are complete: which rows units had, and in which columns those that were replaced
 * differ from those that followed them (sql/query/history.ts).
 * @param differing null where this build has compared no rows
 */
export async function fillCourse(
  engine: WarehouseConnection,
  sequence: number,
  differing: readonly DifferingRow[] | null,
): Promise<void> {
  await engine.run('CREATE TABLE scratch.differing_rows (nummer BIGINT, spalten VARCHAR)');
  const rows = differing?.map(([digits, columns]) => [mastrBits(unitNumberOf(digits)), columns] as const) ?? [];
  await engine.append('scratch.differing_rows', rows);
  const known = (await saysDifferences(engine)) ? 'previous_version.units_verlauf' : 'units_verlauf';
  const isCompared = String(differing !== null);
  await engine.run(warehouseSql('units-course.sql', { sequence, known, isCompared }));
}

/** Returns true where what earlier builds said holds: the release knew the same fields. */
const saysDifferences = async (engine: WarehouseConnection): Promise<boolean> =>
  (await columnsOf(engine, 'previous_version', 'units_verlauf')).size > 0 && isHashedAlike(engine);
