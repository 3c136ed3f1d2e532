import type { ClickHouseClient } from '@clickhouse/client';
import { z } from 'zod';
import { UNIT_COLUMN_NAMES } from '../../sql/catalogue/unit-columns.ts';
import { rememberedColumn } from '../../sql/query/erased.ts';
import { isInRange } from '../../sql/register/mastr-number.ts';
import { queryRows } from '../../sql/warehouse/clickhouse/query-rows.ts';
import type { WarehouseConnection } from '../duckdb/connection.ts';
import { warehouseSql } from '../duckdb/sql-files.ts';
import type { LoadServer } from '../load/server.ts';
import type { TaskContext } from '../run/task-context.ts';
import { sliceRanges } from '../stage/slices.ts';
import { ONE_PART } from './blocks.ts';

/**
 * Rows that a version carries over from earlier ones: the last rows of units that have departed, and rows that were replaced. The build
 * has found out which (departed.sql, replaced.sql, withdrawn.sql), and the server copies them from database to database.
 */

interface CarriedTable {
  /** The columns that such a row has beside those of the unit, and the expressions over `uebernommen` that fill them. */
  readonly columns: Readonly<Record<string, string>>;
  /** Selects the rows to carry over, for the table `uebernommen`. */
  readonly select: string;
}

const CARRIED: Readonly<Record<string, CarriedTable>> = {
  units_departed: {
    columns: { abgangSeit: 'seit', abgangGrund: 'grund' },
    select: `'units_departed' AS ziel, quelle, nummer, abgangSeit AS seit, NULL::DATE AS am, abgangGrund AS grund FROM units_departed`,
  },
  units_ersetzt: {
    columns: { ersetztSeit: 'seit', ersetztAm: 'am', abgangGrund: 'grund' },
    select: `'units_ersetzt' AS ziel, quelle, nummer, ersetztSeit AS seit, ersetztAm AS am, coalesce(abgangGrund, '') AS grund FROM units_ersetzt`,
  },
};

/** The columns of rows of units that stay in the engine, for those that are carried over. */
export const CARRIED_COLUMNS = ['nummer', 'einheitTyp', 'quelle'];

/** The statements that create the tables of such rows in the engine. */
export const CARRIED_TABLES = `${warehouseSql('units-tables.sql', {
  unitColumns: '  nummer BIGINT, einheitTyp VARCHAR, betreiberName VARCHAR, quelle VARCHAR',
})};
DROP TABLE units`;

/** Selects the rows of the table `uebernommen`. */
export const carriedRows = (): string =>
  Object.values(CARRIED)
    .map(({ select }) => `SELECT ${select}`)
    .join(' UNION ALL ');

/** Copies the rows that the table `uebernommen` of the database names, by ranges of numbers, each as one block. */
export async function carryRows(
  engine: WarehouseConnection,
  server: LoadServer,
  client: ClickHouseClient,
  version: string,
  slices: number,
  task: TaskContext,
): Promise<void> {
  const sources = await engine.rows<{ ziel: string; quelle: string }>(
    `SELECT DISTINCT ziel, quelle FROM (${carriedRows()}) ORDER BY ALL`,
  );
  task.progress.stage('ClickHouse: rows of earlier versions', sources.length * slices, 'ranges');
  const erased = (await engine.rows<{ nummer: string }>('SELECT nummer FROM loeschungen')).map(({ nummer }) => nummer);
  for (const { ziel, quelle } of sources) {
    const shared = await server.retryPersistently(() => sharedColumns(client, quelle), task);
    for (const [slice, range] of sliceRanges(slices).entries()) {
      const query = copyStatement({ target: ziel, source: quelle, shared, erased }, (bits) => isInRange(bits, range));
      const insert_deduplication_token = `${version}/${ziel}/${quelle}/${slice}`;
      const clickhouse_settings = { ...ONE_PART, insert_deduplication_token };
      await server.retryPersistently(() => client.command({ query, clickhouse_settings }), task);
      task.progress.advance(1);
    }
  }
}

/** The macro `last_planned_on` of departed.sql. */
const lastPlannedOn = (dataset: string): string =>
  `if(earlier.geplantesInbetriebnahmedatum IS NULL, earlier.letzterPlantagVom,
    greatest(earlier.letzterPlantagVom, (SELECT toInt32(any(exportDay)) FROM ${dataset})))`;

interface CopiedRows {
  readonly target: string;
  /** Database and table. */
  readonly source: string;
  /** The columns of units that both have. */
  readonly shared: readonly string[];
  /** Numbers whose past is forgotten. */
  readonly erased: readonly string[];
}

/** The order is fixed, so that the server recognises a range when it is asked again. */
function copyStatement({ target, source, shared, erased }: CopiedRows, inRange: (bits: string) => string) {
  const own = Object.entries(CARRIED[target]?.columns ?? {});
  const [database, table] = source.split('.');
  const leaves = target === 'units_departed' && table === 'units';
  const valueFrom = (name: string): string =>
    leaves && name === 'letzterPlantagVom'
      ? lastPlannedOn(`${database}.dataset`)
      : rememberedColumn(name, erased, 'earlier.');
  const columns = [...own.map(([name]) => name), ...shared];
  const values = [...own.map(([, value]) => `uebernommen.${value}`), ...shared.map(valueFrom)];
  // Of a unit, several rows were replaced one after the other.
  const same = source.endsWith('.units_ersetzt') ? ' AND uebernommen.seit = earlier.ersetztSeit' : '';
  const from = `FROM uebernommen WHERE ziel = '${target}' AND quelle = '${source}' AND ${inRange('nummer')}`;
  // By the numbers alone the server finds what to read of the many other columns.
  return `INSERT INTO ${target} (${columns.join(', ')})
SELECT ${values.join(', ')}
FROM ${source} AS earlier
JOIN (SELECT DISTINCT nummer, seit, am, grund ${from}) AS uebernommen
  ON uebernommen.nummer = earlier.nummer${same}
WHERE ${inRange('earlier.nummer')} AND earlier.nummer IN (SELECT nummer ${from})
ORDER BY ALL`;
}

/** The columns of units that an earlier version has, too. The operator may have become a natural person since, so the name is not carried over. */
async function sharedColumns(client: ClickHouseClient, source: string): Promise<string[]> {
  const [database, table] = source.split('.');
  const rows = await queryRows(
    client,
    z.strictObject({ name: z.string() }),
    'SELECT name FROM system.columns WHERE database = {database:String} AND table = {table:String}',
    { database, table },
  );
  const present = new Set(rows.map(({ name }) => name));
  return UNIT_COLUMN_NAMES.filter((name) => name !== 'betreiberName' && present.has(name));
}
