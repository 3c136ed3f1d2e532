import { z } from 'zod';
import { queryRows } from '../../sql/warehouse/clickhouse/query-rows.ts';
import { ROLLUPS } from '../../sql/warehouse/clickhouse/recount.ts';
import type { Difference } from '../destination/destination.ts';
import type { LoadServer } from '../load/server.ts';
import type { TaskContext } from '../run/task-context.ts';

/**
 * Compares two databases of one version on the server, row by row in every table, as files are compared (assembly/compare.ts): by what
 * the numbers of places stand for, since only a night keeps those of the version before.
 */

/** When a version was built says nothing about it, and rows of earlier ones have the numbers that places had in these. */
const NOT_COMPARED: ReadonlySet<string> = new Set([
  ...['gebiete.gebiet', 'regionen.region'],
  ...['units_departed', 'units_ersetzt'].flatMap((table) =>
    ['region', 'landkreisgebiet', 'gemeindegebiet'].map((column) => `${table}.${column}`),
  ),
]);

/** The row of `dataset` is inserted when all is complete. */
const TABLES_NOT_COMPARED = ['dataset', 'uebernommen', 'betroffen'];

const SUMMED: ReadonlySet<string> = new Set(['anzahl', 'kw', 'mitLeistung', 'kwh']);

interface Task {
  readonly server: LoadServer;
  readonly task: TaskContext;
}

/** @returns the tables that have other rows, with how many rows of each the other does not have */
export async function databaseDifferences(
  { server, task }: Task,
  ...databases: readonly [one: string, other: string]
): Promise<Difference[]> {
  const ask = <Row>(shape: z.ZodType<Row>, query: string) =>
    server.retryPersistently(() => queryRows(server.client, shape, query), task);
  const [one, other] = databases;
  const tables = await ask(
    z.strictObject({ table: z.string(), columns: z.array(z.string()) }),
    `SELECT table, arrayMap(one -> one.2, arraySort(groupArray((position, name)))) AS columns FROM system.columns
     WHERE database = '${one}' AND default_kind = ''
       AND table IN (SELECT name FROM system.tables WHERE database = '${one}' AND engine LIKE '%MergeTree')
     GROUP BY table ORDER BY table`,
  );
  const differences: Difference[] = [];
  for (const { table, columns } of tables.filter((known) => !TABLES_NOT_COMPARED.includes(known.table))) {
    const [ofOne, ofOther] = [one, other].map((database) => hashesOf(database, table, columns));
    const sums = [ofOne, ofOther].map((rows) => `(SELECT (count(), sum(hash)) FROM (${rows}))`);
    const [compared] = await ask(z.strictObject({ same: z.coerce.number() }), `SELECT ${sums.join(' = ')} AS same`);
    if (compared?.same === 1) continue;
    const [rows] = await ask(
      z.strictObject({ one: z.coerce.number(), other: z.coerce.number() }),
      `SELECT sumIf(more, more > 0) AS one, -sumIf(more, more < 0) AS other FROM (
         SELECT sum(side) AS more FROM (SELECT hash, 1 AS side FROM (${ofOne}) UNION ALL SELECT hash, -1 AS side FROM (${ofOther}))
         GROUP BY hash
       )`,
    );
    differences.push({ table, rows: [rows?.one ?? 0, rows?.other ?? 0] });
  }
  return differences;
}

/** Selects a hash of each row of a table, in a form that both databases have in common. */
function hashesOf(database: string, table: string, all: readonly string[]): string {
  const joins: string[] = [];
  const placeOf = (level: string, number: string): string => {
    joins.push(
      `LEFT ANY JOIN (SELECT toString(assumeNotNull(gebiet)) AS number, wert FROM ${database}.gebiete WHERE ebene = '${level}') AS ${level}
       ON ${level}.number = ifNull(toString(${number}), '')`,
    );
    return `${level}.wert`;
  };
  const comparedOf = (name: string): string => {
    if (name === 'landkreisgebiet') return placeOf('landkreis', 'own.landkreisgebiet');
    if (name === 'gemeindegebiet') return placeOf('gemeinde', 'own.gemeindegebiet');
    if (name === 'region') {
      const place = ['bundesland', 'landkreis', 'gemeinde', 'gemeindeschluessel', 'plz'].map(
        (level) => `ifNull(${level}, '~')`,
      );
      joins.push(
        `LEFT ANY JOIN (SELECT region AS number, concat(${place.join(`, '|', `)}) AS place FROM ${database}.regionen) AS combination
         ON combination.number = ifNull(own.region, 0)`,
      );
      return 'combination.place';
    }
    if (name === 'schluessel' && table === 'aggregationen') {
      const [district, municipality] = [placeOf('landkreis', 'own.schluessel'), placeOf('gemeinde', 'own.schluessel')];
      return `multiIf(own.dimension = 'landkreis', ${district}, own.dimension = 'gemeinde', ${municipality}, own.schluessel)`;
    }
    // A text comes several times, each time with other units, in any order.
    return name === 'einheiten' ? 'arrayJoin(own.einheiten)' : `own.${name}`;
  };
  const columns = all.filter((name) => !NOT_COMPARED.has(`${table}.${name}`));
  const isRollup = ROLLUPS.includes(table);
  const keys = columns.filter((name) => !(isRollup && SUMMED.has(name))).map(comparedOf);
  const sums = isRollup ? columns.filter((name) => SUMMED.has(name)).map((name) => `sum(own.${name})`) : [];
  return `SELECT cityHash64(formatRowNoNewline('TabSeparated', ${[...keys, ...sums].join(', ')})) AS hash
    FROM ${database}.${table} AS own ${joins.join(' ')} ${isRollup ? `GROUP BY ${keys.join(', ')}` : ''}`;
}
