import { copyFileSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ClickHouseClient } from '@clickhouse/client';
import { DuckDBInstance } from '@duckdb/node-api';
import { mastrBits } from '../../../sql/register/mastr-number.ts';
import { databaseOf } from '../../../sql/warehouse/clickhouse/publications.ts';
import { versionFile, versionFolder } from '../../../sql/warehouse/versions.ts';
import type { MeasuredVersion } from '../queries/version.ts';

/**
 * Two versions before and after a night, made of one that was built: its units are repeated under other numbers until there
 * are enough, and some of them are new or have another signal. They have the tables that evaluations read, no others.
 */

export const EARLIER = '20261102-0002';
export const LATER = '20261103-0003';

export interface Night {
  /** The number of copies of each unit. */
  readonly times: number;
  /** One unit in so many differs: half of those are new, the others have gained or lost a signal. */
  readonly oneIn: number;
}

/** The signal that changes, as a mask. */
const SIGNAL = 1;

const FIRST_UNIT = String(mastrBits('SEE900000000000'));
/** The range in which the numbers of generated registers lie. */
const NUMBERS = 100_000_000_000;

/** The number, as 64 bits, of the copy `i` of a unit. */
const copyOf = (bits: string, times: number): string =>
  `${FIRST_UNIT} + (${bits} - ${FIRST_UNIT} + i * ${Math.floor(NUMBERS / times)}) % ${NUMBERS}`;

const isNew = ({ oneIn }: Night): string => `mastrNummer % ${2 * oneIn} = 0`;
const hasOtherSignals = (night: Night): string => `mastrNummer % ${night.oneIn} = 0 AND NOT (${isNew(night)})`;

/**
 * A text that at most as many units have, like a name that somebody has chosen, is another one in every copy; one that more
 * have, like the name of a town, is the same.
 */
const RARE = 20;

const lineage = `('${EARLIER}', 2, 2), ('${LATER}', 3, 3)`;

/** @returns the warehouse folder, in which nothing is published */
export async function nightInFolder({ file }: MeasuredVersion, night: Night, folder: string): Promise<string> {
  if (existsSync(versionFolder(folder, LATER)) && existsSync(versionFolder(folder, EARLIER))) return folder;
  rmSync(folder, { recursive: true, force: true });
  const draft = join(folder, 'draft.duckdb');
  mkdirSync(folder, { recursive: true });
  copyFileSync(file, draft);
  const { times, oneIn } = night;
  await onFile(draft, [
    `CREATE TABLE every AS SELECT * REPLACE (${copyOf('mastrNummer', times)} AS mastrNummer)
     FROM units_by_number, range(${times}) AS copies(i)`,
    ...madeAnew(
      'units_by_number',
      `SELECT * REPLACE (CASE WHEN mastrNummer % ${oneIn} = 0 THEN 3 ELSE 2 END AS inhaltSeit)
     FROM every ORDER BY mastrNummer`,
    ),
    'DROP TABLE every',
    ...madeAnew(
      'suchtexte',
      `FROM (SELECT gefaltet, flatten(list_transform(range(${times}),
         lambda i: list_transform(einheiten, lambda one: ${copyOf('one', times)}))) AS einheiten
       FROM suchtexte WHERE len(einheiten) > ${RARE}
       UNION ALL
       SELECT gefaltet || ' ' || i, list_transform(einheiten, lambda one: ${copyOf('one', times)})
       FROM suchtexte, range(${times}) AS copies(i) WHERE len(einheiten) <= ${RARE})
       ORDER BY hash(gefaltet)`,
    ),
    `INSERT INTO vorgaenger VALUES ${lineage}`,
    'UPDATE dataset SET ersetztAb = 1, sequence = 3',
  ]);
  mkdirSync(versionFolder(folder, LATER), { recursive: true });
  mkdirSync(versionFolder(folder, EARLIER), { recursive: true });
  copyFileSync(draft, versionFile(folder, EARLIER));
  await onFile(
    versionFile(folder, EARLIER),
    madeAnew(
      'units_by_number',
      `SELECT * REPLACE (CASE WHEN ${hasOtherSignals(night)} THEN xor(signals, ${SIGNAL})
       ELSE signals END AS signals) FROM units_by_number WHERE NOT (${isNew(night)}) ORDER BY mastrNummer`,
    ),
  );
  copyFileSync(draft, versionFile(folder, LATER));
  rmSync(draft);
  return folder;
}

