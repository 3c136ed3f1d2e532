import type { ClickHouseClient } from '@clickhouse/client';
import { z } from 'zod';
import { milliseconds } from '../../sql/query/duckdb.ts';
import { queryRows } from '../../sql/warehouse/clickhouse/query-rows.ts';
import { firstRow } from '../../sql/warehouse/first-row.ts';
import type { WarehouseConnection } from '../duckdb/connection.ts';
import { digestOf, type InEachEngine } from './digest.ts';
import { structListText } from './struct-lists.ts';

/**
 * Compares the rows of a table in both engines by figures: the number of rows, for each column the number of values and a sum
 * over them - of numbers and days themselves, of texts and lists their lengths -, and over all texts and lists a sum of their
 * hashes. One hash for each row costs a fraction of one for each value; the lengths tell the column in most cases.
 */

interface ColumnSum {
  /** Column types in DuckDB. */
  readonly types: RegExp;
  /** The summand of a value, a whole number or a decimal, in the dialect of each engine. */
  readonly duckdb: (column: string) => string;
  readonly clickhouse: (column: string) => string;
  /** Its content as a text in each engine, where the summand does not say it. */
  readonly content?: (column: string, type: string) => InEachEngine;
}

/**
 * Separates values, the items of a list, and the members of an item. They occur in no text of the register, which has no control
 * characters.
 */
const [VALUES, ITEMS, MEMBERS, NONE] = [31, 30, 29, 1];

const COLUMN_SUMS: readonly ColumnSum[] = [
  {
    types: /^(VARCHAR|BIGINT|INTEGER)\[\]$/,
    duckdb: (column) => `len(${column})`,
    clickhouse: (column) => `length(${column})`,
    content: (column) => ({
      duckdb: `coalesce(array_to_string(${column}::VARCHAR[], chr(${ITEMS})), '')`,
      clickhouse: `arrayStringConcat(arrayMap(item -> toString(item), ${column}), char(${ITEMS}))`,
    }),
  },
  {
    types: /^STRUCT\(.*\)\[\]$/,
    duckdb: (column) => `len(${column})`,
    clickhouse: (column) => `length(${column})`,
    content: (column, type) => {
      const { duckdb, clickhouse } = structListText(column, type, { items: ITEMS, members: MEMBERS, none: NONE });
      return { duckdb: `coalesce(${duckdb}, '')`, clickhouse };
    },
  },
  {
    types: /^(VARCHAR|ENUM.*)$/,
    duckdb: (column) => `strlen(${column}::VARCHAR)`,
    clickhouse: (column) => `length(${column})`,
    content: (column) => ({
      duckdb: `coalesce(${column}::VARCHAR, chr(${NONE}))`,
      clickhouse: `ifNull(toString(${column}), char(${NONE}))`,
    }),
  },
  { types: /^BOOLEAN$/, duckdb: (column) => `${column}::INTEGER`, clickhouse: (column) => `toInt128(${column})` },
  { types: /^(U?BIGINT|U?INTEGER)$/, duckdb: (column) => column, clickhouse: (column) => `toInt128(${column})` },
  { types: /^DECIMAL/, duckdb: (column) => column, clickhouse: (column) => `toDecimal128(${column}, 6)` },
  {
    types: /^DATE$/,
    duckdb: (column) => `(${column} - DATE '1970-01-01')`,
    clickhouse: (column) => `toInt128(toInt32(${column}))`,
  },
  { types: /^TIMESTAMP$/, duckdb: milliseconds, clickhouse: (column) => `toInt128(${column})` },
];

interface ComparedColumn {
  readonly name: string;
  /** In DuckDB. */
  readonly type: string;
  readonly summand: ColumnSum;
  /** False for a list: ClickHouse has an empty one instead of none. */
  readonly countable: boolean;
}

/** The figures of a table of the local file. */
export interface LocalSums {
  readonly columns: readonly ComparedColumn[];
  readonly figures: Figures;
}

/** Sums up a table of the local file. @param source table expression */
export async function localSums(engine: WarehouseConnection, source: string): Promise<LocalSums> {
  const described = await engine.rows<{ column_name: string; column_type: string }>(`DESCRIBE SELECT * FROM ${source}`);
  const columns = described.map(({ column_name: name, column_type: type }) => {
    const summand = COLUMN_SUMS.find(({ types }) => types.test(type));
    if (summand === undefined)
      throw new Error(`${source}: ${name} has the type ${type}, for which there is no comparison`);
    return { name, type, summand, countable: !type.endsWith('[]') };
  });
  const select = selectSums(columns, 'duckdb', 'VARCHAR');
  return { columns, figures: firstRow(await engine.rows<Figures>(`SELECT ${select} FROM ${source}`)) };
}

/** Compares the copy of a table with its original. @returns one sentence for each difference */
export async function differences(
  { columns, figures: local }: LocalSums,
  client: ClickHouseClient,
  table: string,
): Promise<string[]> {
  const select = selectSums(columns, 'clickhouse', 'String');
  const loaded = firstRow(await queryRows(client, figuresRow, `SELECT ${select} FROM ${table}`));
  const differing = Object.keys(local)
    .filter((figure) => plain(local[figure]) !== plain(loaded[figure]))
    .map((figure) => `${table}: ${figure} ${plain(local[figure])} in the file, ${plain(loaded[figure])} in ClickHouse`);
  // Missing rows change all other figures, too.
  return differing[0]?.startsWith(`${table}: rows`) ? differing.slice(0, 1) : differing;
}

/** @param text the engine's type of texts */
const selectSums = (columns: readonly ComparedColumn[], dialect: keyof InEachEngine, text: string): string =>
  [
    'count(*) AS "rows"',
    ...columns.flatMap(({ name, summand, countable }) => [
      ...(countable ? [`count(${name}) AS "values of ${name}"`] : []),
      `CAST(coalesce(sum(${summand[dialect](name)}), 0) AS ${text}) AS "sum of ${name}"`,
    ]),
    ...contentFigure(columns).map((figure) => `${figure[dialect]} AS "content of the texts"`),
  ].join(', ');

/** A table without texts and lists has none. */
function contentFigure(columns: readonly ComparedColumn[]): InEachEngine[] {
  const contents = columns.flatMap(({ name, type, summand }) => summand.content?.(name, type) ?? []);
  if (contents.length === 0) return [];
  const joined = (dialect: keyof InEachEngine) => contents.map((content) => content[dialect]).join(', ');
  const row = {
    duckdb: `concat_ws(chr(${VALUES}), ${joined('duckdb')})`,
    clickhouse: `concatWithSeparator(char(${VALUES}), ${joined('clickhouse')})`,
  };
  return [digestOf(row)];
}

const figuresRow = z.record(z.string(), z.unknown());

type Figures = z.output<typeof figuresRow>;

/** A number without trailing zeros in its decimals, which only one of the engines writes. */
const plain = (figure: unknown): string =>
  String(figure)
    .replace(/(\.\d*?)0+$/, '$1')
    .replace(/\.$/, '');
