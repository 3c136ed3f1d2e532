import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { duckdbValues } from '../../sql/warehouse/clickhouse/copied-tables.ts';
import { databaseOf } from '../../sql/warehouse/clickhouse/publications.ts';
import { queryRows } from '../../sql/warehouse/clickhouse/query-rows.ts';
import { hashBasis } from '../../sql/warehouse/duckdb/columns.ts';
import type { EarlierVersion } from '../destination/destination.ts';
import type { WarehouseConnection } from '../duckdb/connection.ts';
import { literal } from '../duckdb/sql-files.ts';
import { downloadParquet } from '../load/download.ts';
import type { LoadServer } from '../load/server.ts';
import type { TaskContext } from '../run/task-context.ts';

/**
 * A build reads little of the earlier versions on the server. Their wide rows stay where they are: it needs the few columns by which
 * it finds out what has changed, and the server copies the rows that are carried over (carried.ts).
 */

/** History of a unit, which the build goes on with. */
const HISTORY = [
  ...['ersteRegistrierung', 'ersterPlantag', 'ersterPlantagVom', 'letzterPlantag', 'letzterPlantagVom'],
  ...['betreiberMastrNummer', 'betreiberSeit'],
];

interface ReadTable {
  /** The columns that are read, as far as the version has them; null = all. */
  readonly columns: readonly string[] | null;
  readonly order: string;
}

const READ_TABLES: Readonly<Record<string, ReadTable>> = {
  units: {
    columns: [
      ...['nummer', 'inhalt', 'inhaltSeit', 'signals', 'auffaelligkeiten', 'vorschlag'],
      ...['einheitTyp', 'inbetriebnahmedatum', 'geplantesInbetriebnahmedatum', 'betreiberName'],
      ...HISTORY,
    ],
    order: 'nummer',
  },
  units_departed: {
    columns: ['nummer', 'inhaltSeit', 'abgangSeit', 'abgangGrund', 'einheitTyp', ...HISTORY],
    order: 'abgangSeit, nummer',
  },
  units_ersetzt: { columns: ['nummer', 'ersetztSeit', 'ersetztAm', 'einheitTyp'], order: 'ersetztSeit, nummer' },
  vorgaenger: { columns: null, order: 'sequence' },
  auffaelligkeiten_verlauf: { columns: null, order: 'tag, regel' },
  dataset: { columns: null, order: 'version' },
};

/** Names come as whether there is one: nothing else is asked of them. */
const REPLACED: Readonly<Record<string, string>> = {
  betreiberName: `if(betreiberName IS NULL, NULL, '') AS betreiberName`,
};

/** Attaches a version of the server to the engine under a name: a view for each table, over what is fetched into the task's folder. */
export async function attachEarlier(
  engine: WarehouseConnection,
  server: LoadServer,
  version: string,
  name: EarlierVersion,
  task: TaskContext,
): Promise<void> {
  const database = databaseOf(server.prefix, version);
  const present = await server.retryPersistently(() => columnsIn(server, database), task);
  const client = server.clientFor(database);
  const whole = await isHashedOtherwise(server, database, engine.engineVersion, task);
  await engine.run(`ATTACH ':memory:' AS ${name}`);
  await mkdir(task.folder, { recursive: true });
  try {
    for (const [table, { columns, order }] of Object.entries(READ_TABLES)) {
      const there = present.get(table);
      if (there === undefined) continue;
      const wanted =
        columns === null || (table === 'units' && whole) ? there : columns.filter((one) => there.includes(one));
      const file = join(task.folder, `${name}-${version}-${table}.parquet`);
      if (!existsSync(file)) {
        const select = wanted.map((column) => (whole ? undefined : REPLACED[column]) ?? column).join(', ');
        await server.retryPersistently(
          () => downloadParquet(client, `SELECT ${select} FROM ${table} ORDER BY ${order}`, file, task.signal),
          task,
        );
      }
      const values = duckdbValues(table.startsWith('units') ? wanted : []);
      await engine.run(
        `CREATE VIEW ${name}.${table} AS SELECT * ${values}, ${literal(`${database}.${table}`)} AS quelle FROM read_parquet(${literal(file)})`,
      );
    }
  } finally {
    await client.close();
  }
}

/** The columns of each table of a database, in order, without those that the server fills by itself. */
async function columnsIn({ client }: LoadServer, database: string): Promise<Map<string, string[]>> {
  const rows = await queryRows(
    client,
    z.strictObject({ table: z.string(), columns: z.array(z.string()) }),
    `SELECT table, arrayMap(one -> one.2, arraySort(groupArray((position, name)))) AS columns FROM system.columns
     WHERE database = {database:String} AND default_kind = '' GROUP BY table`,
    { database },
  );
  return new Map(rows.map(({ table, columns }) => [table, columns]));
}

/** Returns true when another release or engine has hashed the units, so that they are hashed again: from all of their values. */
async function isHashedOtherwise(
  server: LoadServer,
  database: string,
  engineVersion: string,
  task: TaskContext,
): Promise<boolean> {
  const rows = await server.retryPersistently(
    () =>
      queryRows(server.client, z.strictObject({ hashBasis: z.string() }), `SELECT hashBasis FROM ${database}.dataset`),
    task,
  );
  return rows[0]?.hashBasis !== hashBasis(engineVersion);
}