/** Writes a table anew, as builds do: the engine keeps more in memory of one in which rows were changed or deleted. */
const madeAnew = (table: string, rows: string): string[] => [
  `CREATE TABLE anew AS ${rows}`,
  `DROP TABLE ${table}`,
  `ALTER TABLE anew RENAME TO ${table}`,
];

async function onFile(path: string, statements: readonly string[]): Promise<void> {
  const instance = await DuckDBInstance.create(path, { memory_limit: '3GB', preserve_insertion_order: 'true' });
  const connection = await instance.connect();
  try {
    for (const statement of statements) await connection.run(statement);
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

/** Tables that are copied as they are; `zeilen` stays empty, as units are not read. */
const COPIED = ['gebiete', 'regionen', 'units', 'vorgaenger', 'dataset'];

/** Makes the two versions in databases of a ClickHouse that has the built one. */
export async function nightInClickHouse(
  client: ClickHouseClient,
  prefix: string,
  { id }: MeasuredVersion,
  night: Night,
): Promise<void> {
  const built = databaseOf(prefix, id);
  const { times, oneIn } = night;
  const run = async (query: string): Promise<void> => {
    // The bridge to chdb would wait for rows after a statement that begins with INSERT.
    await client.command({ query: `/* a night */ ${query}` });
  };
  for (const version of [EARLIER, LATER]) {
    const database = databaseOf(prefix, version);
    await run(`DROP DATABASE IF EXISTS ${database}`);
    await run(`CREATE DATABASE ${database}`);
    for (const table of [...COPIED, 'units_by_number', 'suchtexte', 'zeilen']) {
      await run(`CREATE TABLE ${database}.${table} AS ${built}.${table}`);
    }
    for (const table of COPIED) await run(`INSERT INTO ${database}.${table} SELECT * FROM ${built}.${table}`);
    await run(`INSERT INTO ${database}.vorgaenger VALUES ${lineage}`);
    const isEarlier = version === EARLIER;
    const signals = isEarlier
      ? `if(${hasOtherSignals(night)}, toUInt32(bitXor(signals, ${SIGNAL})), signals) AS signals`
      : 'signals AS signals';
    await run(`INSERT INTO ${database}.units_by_number
      SELECT * REPLACE (${signals}, toInt32(if(mastrNummer % ${oneIn} = 0, ${isEarlier ? 2 : 3}, 2)) AS inhaltSeit) FROM (
        SELECT * EXCEPT (i) REPLACE (toInt64(${copyOf('mastrNummer', times)}) AS mastrNummer)
        FROM ${built}.units_by_number CROSS JOIN (SELECT toInt64(number) AS i FROM numbers(${times})) AS copies)
      WHERE ${isEarlier ? `NOT (${isNew(night)})` : 'true'}`);
    await run(`INSERT INTO ${database}.suchtexte
      SELECT gefaltet, arrayFlatten(arrayMap(i -> arrayMap(one -> toInt64(${copyOf('one', times)}), einheiten),
        range(${times}))) FROM ${built}.suchtexte WHERE length(einheiten) > ${RARE}`);
    await run(`INSERT INTO ${database}.suchtexte
      SELECT concat(gefaltet, ' ', toString(i)), arrayMap(one -> toInt64(${copyOf('one', times)}), einheiten)
      FROM ${built}.suchtexte CROSS JOIN (SELECT toInt64(number) AS i FROM numbers(${times})) AS copies
      WHERE length(einheiten) <= ${RARE}`);
  }
}
