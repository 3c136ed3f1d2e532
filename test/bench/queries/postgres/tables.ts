import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { UNIT_FIELDS } from '../../../../sql/catalogue/unit-fields.ts';

/** The tables of a version as PostgreSQL keeps them: the same rows. */

export interface CopiedTable {
  readonly name: string;
  /** CREATE TABLE. */
  readonly create: string;
  /** The query for its rows in the version, ordered by number, as the version stores them. */
  readonly rows: string;
}

interface Plan {
  readonly name: string;
  /** The table of the version. */
  readonly from: string;
  readonly keeps: (column: string) => boolean;
  /** Columns that searches look at, by what they are made of. */
  readonly searched: Readonly<Record<string, string>>;
}

/** A text as searches compare it: small letters without accents, ß as ss. */
const folded = (expression: string): string => `replace(lower(strip_accents(${expression})), 'ß', 'ss')`;

/** The columns that lists show, filters test and orders compare, and the key of places that units are counted by. */
const ASKED: ReadonlySet<string> = new Set(
  UNIT_FIELDS.filter(
    ({ name, block, filters, sortable }) =>
      block === null || filters.length > 0 || sortable || name === 'gemeindeschluessel',
  ).map(({ name }) => name),
);

/** Units twice: narrow for lists and counts, which then read less, and whole for the detail of one. */
const PLANS: readonly Plan[] = [
  {
    name: 'units',
    from: 'units',
    keeps: (column) => ASKED.has(column),
    searched: {
      suchname: folded('name'),
      // MaStR numbers are left out: no search word here can occur in one, and the index stays small.
      suchtext: folded("concat_ws(' ', name, ort, gemeinde, landkreis, plz, windpark, betreiberName)"),
    },
  },
  { name: 'unit_details', from: 'units', keeps: () => true, searched: {} },
  { name: 'marktakteure', from: 'marktakteure', keeps: () => true, searched: { gefaltet: folded('name') } },
];

/** Types by the first word of the version's type. What is left out is of no use to a question. */
const TYPES: Readonly<Record<string, string>> = {
  VARCHAR: 'text',
  ENUM: 'text',
  // Sums of doubles are the fastest that PostgreSQL has.
  DECIMAL: 'double precision',
  DOUBLE: 'double precision',
  INTEGER: 'integer',
  UINTEGER: 'bigint',
  BIGINT: 'bigint',
  BOOLEAN: 'boolean',
  DATE: 'date',
  TIMESTAMP: 'timestamp',
};

/** @param file the database file of a version */
export async function copiedTables(file: string): Promise<{ tables: CopiedTable[]; content: string }> {
  const instance = await DuckDBInstance.create(file, { access_mode: 'READ_ONLY' });
  const connection = await instance.connect();
  try {
    const tables = [];
    for (const plan of PLANS) tables.push(await copiedTable(plan, connection));
    const reader = await connection.runAndReadAll(
      'SELECT count(*)::VARCHAR AS units, bit_xor(inhalt)::VARCHAR AS hashes FROM units',
    );
    return { tables, content: JSON.stringify(reader.getRowObjectsJS()) };
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

async function copiedTable(plan: Plan, connection: DuckDBConnection): Promise<CopiedTable> {
  const { name, from, keeps, searched } = plan;
  const described = (await connection.runAndReadAll(`DESCRIBE ${from}`)).getRowObjectsJS() as {
    column_name: string;
    column_type: string;
  }[];
  const columns = described.flatMap(({ column_name, column_type }) => {
    const type = column_type.endsWith('[]') ? 'text' : TYPES[column_type.replace(/\W.*/s, '')];
    return type === undefined || column_name in searched || !keeps(column_name) ? [] : [[column_name, type] as const];
  });
  const declared = [...columns, ...Object.keys(searched).map((column) => [column, 'text'] as const)];
  const selected = [
    ...columns.map(([column]) => `"${column}"`),
    ...Object.entries(searched).map(([column, expression]) => `${expression} AS ${column}`),
  ];
  return {
    name,
    create: `CREATE TABLE ${name} (${declared.map(([column, type]) => `${column} ${type}`).join(', ')})`,
    rows: `SELECT ${selected.join(', ')} FROM ${from}`,
  };
}
