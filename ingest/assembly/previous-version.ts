import { FIRST_KEPT_COLUMN } from '../../sql/catalogue/unit-columns.ts';
import { contentHash, hashBasis } from '../../sql/warehouse/duckdb/columns.ts';
import { columnsOf, type WarehouseConnection } from '../duckdb/connection.ts';
import { literal, warehouseSql } from '../duckdb/sql-files.ts';
import type { Assembly } from './assembly.ts';
import { openLineage } from './lineage.ts';

/** The version before, whose history is carried over. */

/** Opens the version before, if there is one, and the histories of older exports. */
export async function openHistory(assembly: Assembly): Promise<void> {
  const { warehouse, destination, before, olderExports, among = 'true' } = assembly;
  if (before === null) await warehouse.run(warehouseSql('no-history.sql'));
  else {
    await destination.attach(warehouse, before.id, 'previous_version');
    const present = await columnsOf(warehouse, 'previous_version', 'units');
    // A version of an earlier release has no signals or anomalies, so all of them count as new in this one.
    const betreiberSeit = present.has('betreiberSeit') ? 'betreiberSeit' : 'NULL::DATE';
    const signals = present.has('signals') ? 'signals' : '0';
    const auffaelligkeiten = present.has('auffaelligkeiten') ? 'auffaelligkeiten' : 'NULL::UBIGINT';
    const vorschlag = present.has('vorschlag') ? 'vorschlag' : 'NULL::VARCHAR';
    const previousHash = await previousContentHash(warehouse, present);
    const values = { previousHash, betreiberSeit, signals, auffaelligkeiten, vorschlag, among };
    await warehouse.run(warehouseSql('history.sql', values));
  }
  const files = olderExports.map(literal).join(', ');
  await warehouse.run(
    warehouseSql(olderExports.length === 0 ? 'no-older-exports.sql' : 'older-exports.sql', { files }),
  );
  await openLineage(assembly);
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
