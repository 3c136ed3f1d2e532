import type { Difference } from '../destination/destination.ts';
import { columnsOf, type WarehouseConnection } from '../duckdb/connection.ts';

/**
 * Compares two versions, attached to an engine, row by row in every table, whatever the order of their rows. Numbers of places differ
 * between a version that went on from another one and one that was built from nothing, so what they stand for is compared.
 */

/** When a version was built says nothing about it, and rows of earlier ones have the numbers that places had in these. */
const NOT_COMPARED: ReadonlySet<string> = new Set([
  ...['dataset.builtAt', 'gebiete.gebiet'],
  ...['units_departed', 'units_ersetzt'].flatMap((table) =>
    ['region', 'landkreisgebiet', 'gemeindegebiet'].map((column) => `${table}.${column}`),
  ),
]);

export async function differencesOf(engine: WarehouseConnection, one: string, other: string): Promise<Difference[]> {
  const differences: Difference[] = [];
  for (const table of await tablesOf(engine, one, other)) {
    const [ofOne, ofOther] = [await comparable(engine, one, table), await comparable(engine, other, table)];
    // Sums of hashes take a pass over each, and rows are only told apart where these differ.
    const sums = (rows: string) => `SELECT count(*) AS n, sum(hash(compared)::HUGEINT) AS h FROM (${rows}) AS compared`;
    const same = await engine.rows<{ same: boolean }>(
      `SELECT (one.n, one.h) IS NOT DISTINCT FROM (other.n, other.h) AS same FROM (${sums(ofOne)}) AS one, (${sums(ofOther)}) AS other`,
    );
    if (same[0]?.same) continue;
    const [rows] = await engine.rows<{ one: bigint; other: bigint }>(
      `SELECT (SELECT count(*) FROM (${ofOne} EXCEPT ALL ${ofOther})) AS one, (SELECT count(*) FROM (${ofOther} EXCEPT ALL ${ofOne})) AS other`,
    );
    differences.push({ table, rows: [Number(rows?.one), Number(rows?.other)] });
  }
  return differences;
}

async function tablesOf(engine: WarehouseConnection, ...versions: readonly string[]): Promise<string[]> {
  const names = versions.map((version) => `'${version}'`).join(', ');
  const rows = await engine.rows<{ name: string }>(
    `SELECT DISTINCT table_name AS name FROM duckdb_tables() WHERE database_name IN (${names}) ORDER BY name`,
  );
  return rows.map(({ name }) => name);
}

/** Selects the rows of a table in a form that both versions have in common. */
export async function comparable(engine: WarehouseConnection, version: string, table: string): Promise<string> {
  const columns = [...(await columnsOf(engine, version, table))].filter(
    (name) => !NOT_COMPARED.has(`${table}.${name}`),
  );
  const joins: string[] = [];
  const place = (level: string, key: string): string => {
    joins.push(
      `LEFT JOIN ${version}.gebiete AS ${level}_place ON ${level}_place.ebene = '${level}' AND ${level}_place.gebiet::VARCHAR = ${key}`,
    );
    return `${level}_place.wert`;
  };
  const values = columns.map((name) => {
    switch (name) {
      case 'region':
        joins.push(`LEFT JOIN ${version}.regionen AS combination ON combination.region = own.region`);
        return `concat_ws('|', ${['bundesland', 'landkreis', 'gemeinde', 'gemeindeschluessel', 'plz'].map((level) => `coalesce(combination.${level}, '-')`).join(', ')}) AS region`;
      case 'landkreisgebiet':
        return `${place('landkreis', 'own.landkreisgebiet::VARCHAR')} AS landkreisgebiet`;
      case 'gemeindegebiet':
        return `${place('gemeinde', 'own.gemeindegebiet::VARCHAR')} AS gemeindegebiet`;
      case 'schluessel':
        if (table !== 'aggregationen') return 'own.schluessel';
        return `CASE own.dimension WHEN 'landkreis' THEN ${place('landkreis', 'own.schluessel')}
          WHEN 'gemeinde' THEN ${place('gemeinde', 'own.schluessel')} ELSE own.schluessel END AS schluessel`;
      // A text comes several times, each time with other units.
      case 'einheiten':
        return 'unnest(own.einheiten) AS einheiten';
      default:
        // The ENUMs of both may have other texts beside.
        return `try_cast(own.${name} AS VARCHAR) AS ${name}`;
    }
  });
  return `SELECT ${values.join(', ')} FROM ${version}.${table} AS own ${joins.join(' ')}`;
}
