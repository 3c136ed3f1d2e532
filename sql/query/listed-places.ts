import { z } from 'zod';
import type { Dialect } from './dialect.ts';
import { KEY_DIGITS, type PlaceLevel } from './places.ts';
import { type Binder, binder, type WarehouseStatement } from './statement.ts';

/** The official list of places, and which of them a region is (sql/query/per-place.ts). */

const days = ({ toJson }: Dialect): string =>
  ['gebietsstand', 'einwohnerAm'].map((name) => `${toJson('day', name)} AS "${name}"`).join(', ');

/** Selects the days of the list as one row. */
export const listStatement = (dialect: Dialect): WarehouseStatement => ({
  text: `SELECT ${days(dialect)} FROM orte LIMIT 1`,
  values: {},
});

export const listedPlaceRow = z.strictObject({
  schluessel: z.string(),
  name: z.string(),
  einwohner: z.number(),
  flaecheKm2: z.number(),
  gebietsstand: z.string(),
  einwohnerAm: z.string(),
  /** Rows of `regionen` in the region that was asked for, in the places of the list, and in both. */
  eigene: z.number(),
  gelistete: z.number(),
  gemeinsame: z.number(),
});

/**
 * Writes the condition that a row lies in places of the list.
 * @param table alias of `regionen`, or of a projection
 * @param keys a list or a SELECT, in brackets
 */
export function lyingSql(level: PlaceLevel, table: string, keys: string): string {
  const among = (of: PlaceLevel, condition: string) =>
    `${table}.${of}gebiet IN (SELECT gebiet FROM gebiete WHERE ebene = '${of}' AND ${condition})`;
  const byMunicipality = among('gemeinde', `left(ort, ${KEY_DIGITS[level]}) IN ${keys}`);
  if (level === 'gemeinde') return byMunicipality;
  const without = `(${table}.gemeindegebiet IS NULL OR ${among('gemeinde', 'ort IS NULL')})`;
  return `(${byMunicipality} OR (${among('landkreis', `ort IN ${keys}`)} AND ${without}))`;
}

/**
 * Selects the places of the list that a region is, or has become part of, as listedPlaceRow.
 * @param inRegion writes the condition that a row of `regionen` is in the region
 */
export function listedPlacesStatement(
  level: PlaceLevel,
  inRegion: (values: Binder) => string,
  dialect: Dialect,
): WarehouseStatement {
  const values = binder();
  const text = `WITH own AS (SELECT region, ${level}gebiet AS gebiet FROM regionen WHERE ${inRegion(values)}),
keys AS (
  SELECT DISTINCT ort FROM gebiete WHERE ebene = '${level}' AND ort IS NOT NULL AND gebiet IN (SELECT gebiet FROM own)
),
lying AS (SELECT region FROM regionen WHERE ${lyingSql(level, 'regionen', '(SELECT ort FROM keys)')})
SELECT schluessel, name, CAST(einwohner AS DOUBLE) AS einwohner, CAST(flaecheKm2 AS DOUBLE) AS "flaecheKm2", ${days(dialect)},
  CAST((SELECT count(*) FROM own) AS DOUBLE) AS eigene, CAST((SELECT count(*) FROM lying) AS DOUBLE) AS gelistete,
  CAST((SELECT count(*) FROM lying WHERE region IN (SELECT region FROM own)) AS DOUBLE) AS gemeinsame
FROM orte WHERE schluessel IN (SELECT ort FROM keys)
ORDER BY schluessel`;
  return { text, values: values.values };
}

/** Selects a state of the list, or all, in the same form. @param name null: all */
export function listedStatesStatement(name: string | null, dialect: Dialect): WarehouseStatement {
  const values = binder();
  const isIt = name === null ? '' : ` AND name = ${values.bind(name)}`;
  return {
    text: `SELECT schluessel, name, CAST(einwohner AS DOUBLE) AS einwohner, CAST(flaecheKm2 AS DOUBLE) AS "flaecheKm2", ${days(dialect)},
  CAST(0 AS DOUBLE) AS eigene, CAST(0 AS DOUBLE) AS gelistete, CAST(0 AS DOUBLE) AS gemeinsame
FROM orte WHERE length(schluessel) = 2${isIt} ORDER BY schluessel`,
    values: values.values,
  };
}
