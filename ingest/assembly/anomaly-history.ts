import { CONSPICUOUS, CONSPICUOUS_ID } from '../../sql/catalogue/anomalies.ts';
import { BIT_SETS, bitTable } from '../../sql/query/bit-sets.ts';
import { columnsOf } from '../duckdb/connection.ts';
import { warehouseSql } from '../duckdb/sql-files.ts';
import type { Assembly } from './assembly.ts';

/** Keeps how often the rules of plausibility applied in this version and in those before it: a build knows no more than its own day. */

/** Two years; each day has a row for each rule. */
const DAYS_KEPT = 731;

/** Fills `auffaelligkeiten_verlauf` once `units` is complete. */
export async function fillAnomalyHistory({ warehouse, before, self: { exportDay } }: Assembly): Promise<void> {
  const known = before === null ? null : await columnsOf(warehouse, 'previous_version', 'auffaelligkeiten_verlauf');
  if (known !== null && known.size > 0) {
    await warehouse.run(warehouseSql('anomalies-before.sql', { exportDay, daysKept: DAYS_KEPT }));
  }
  const bits = bitTable([...(BIT_SETS.anomalies ?? []), { bit: CONSPICUOUS, id: CONSPICUOUS_ID }]);
  await warehouse.run(warehouseSql('anomalies-of-day.sql', { exportDay, bits }));
}
