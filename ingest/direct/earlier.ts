import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { PROJECTION_COLUMNS } from '../../sql/catalogue/projections.ts';
import { duckdbSupportValues, duckdbValues } from '../../sql/warehouse/clickhouse/copied-tables.ts';
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

const OF_UNITS = [
  ...['nummer', 'inhalt', 'inhaltSeit', 'gueltigSeit', 'signals', 'auffaelligkeiten', 'vorschlag'],
  ...['einheitTyp', 'inbetriebnahmedatum', 'geplantesInbetriebnahmedatum', 'betreiberName'],
  ...HISTORY,
];

const READ_TABLES: Readonly<Record<string, ReadTable>> = {
  units: { columns: OF_UNITS, order: 'nummer' },
  units_departed: {
    columns: ['nummer', 'inhaltSeit', 'abgangSeit', 'abgangGrund', 'einheitTyp', ...HISTORY],
    order: 'abgangSeit, nummer',
  },
  units_ersetzt: {
    columns: ['nummer', 'ersetztSeit', 'ersetztAm', 'abgangGrund', 'einheitTyp', 'betreiberMastrNummer'],
    order: 'ersetztSeit, nummer',
  },
  vorgaenger: { columns: null, order: 'sequence' },
  auffaelligkeiten_verlauf: { columns: null, order: 'tag, regel' },
  staende: { columns: null, order: 'sequence' },
  marktakteure: { columns: ['mastrNummer', 'name', 'marktfunktion', 'bundesland', 'ort'], order: 'mastrNummer' },
  akteurnamen: { columns: null, order: 'mastrNummer, bis' },
  loeschungen: { columns: null, order: 'nummer' },
  regionen: { columns: null, order: 'region' },
  gebiete: { columns: null, order: 'ebene, gebiet' },
  regionen_verlauf: { columns: null, order: 'region, seit' },
  gebiete_verlauf: { columns: null, order: 'ebene, gebiet, seit' },
  dataset: { columns: null, order: 'version' },
};

/**
 * A night reads more: what it compares records with, the ties of units, and all that is counted or searched over units that have not
 * changed.
 */
const READ_BY_NIGHTS: typeof READ_TABLES = {
  ...READ_TABLES,
  units: {
    columns: [
      ...new Set([
        ...OF_UNITS,
        ...PROJECTION_COLUMNS.keys(),
        ...['lokationMastrNummer', 'speicherMastrNummer', 'netzanschlusspunktMastrNummer', 'netzbetreiberMastrNummer'],
        ...[
          'fernsteuerbarNetzbetreiber',
          'fernsteuerbarDirektvermarkter',
          'betreiberwechselDatum',
          'netzbetreiberpruefungId',
        ],
        ...['name', 'ort', 'longitude', 'gemeindeschluessel', 'region', 'kraftwerksnummer'],
      ]),
    ],
    order: 'nummer',
  },
  foerderung: {
    columns: ['eeg', 'einheitTyp', 'inbetriebnahme', 'phasenwechsel', 'foerderende', 'zuschlaege'],
    order: 'eeg',
  },
  saetze: { columns: null, order: 'tabelle, nummer' },
  grundlagen: { columns: null, order: 'name' },
  verweise_ins_leere: { columns: null, order: 'art, verweis, einheit' },
  zuschlag_einheiten: { columns: null, order: 'einheit' },
};

/** Names come as whether there is one: nothing else is asked of them by a build from nothing. */
const REPLACED: Readonly<Record<'build' | 'night' | 'whole', Readonly<Record<string, string>>>> = {
  build: { betreiberName: `if(betreiberName IS NULL, NULL, '') AS betreiberName` },
  // Of the awards of a plant, how many there are.
  night: { zuschlaege: `arrayWithConstant(JSONLength(ifNull(zuschlaege, '[]')), 1) AS zuschlaege` },
  whole: {},
};

/**
 * Attaches a version of the server to the engine under a name: a view for each table, over what is fetched into the task's folder.
 * @param reader who reads it
 */
export async function attachEarlier(
  engine: WarehouseConnection,
  server: LoadServer,
  version: string,
  name: EarlierVersion,
  task: TaskContext,
  reader: 'build' | 'night' = 'build',
): Promise<void> {
  const database = databaseOf(server.prefix, version);
  const present = await server.retryPersistently(() => columnsIn(server, database), task);
  const client = server.clientFor(database);
  const isNight = reader === 'night';
  // A night does not go on from such a version, and hashes nothing again.
  const whole = !isNight && (await isHashedOtherwise(server, database, engine.engineVersion, task));
  await engine.run(`ATTACH ':memory:' AS ${name}`);
  await mkdir(task.folder, { recursive: true });
  try {
    for (const [table, { columns, order }] of Object.entries(isNight ? READ_BY_NIGHTS : READ_TABLES)) {
      const there = present.get(table);
      if (there === undefined) continue;
      const wanted =
        columns === null || (table === 'units' && whole) ? there : columns.filter((one) => there.includes(one));
      const file = join(task.folder, `${reader}-${name}-${version}-${table}.parquet`);
      if (!existsSync(file)) {
        const replaced = REPLACED[whole ? 'whole' : reader];
        const select = wanted.map((column) => replaced[column] ?? column).join(', ');
        await server.retryPersistently(
          () => downloadParquet(client, `SELECT ${select} FROM ${table} ORDER BY ${order}`, file, task.signal),
          task,
        );
      }
      const ofUnits = table.startsWith('units');
      const values =
        table === 'foerderung'
          ? duckdbSupportValues(['inbetriebnahme', 'phasenwechsel', 'foerderende'])
          : duckdbValues(ofUnits ? wanted : []);
      const source = ofUnits ? `, ${literal(`${database}.${table}`)} AS quelle` : '';
      await engine.run(
        `CREATE VIEW ${name}.${table} AS SELECT * ${values}${source} FROM read_parquet(${literal(file)})`,
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
