import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { CARRIERS } from '../../sql/catalogue/carriers.ts';
import { described } from '../../sql/catalogue/field.ts';
import { READABLE_FIELDS } from '../../sql/catalogue/unit-fields.ts';
import { firstRow } from '../../sql/warehouse/first-row.ts';
import { openReadWrite, type WarehouseConnection } from '../duckdb/connection.ts';
import { literal } from '../duckdb/sql-files.ts';
import { geoMetadata, SPATIAL_ORDER, withPoints } from './geo.ts';
import { copyRows, PIECE_ROWS, type Piece } from './pieces.ts';
import { dumpLimits } from './source.ts';

/** Joins the pieces of a dump, which are Parquet, into the one file that is handed out. */

export interface Joining {
  readonly pieces: readonly Piece[];
  /** The file to be written. */
  readonly path: string;
  /** What the file says about itself. */
  readonly about: Readonly<Record<string, string>>;
  /** Folder for temporary files, which the caller removes. */
  readonly work: string;
  /** Memory of the engine, MB. */
  readonly memoryMb: number;
  readonly signal: AbortSignal;
}

const rowsOf = (pieces: readonly Piece[]): string =>
  `read_parquet([${pieces.map((piece) => literal(piece.path)).join(', ')}])`;

/**
 * Writes one Parquet file: in the order of the pieces, or with points and in a spatial order, which is sorted on the disk.
 * @returns the number of its units
 */
export async function joinParquet(
  { pieces, path, about, work, memoryMb, signal }: Joining,
  geo: boolean,
): Promise<number> {
  const engine = await openReadWrite(
    ':memory:',
    { ...dumpLimits(memoryMb), ...(geo ? { temporaryFolder: join(work, 'sorted') } : {}) },
    signal,
  );
  try {
    const units = rowsOf(pieces);
    const tagged = geo ? { ...about, geo: await geoMetadata(engine, units) } : about;
    const tags = Object.entries(tagged).map(([name, value]) => `"${name}": ${literal(value)}`);
    const rows = geo ? `SELECT ${withPoints()} FROM ${units} ORDER BY ${SPATIAL_ORDER}` : `FROM ${units}`;
    return await copyRows(
      engine,
      `COPY (${rows}) TO ${literal(path)}
       (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE ${PIECE_ROWS.parquet}, KV_METADATA {${tags.join(', ')}})`,
    );
  } finally {
    await engine.close();
  }
}

/**
 * Writes a database of DuckDB: the units with the meaning of each column as its comment, what is known about columns and dump as
 * tables, and views.
 * @returns the number of its units
 */
export async function joinDatabase({ pieces, path, about, work, memoryMb, signal }: Joining): Promise<number> {
  // Beside it the engine writes a log, which has gone when it is closed.
  const draft = join(work, 'units.duckdb');
  const engine = await openReadWrite(draft, dumpLimits(memoryMb), signal);
  let rows: number;
  try {
    await engine.run(`CREATE TABLE units AS FROM ${rowsOf(pieces)}`);
    for (const text of [...tables(about), ...comments(), ...(await carrierViews(engine)), ...SUMS])
      await engine.run(text);
    for (const text of await columnComments(engine)) await engine.run(text);
    const { n } = firstRow(await engine.rows<{ n: bigint }>('SELECT count(*) AS n FROM units'));
    rows = Number(n);
  } finally {
    await engine.close();
  }
  await rename(draft, path);
  return rows;
}

const tables = ({ columns = '[]', ...dataset }: Readonly<Record<string, string>>): string[] => [
  `CREATE TABLE dataset AS SELECT ${Object.entries(dataset)
    .map(([name, value]) => `${literal(value)} AS "${name}"`)
    .join(', ')}`,
  `CREATE TABLE fields AS SELECT field.* FROM (SELECT unnest(from_json(${literal(columns)},
     '[{"name": "VARCHAR", "kind": "VARCHAR", "unit": "VARCHAR", "additive": "BOOLEAN", "meaning": "VARCHAR"}]')) AS field)`,
];

