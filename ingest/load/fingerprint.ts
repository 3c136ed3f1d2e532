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
 * over them - of numbers and days themselves, of lists their lengths -, and over all texts and lists a sum of the hashes of rows.
 * One hash for each row costs a fraction of one for each value: columns have their own only when that sum differs, to name them.
 */

interface ComparedType {
  /** Column types in DuckDB. */
  readonly types: RegExp;
  /** The whole number or decimal that is summed up; texts have none. */
  readonly summand?: (column: string) => InEachEngine;
  /** The content as a text, where the sum does not tell it; NULL has none. */
  readonly content?: (column: string, type: string) => InEachEngine;
}

/** Separates values, the items of a list, and the members of an item. They occur in no text of the register, which has no control characters. */
const [VALUES, ITEMS, MEMBERS, NONE] = [31, 30, 29, 1];

const lengths = (column: string): InEachEngine => ({ duckdb: `len(${column})`, clickhouse: `length(${column})` });

const COMPARED_TYPES: readonly ComparedType[] = [
  {
    types: /^(VARCHAR|BIGINT|INTEGER)\[\]$/,
    summand: lengths,
    content: (column) => ({
      duckdb: `coalesce(array_to_string(${column}::VARCHAR[], chr(${ITEMS})), '')`,
      clickhouse: `arrayStringConcat(arrayMap(item -> toString(item), ${column}), char(${ITEMS}))`,
    }),
  },
  {
    types: /^STRUCT\(.*\)\[\]$/,
    summand: lengths,
    content: (column, type) => {
      const { duckdb, clickhouse } = structListText(column, type, { items: ITEMS, members: MEMBERS, none: NONE });
      return { duckdb: `coalesce(${duckdb}, '')`, clickhouse };
    },
  },
  {
    types: /^(VARCHAR|ENUM.*)$/,
    content: (column) => ({ duckdb: `${column}::VARCHAR`, clickhouse: `toString(${column})` }),
  },
  { types: /^BOOLEAN$/, summand: (column) => ({ duckdb: `${column}::INTEGER`, clickhouse: column }) },
  { types: /^(U?INTEGER|UTINYINT)$/, summand: (column) => ({ duckdb: column, clickhouse: column }) },
  // Sums of the server keep to 64 bits, unless decimals are summed up.
  { types: /^U?BIGINT$/, summand: (column) => ({ duckdb: column, clickhouse: `toInt128(${column})` }) },
  { types: /^DECIMAL/, summand: (column) => ({ duckdb: column, clickhouse: column }) },
  {
    types: /^DATE$/,
    summand: (column) => ({ duckdb: `(${column} - DATE '1970-01-01')`, clickhouse: `toInt32(${column})` }),
  },
  {
    types: /^TIMESTAMP$/,
    summand: (column) => ({ duckdb: milliseconds(column), clickhouse: `toInt128(${column})` }),
  },
];

interface ComparedColumn {
  readonly name: string;
  readonly summand: InEachEngine | null;
  readonly content: InEachEngine | null;
  /** False for a list: ClickHouse has an empty one instead of none. */
  readonly countable: boolean;
}

/** The figures of a table in the engine of the build, or of a part of its rows. */
export interface Figures {
  readonly columns: readonly ComparedColumn[];
  readonly values: FigureValues;
}

/** By the names of figures, in millionths, so that those of several parts can be added up. */
type FigureValues = ReadonlyMap<string, bigint>;

/** @param source table expression */
export async function figuresOf(engine: WarehouseConnection, source: string): Promise<Figures> {
  const described = await engine.rows<{ column_name: string; column_type: string }>(`DESCRIBE SELECT * FROM ${source}`);
  const columns = described.map(({ column_name: name, column_type: type }): ComparedColumn => {
    const compared = COMPARED_TYPES.find(({ types }) => types.test(type));
    if (compared === undefined)
      throw new Error(`${source}: ${name} has the type ${type}, for which there is no comparison`);
    return {
      name,
      summand: compared.summand?.(name) ?? null,
      content: compared.content?.(name, type) ?? null,
      countable: !type.endsWith('[]'),
    };
  });
  return { columns, values: await figuresHere(engine, source, selectFigures(columns, 'duckdb')) };
}

/** Adds up the figures of parts of a table. */
export function together(first: Figures, ...others: readonly Figures[]): Figures {
  const values = [...first.values].map(([figure, value]): [string, bigint] => [
    figure,
    others.reduce((sum, part) => sum + (part.values.get(figure) ?? 0n), value),
  ]);
  return { columns: first.columns, values: new Map(values) };
}

