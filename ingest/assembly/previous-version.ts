import { FIRST_KEPT_COLUMN } from '../../sql/catalogue/unit-columns.ts';
import { contentHash } from '../../sql/warehouse/duckdb/columns.ts';
import { columnsOf, type WarehouseConnection } from '../duckdb/connection.ts';
import { literal, warehouseSql } from '../duckdb/sql-files.ts';
import type { Assembly } from './assembly.ts';
import { isHashedAlike, openLineage, PLACE_TABLES } from './lineage.ts';

/** The version before, whose history is carried over. */

/** Opens the version before, if there is one, and the histories of older exports. */
export async function openHistory(assembly: Assembly): Promise<void> {
  const { warehouse, destination, before, olderExports } = assembly;
  if (before === null) await warehouse.run(warehouseSql('no-history.sql'));
  else {
    await destination.attach(warehouse, before.id, 'previous_version');
    const present = await columnsOf(warehouse, 'previous_version', 'units');
    // A version of an earlier release has no signals or anomalies, so all of them count as new in this one.
    const betreiberSeit = present.has('betreiberSeit') ? 'betreiberSeit' : 'NULL::DATE';
    const signals = present.has('signals') ? 'signals' : '0';
    const auffaelligkeiten = present.has('auffaelligkeiten') ? 'auffaelligkeiten' : 'NULL::UBIGINT';
    const vorschlag = present.has('vorschlag') ? 'vorschlag' : 'NULL::VARCHAR';
    const gueltigSeit = present.has('gueltigSeit') ? 'coalesce(gueltigSeit, inhaltSeit)' : 'inhaltSeit';
    const hashes = await contentHashes(warehouse, present);
    const values = { ...hashes, gueltigSeit, betreiberSeit, signals, auffaelligkeiten, vorschlag };
    await warehouse.run(warehouseSql('history.sql', values));
  }
  const files = olderExports.map(literal).join(', ');
  await warehouse.run(
    warehouseSql(olderExports.length === 0 ? 'no-older-exports.sql' : 'older-exports.sql', { files }),
  );
  for (const table of PLACE_TABLES) await openPlaces(assembly, table);
  await openLineage(assembly);
}

/** Makes the rows of a table of places in earlier versions known: places keep their numbers. */
async function openPlaces({ warehouse, before }: Assembly, table: (typeof PLACE_TABLES)[number]): Promise<void> {
  const columnsBefore = async (name: string): Promise<string[]> =>
    before === null
      ? []
      : [...(await columnsOf(warehouse, 'previous_version', name))].filter((one) => one !== 'quelle');
  const [all, last] = [await columnsBefore(`${table}_verlauf`), await columnsBefore(table)];
  const rows =
    all.length > 0
      ? `SELECT ${all.join(', ')} FROM previous_version.${table}_verlauf`
      : `SELECT 0 AS seit, ${last.join(', ')} FROM previous_version.${table}`;
  const none = `SELECT * FROM ${table}_verlauf LIMIT 0`;
  await warehouse.run(warehouseSql('places-before.sql', { table, rows: all.length + last.length === 0 ? none : rows }));
}

/**
 * SQL for the content hash of a previous unit: the stored hash when it is comparable, otherwise computed again, as that of a present
 * unit is from the same columns. A column that was kept then without being served had no value for its readers.
 */
async function contentHashes(warehouse: WarehouseConnection, present: ReadonlySet<string>) {
  if (await isHashedAlike(warehouse)) return { previousHash: 'inhalt', registeredHash: 'NULL::UBIGINT' };
  const columns = [...present];
  const served = new Set(columns.slice(0, columns.indexOf(FIRST_KEPT_COLUMN)));
  return { previousHash: contentHash(served), registeredHash: contentHash(served, 'u.') };
}