const comments = (): string[] => [
  `COMMENT ON TABLE units IS 'Eine Zeile je Einheit des Marktstammdatenregisters'`,
  `COMMENT ON TABLE dataset IS 'Fassung, Stand und Quellenvermerk'`,
  `COMMENT ON TABLE fields IS 'Die Spalten von units: Art, Einheit, ob ihre Werte sich addieren lassen, und Bedeutung'`,
];

/** Columns that are no fields of a unit, by table or view. */
const OWN_COLUMNS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  dataset: {
    version: 'Fassung, aus der die Datei ist',
    asOf: 'Tag des Exports',
    quellenvermerk: 'Vermerk, der bei Verwendung zu nennen ist',
  },
  fields: {
    name: 'Name der Spalte von units',
    kind: 'Art der Werte',
    unit: 'Einheit der Werte; leer = keine',
    additive: 'Ob sich die Werte addieren lassen',
    meaning: 'Bedeutung',
  },
  bestand: { anzahl: 'Zahl der Einheiten' },
  zubau: { anzahl: 'Zahl der Einheiten', jahr: 'Jahr der Inbetriebnahme' },
};

const MEANINGS = new Map(READABLE_FIELDS.map((field) => [field.name, described(field)]));

/** A column of a table or view means what the field of its name does, if it has no meaning of its own. */
async function columnComments(engine: WarehouseConnection): Promise<string[]> {
  const columns = await engine.rows<{ table: string; name: string }>(
    'SELECT table_name AS "table", column_name AS name FROM duckdb_columns() WHERE NOT internal',
  );
  return columns.flatMap(({ table, name }) => {
    const meaning = OWN_COLUMNS[table]?.[name] ?? MEANINGS.get(name);
    return meaning === undefined ? [] : [`COMMENT ON COLUMN "${table}"."${name}" IS ${literal(meaning)}`];
  });
}

/** A view for each carrier: its units, with the columns that any of them has a value in. */
async function carrierViews(engine: WarehouseConnection): Promise<string[]> {
  const names = READABLE_FIELDS.map(({ name }) => name);
  const counts = await engine.rows<Record<string, unknown>>(
    `SELECT einheitTyp AS carrier, ${names.map((name, at) => `count("${name}") > 0 AS c${at}`).join(', ')}
     FROM units GROUP BY einheitTyp`,
  );
  return counts
    .filter(({ carrier }) => (CARRIERS as readonly unknown[]).includes(carrier))
    .flatMap(({ carrier, ...has }) => [
      `CREATE VIEW ${carrier} AS SELECT ${names
        .filter((_, at) => has[`c${at}`] === true)
        .map((name) => `"${name}"`)
        .join(', ')} FROM units WHERE einheitTyp = '${carrier}'`,
      `COMMENT ON VIEW ${carrier} IS 'Einheiten mit einheitTyp ${carrier}; nur Spalten, in denen eine davon einen Wert hat'`,
    ]);
}

/** What most ask first. */
const SUMS: readonly string[] = [
  `CREATE VIEW bestand AS SELECT bundesland, einheitTyp, count(*) AS anzahl, sum(bruttoleistungKw) AS bruttoleistungKw,
     sum(nettonennleistungKw) AS nettonennleistungKw
   FROM units WHERE betriebsStatus = 'In Betrieb' GROUP BY ALL`,
  `COMMENT ON VIEW bestand IS 'Einheiten in Betrieb nach Land und Energieträger, Leistung in kW'`,
  `CREATE VIEW zubau AS SELECT year(inbetriebnahmedatum) AS jahr, bundesland, einheitTyp, count(*) AS anzahl,
     sum(bruttoleistungKw) AS bruttoleistungKw
   FROM units WHERE inbetriebnahmedatum IS NOT NULL GROUP BY ALL`,
  `COMMENT ON VIEW zubau IS 'In Betrieb genommene Einheiten nach Jahr, Land und Energieträger, auch wenn sie inzwischen stillgelegt sind; Leistung in kW'`,
];