/** The rows of a table in the engine of the build. */
export interface LocalTable {
  readonly engine: WarehouseConnection;
  /** A table expression. */
  readonly source: string;
  readonly figures: Figures;
}

/** Compares the copy of a table with its original. @returns one sentence for each difference */
export async function differences(
  { engine, source, figures: { columns, values } }: LocalTable,
  client: ClickHouseClient,
  table: string,
): Promise<string[]> {
  const loaded = await figuresIn(client, table, selectFigures(columns, 'clickhouse'));
  const differing = differingFigures(table, values, loaded);
  // Missing rows change all other figures, too.
  if (values.get(ROWS) !== loaded.get(ROWS)) return differing.slice(0, 1);
  if (values.get(CONTENT) === loaded.get(CONTENT)) return differing;
  const here = await figuresHere(engine, source, selectContents(columns, 'duckdb'));
  const there = await figuresIn(client, table, selectContents(columns, 'clickhouse'));
  return [...differing, ...differingFigures(table, here, there)];
}

const [ROWS, CONTENT] = ['rows', 'content of the texts'];

const selectFigures = (columns: readonly ComparedColumn[], dialect: keyof InEachEngine): string =>
  [
    `count(*) AS "${ROWS}"`,
    ...columns.flatMap(({ name, summand, countable }) => [
      ...(countable ? [`count(${name}) AS "values of ${name}"`] : []),
      ...(summand === null ? [] : [`${asText(`coalesce(sum(${summand[dialect]}), 0)`, dialect)} AS "sum of ${name}"`]),
    ]),
    ...rowContent(columns).map((row) => `${digestOf(row)[dialect]} AS "${CONTENT}"`),
  ].join(', ');

const asText = (value: string, dialect: keyof InEachEngine): string =>
  `CAST(${value} AS ${{ duckdb: 'VARCHAR', clickhouse: 'String' }[dialect]})`;

const contentsOf = (columns: readonly ComparedColumn[]) =>
  columns.flatMap(({ name, content }) => (content === null ? [] : [{ name, content }]));

/** The texts and lists of a row as one text; a table without any has none. Both functions leave NULL out, which the numbers of values tell. */
function rowContent(columns: readonly ComparedColumn[]): InEachEngine[] {
  const contents = contentsOf(columns);
  if (contents.length === 0) return [];
  const joined = (dialect: keyof InEachEngine) => contents.map(({ content }) => content[dialect]).join(', ');
  return [
    {
      duckdb: `concat_ws(chr(${VALUES}), ${joined('duckdb')})`,
      clickhouse: `arrayStringConcat([${joined('clickhouse')}], char(${VALUES}))`,
    },
  ];
}

const selectContents = (columns: readonly ComparedColumn[], dialect: keyof InEachEngine): string =>
  contentsOf(columns)
    .map(({ name, content }) => `${digestOf(content)[dialect]} AS "content of ${name}"`)
    .join(', ');

async function figuresHere(engine: WarehouseConnection, source: string, select: string): Promise<FigureValues> {
  return valuesOf(firstRow(await engine.rows<FigureRow>(`SELECT ${select} FROM ${source}`)));
}

async function figuresIn(client: ClickHouseClient, table: string, select: string): Promise<FigureValues> {
  return valuesOf(firstRow(await queryRows(client, figureRow, `SELECT ${select} FROM ${table}`)));
}

const figureRow = z.record(z.string(), z.unknown());

type FigureRow = z.output<typeof figureRow>;

/** Only one of the engines writes zeros at the end of decimals. */
const valuesOf = (row: FigureRow): FigureValues =>
  new Map(
    Object.entries(row).map(([figure, value]) => {
      const [whole = '', decimals = ''] = String(value).split('.');
      return [figure, BigInt(whole + decimals.padEnd(DECIMALS, '0'))];
    }),
  );

/** Places behind the point, as many as any column has. */
const DECIMALS = 6;

const differingFigures = (table: string, here: FigureValues, there: FigureValues): string[] =>
  [...here]
    .filter(([figure, value]) => value !== there.get(figure))
    .map(
      ([figure, value]) =>
        `${table}: ${figure} ${plain(value)} in the file, ${plain(there.get(figure) ?? 0n)} in ClickHouse`,
    );

const plain = (millionths: bigint): string => {
  const digits = String(millionths < 0n ? -millionths : millionths).padStart(DECIMALS + 1, '0');
  const text = `${digits.slice(0, -DECIMALS)}.${digits.slice(-DECIMALS)}`.replace(/\.?0+$/, '');
  return millionths < 0n ? `-${text}` : text;
};
