import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UNIT_FIELDS, UNIT_FILTERS } from '../../sql/catalogue/unit-fields.ts';
import { acrossShards, clickhouse, clickhouseProjections } from '../../sql/query/clickhouse.ts';
import { type WarehouseStatement, withQueryParams } from '../../sql/query/statement.ts';
import { type CountedPageRequest, pageParts, pageStatement } from '../../sql/query/units.ts';
import { unitNumberOf } from '../../sql/register/mastr-number.ts';
import { type ClientOptions, openClient } from '../../sql/warehouse/clickhouse/client.ts';
import { schemaStatements } from '../../sql/warehouse/clickhouse/schema.ts';
import { CLUSTER, type ClickHouseServer, startShards } from '../support/clickhouse-server.ts';
import { timesOfProcess } from './support/processes.ts';
import { note } from './support/register.ts';
import { type Column, tableLines } from './support/table.ts';

/**
 * Measures how pages and counts grow with the number of units, on one server and on two shards. The rows are made up, as only
 * their number matters: one sorted table has a carrier, a state and a capacity of each.
 */

interface Options {
  readonly millions: readonly number[];
  readonly repetitions: number;
}

interface Row {
  readonly millions: number;
  readonly servers: string;
  readonly question: string;
  readonly rows: number;
  readonly elapsedMs: number;
  readonly cpuMs: number;
}

const TABLE = 'units_by_capacity';

const fieldNamed = (name: string) => UNIT_FIELDS.find((field) => field.name === name)!;

/** @param after a capacity, as the cursor of a page in the middle has it */
const page = (total: number, after: number | null): CountedPageRequest => ({
  conditions: [{ ...UNIT_FILTERS.get('einheitTyp')!, value: ['storage'] }],
  sort: [
    { field: fieldNamed('bruttoleistungKw'), direction: 'desc' },
    { field: fieldNamed('mastrNummer'), direction: 'asc' },
  ],
  after: after === null ? null : [after, unitNumberOf(900_000_200_000)],
  delivered: after === null ? 0 : 100_000,
  limit: 100,
  total,
  today: '2026-11-23',
});

/** The questions over a table of that many units, spread over shards or not. */
function questions(total: number, isSpread: boolean): Record<string, WarehouseStatement> {
  const plain = { units: clickhouse, projections: clickhouseProjections };
  const dialect = (isSpread ? acrossShards(plain) : plain).projections;
  const pageOf = (after: number | null) => pageStatement(pageParts(page(total, after), dialect)[0]!, dialect);
  return {
    'first page of 100, filtered': pageOf(null),
    'page in the middle, filtered': pageOf(500),
    'count with two filters': {
      text: `SELECT count() AS anzahl, sum(bruttoleistungKw) AS kw FROM ${TABLE} WHERE einheitTyp = 'storage' AND bundesland = 'B3'`,
      values: {},
    },
  };
}

export async function benchSizes({ millions, repetitions }: Options): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-sizes-'));
  const servers = await startShards(folder, 2);
  const rows: Row[] = [];
  try {
    for (const size of millions) {
      for (const shards of [servers.slice(0, 1), servers]) {
        note(`${size} million units on ${shards.length === 1 ? 'one server' : 'two shards'}`);
        const database = `energy_${size}_${shards.length}`;
        await fill(shards, database, size * 1_000_000);
        rows.push(...(await measured(shards, database, size, repetitions)));
        for (const { run } of shards) await run(`DROP DATABASE ${database} SYNC`);
      }
    }
  } finally {
    for (const server of servers) await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  process.stdout.write(`${tableLines('markdown', COLUMNS, rows).join('\n')}\n`);
}

const COLUMNS: readonly Column<Row>[] = [
  { head: 'million units', align: 'right', cell: ({ millions }) => String(millions) },
  { head: 'on', align: 'left', cell: ({ servers }) => servers },
  { head: 'question', align: 'left', cell: ({ question }) => question },
  { head: 'rows read', align: 'right', cell: ({ rows }) => rows.toLocaleString('en') },
  { head: 'ms', align: 'right', cell: ({ elapsedMs }) => elapsedMs.toFixed(1) },
  { head: 'CPU-ms of all servers', align: 'right', cell: ({ cpuMs }) => cpuMs.toFixed(1) },
];

/** Makes the table, as a version has it, with its share of the units on each shard. */
async function fill(shards: readonly ClickHouseServer[], database: string, units: number): Promise<void> {
  const isSpread = shards.length > 1;
  const [create] = schemaStatements({ cluster: null, shards: 1 }).filter((text) => text.includes(`TABLE ${TABLE} `));
  const name = isSpread ? `${TABLE}_shard` : TABLE;
  const share = units / shards.length;
  for (const [index, { run }] of shards.entries()) {
    await run(`CREATE DATABASE ${database}`);
    await run(create!.replace(`TABLE ${TABLE} `, `TABLE ${database}.${name} `));
    await run(`INSERT INTO ${database}.${name} (mastrNummer, einheitTyp, bundesland, bruttoleistungKw)
      SELECT ${unitBits} + number * ${shards.length} + ${index}, ['solar', 'storage', 'wind'][number % 3 + 1], concat('B', toString(cityHash64(number) % 16)),
        if(number % 50 = 7, NULL, CAST(number * 7919 % 1000000 / 1000 AS Decimal(18, 3)))
      FROM numbers(${share})`);
    await run(`OPTIMIZE TABLE ${database}.${name} FINAL`);
    if (!isSpread) continue;
    await run(`CREATE TABLE ${database}.${TABLE} AS ${database}.${name}
      ENGINE = Distributed('${CLUSTER}', '${database}', '${name}', rand())`);
  }
}

/** The first number, as 64 bits. */
const unitBits = '13498504742578176';

async function measured(
  shards: readonly ClickHouseServer[],
  database: string,
  millions: number,
  repetitions: number,
): Promise<Row[]> {
  const [first] = shards;
  const options: ClientOptions = { silenceSeconds: 60, connections: 1, database };
  const address = { url: `http://127.0.0.1:${first!.port}`, username: 'default', password: '', prefix: database };
  const client = openClient(address, options);
  const rows: Row[] = [];
  for (const [question, statement] of Object.entries(questions(millions * 1_000_000, shards.length > 1))) {
    const ask = async () => {
      const result = await client.query({
        ...withQueryParams(statement),
        format: 'JSON',
        clickhouse_settings: {
          ...{ wait_end_of_query: 1, prefer_column_name_to_alias: 1, distributed_product_mode: 'global' },
          ...(statement.readsInOrder === true ? { max_threads: 1 } : {}),
        },
      });
      return (await result.json()).statistics!.rows_read;
    };
    await ask();
    const cpu = () => shards.reduce((sum, { pid }) => sum + timesOfProcess(pid)!.ownSeconds, 0) * 1000;
    const [begun, spent] = [performance.now(), cpu()];
    let read = 0;
    for (let count = 0; count < repetitions; count++) read = await ask();
    rows.push({
      ...{ millions, question, servers: shards.length === 1 ? 'one server' : 'two shards', rows: read },
      elapsedMs: (performance.now() - begun) / repetitions,
      cpuMs: (cpu() - spent) / repetitions,
    });
  }
  await client.close();
  return rows;
}
