import type { ClickHouseClient } from '@clickhouse/client';
import { milliseconds } from '../../sql/query/duckdb.ts';
import { rowsOf } from '../../sql/warehouse/clickhouse/publications.ts';
import type { BuildingWarehouse } from '../assembly/warehouse.ts';

/**
 * Whether a table holds the same rows in both engines: how many, and for each column how many values and a sum over all
 * of them - of numbers and days themselves, of texts and lists their lengths.
 */

interface Measured {
  /** Types of the local file. */
  readonly types: RegExp;
  /** What is summed up of a value, as a whole number or a decimal, in the words of each engine. */
  readonly duckdb: (column: string) => string;
  readonly clickhouse: (column: string) => string;
}

const MEASURES: readonly Measured[] = [
  {
    types: /^(VARCHAR|BIGINT)\[\]$|^STRUCT\(.*\)\[\]$/,
    duckdb: (column) => `len(${column})`,
    clickhouse: (column) => `length(${column})`,
  },
  {
    types: /^(VARCHAR|ENUM.*)$/,
    duckdb: (column) => `strlen(${column}::VARCHAR)`,
    clickhouse: (column) => `length(${column})`,
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

/**
 * Compares a table with its copy.
 * @param source what stands behind FROM in the local file
 * @returns one sentence for each difference
 */
export async function differences(
  engine: BuildingWarehouse,
  client: ClickHouseClient,
  table: string,
  source: string,
): Promise<string[]> {
  const columns = await engine.rows<{ column_name: string; column_type: string }>(`DESCRIBE SELECT * FROM ${source}`);
  const asked = columns.map(({ column_name: name, column_type: type }) => {
    const measure = MEASURES.find(({ types }) => types.test(type));
    if (measure === undefined)
      throw new Error(`${table}.${name} has the type ${type}, which no comparison is known for`);
    return { name, measure, countable: !type.endsWith('[]') };
  });
  const select = (dialect: 'duckdb' | 'clickhouse', text: string) => [
    'count(*) AS "rows"',
    ...asked.flatMap(({ name, measure, countable }) => [
      ...(countable ? [`count(${name}) AS "values of ${name}"`] : []),
      `CAST(coalesce(sum(${measure[dialect](name)}), 0) AS ${text}) AS "sum of ${name}"`,
    ]),
  ];
  const [here] = await engine.rows<Figures>(`SELECT ${select('duckdb', 'VARCHAR').join(', ')} FROM ${source}`);
  const [there] = await rowsOf<Figures>(client, `SELECT ${select('clickhouse', 'String').join(', ')} FROM ${table}`);
  const differing = Object.keys(here!)
    .filter((figure) => plain(here![figure]) !== plain(there![figure]))
    .map((figure) => `${table}: ${figure} ${plain(here![figure])} in the file, ${plain(there![figure])} in ClickHouse`);
  // Where rows are missing, so is what they would add to all other figures.
  return differing[0]?.startsWith(`${table}: rows`) ? differing.slice(0, 1) : differing;
}

type Figures = Readonly<Record<string, unknown>>;

/** A number as both engines would write it: without zeros at the end of its decimals. */
const plain = (figure: unknown): string =>
  String(figure)
    .replace(/(\.\d*?)0+$/, '$1')
    .replace(/\.$/, '');
