import { labelsType } from '../../sql/catalogue/projections.ts';
import { COUNTED_UNITS } from '../../sql/query/groups.ts';
import { rowsByNumber, sortedRows } from '../../sql/warehouse/duckdb/projections.ts';
import { firstRow } from '../../sql/warehouse/first-row.ts';
import type { ReplacedUnits } from '../destination/destination.ts';
import type { WarehouseConnection } from '../duckdb/connection.ts';
import { macroStatements, warehouseSql } from '../duckdb/sql-files.ts';
import { countStatements, placeSets } from './count.ts';

/**
 * Counts by difference: what is added up over all units of a version is that of the version before, less what the former rows of some
 * units add up to, and more what their present rows do. Both are added up by the statements of every build, over these rows alone.
 * Sums are exact, since they are decimals.
 */

/** Tables of sums: their keys, and what is added up. A row whose count is 0 does not exist. */
const SUMS: Readonly<Record<string, { readonly keys: readonly string[]; readonly sums: readonly string[] }>> = {
  region_tage: { keys: ['serie', 'region', 'einheitTyp', 'statusId', 'tag'], sums: ['anzahl', 'kw', 'kwh'] },
  bundesland_tage: { keys: ['serie', 'bundesland', 'einheitTyp', 'statusId', 'tag'], sums: ['anzahl', 'kw', 'kwh'] },
  deutschland_tage: { keys: ['serie', 'einheitTyp', 'statusId', 'tag'], sums: ['anzahl', 'kw', 'kwh'] },
  deutschland_monate: { keys: ['serie', 'einheitTyp', 'statusId', 'tag'], sums: ['anzahl', 'kw', 'kwh'] },
  aggregationen: { keys: ['dimension', 'schluessel'], sums: ['anzahl', 'kw', 'mitLeistung', 'kwh'] },
  referenzwerte: { keys: ['filter', 'wert', 'suchtext', 'einheitTyp'], sums: ['anzahl'] },
};

/** The table of regions of which the days are not as they were, as `region`. */
export const CHANGED_REGIONS = 'changed_regions';

/** The statements of the roll-ups, one after the other. */
export function rollupStatements(): string {
  const series = `ENUM ('inbetriebnahme', 'planung', 'planung_mit_inbetriebnahme', 'stilllegung')`;
  const byRegion = warehouseSql('rollups-regions.sql', { series, carriers: labelsType('einheitTyp') });
  return `${byRegion};\n${warehouseSql('rollups-above.sql')}`;
}

/** Makes the tables of sums those of the present rows, in a database that has those of the version before and projections. */
export async function countByDifference(engine: WarehouseConnection, { rows, former }: ReplacedUnits): Promise<void> {
  await countSide(engine, { side: 'former', rows: former, places: 'previous_version' });
  await countSide(engine, { side: 'present', rows, places: await ownName(engine) });
  for (const [table, { keys, sums }] of Object.entries(SUMS)) {
    const same = keys.map((key) => `own.${key} IS NOT DISTINCT FROM difference.${key}`).join(' AND ');
    await engine.run(
      warehouseSql('night-sums.sql', {
        table,
        keys: keys.join(', '),
        sums: sums.join(', '),
        negated: sums.map((sum) => `-${sum} AS ${sum}`).join(', '),
        added: sums.map((sum) => `sum(${sum}) AS ${sum}`).join(', '),
        differs: sums.map((sum) => `sum(${sum}) <> 0`).join(' OR '),
        ownKeys: keys.map((key) => `difference.${key}`).join(', '),
        total: sums.map((sum) => `coalesce(own.${sum}, 0) + difference.${sum} AS ${sum}`).join(', '),
        same,
      }),
    );
    if (table === 'region_tage')
      await engine.run(`CREATE TABLE scratch.${CHANGED_REGIONS} AS SELECT region FROM difference`);
  }
  const places = placeSets();
  // The spelling of a place may be another one where only other places have changed.
  await engine.run(`DELETE FROM referenzwerte WHERE filter IN (${places.map(({ name }) => `'${name}'`).join(', ')})`);
  for (const { statement } of places) await engine.run(statement);
  for (const side of ['former', 'present']) await engine.run(`DETACH ${side}`);
}

interface Side {
  /** Name of the database in memory. */
  readonly side: string;
  /** A table with the columns of `units`. */
  readonly rows: string;
  /** The database with the places that these rows name. */
  readonly places: string;
}

async function countSide(engine: WarehouseConnection, { side, rows, places }: Side): Promise<void> {
  await engine.run(`ATTACH ':memory:' AS ${side}`);
  // Of whole rows there is no second copy in memory.
  await engine.run(`CREATE VIEW ${side}.units AS FROM scratch.${rows}`);
  await engine.run(`CREATE TABLE ${side}.units_by_number AS ${rowsByNumber(`${side}.units`)}`);
  await engine.run(`CREATE TABLE ${side}.${COUNTED_UNITS} AS ${sortedRows(COUNTED_UNITS, `${side}.units_by_number`)}`);
  for (const table of ['regionen', 'gebiete'])
    await engine.run(`CREATE TABLE ${side}.${table} AS FROM ${places}.${table}`);
  for (const table of Object.keys(SUMS)) await engine.run(`CREATE TABLE ${side}.${table} AS FROM ${table} LIMIT 0`);
  // Names mean the tables of this side first.
  const counting = await engine.another();
  try {
    await counting.run(`SET search_path = '${side},"${await ownName(engine)}",scratch'`);
    await counting.run(macroStatements());
    await counting.run(rollupStatements());
    for (const text of countStatements()) await counting.run(text);
  } finally {
    await counting.close();
  }
}

const ownName = async (engine: WarehouseConnection): Promise<string> =>
  firstRow(await engine.rows<{ name: string }>('SELECT current_database() AS name')).name;
