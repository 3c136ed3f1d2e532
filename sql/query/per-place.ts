import { z } from 'zod';
import type { Dialect, Dialects } from './dialect.ts';
import type { Dimension } from './dimensions.ts';
import { KEY_DIGITS, type PlaceLevel } from './places.ts';
import { type Binder, binder, type WarehouseStatement } from './statement.ts';

/**
 * Figures by inhabitants and area. A unit keeps the key that the register has, which may be that of a municipality that was merged
 * since; a figure of a place counts all units that lie in it as it is on the day of the official list (tables `orte` and `gebiete`).
 */

/** What a statement of groups adds to each group that is a place. */
const perPlaceRow = {
  /** Null for a group that is no place of the list. */
  einwohner: z.number().nullable(),
  flaecheKm2: z.number().nullable(),
  /** Units of the place of the list, their gross capacity (kW), and their energy of storage (kWh). */
  ortAnzahl: z.number().nullable(),
  ortKw: z.number().nullable(),
  ortKwh: z.number().nullable(),
  /** All units that lie in a place of the list, and their gross capacity (kW). */
  orteAnzahl: z.number().nullable(),
  orteKw: z.number().nullable(),
};

/** Groups that are no places lack them. */
export const perPlaceMembers = z.strictObject(perPlaceRow).partial().shape;

export type PerPlaceMembers = z.infer<z.ZodObject<typeof perPlaceMembers>>;

/** The dialects of a version without the list. */
export const withoutList = ({ units, projections }: Dialects): Dialects => ({
  units: { ...units, listedPlaces: false },
  projections: { ...projections, listedPlaces: false },
});

/** The level of the list that the groups are about; null where they are no places, or the version has no list. */
export const listLevel = (
  { name, places }: Dimension,
  { listedPlaces }: Pick<Dialect, 'listedPlaces'>,
): PlaceLevel | 'bundesland' | null => (!listedPlaces ? null : name === 'bundesland' ? name : places);

/** The pieces of a statement over a table `unit_groups`, whose key is a row of `gebiete`, or the name of a state. */
export interface PerPlace {
  /** The table `listed`: the figures of each place of the list, by its key, or name. */
  readonly table: string;
  readonly columns: string;
  readonly join: string;
}

/**
 * @param counted for districts and municipalities: a table of figures by `gemeindegebiet`, under the alias `counted`
 * @param sums the figures that are added up
 */
export function perPlace(level: PlaceLevel | 'bundesland', counted: string, sums: string): PerPlace {
  const columns = `
  CAST(orte.einwohner AS DOUBLE) AS einwohner, CAST(orte.flaecheKm2 AS DOUBLE) AS "flaecheKm2",
  CAST(listed.anzahl AS DOUBLE) AS "ortAnzahl", CAST(listed.kw AS DOUBLE) AS "ortKw", CAST(listed.kwh AS DOUBLE) AS "ortKwh",
  CAST((SELECT sum(anzahl) FROM listed) AS DOUBLE) AS "orteAnzahl", CAST((SELECT sum(kw) FROM listed) AS DOUBLE) AS "orteKw",`;
  if (level === 'bundesland') {
    return {
      columns,
      table: `listed AS (
  SELECT orte.name AS ort, ${sums}
  FROM unit_groups JOIN orte ON orte.name = CAST(unit_groups.schluessel AS VARCHAR) AND length(orte.schluessel) = 2
  GROUP BY orte.name
)`,
      join: `LEFT JOIN (SELECT * FROM orte WHERE length(schluessel) = 2) AS orte ON orte.name = CAST(unit_groups.schluessel AS VARCHAR)
LEFT JOIN listed ON listed.ort = orte.name`,
    };
  }
  const place = `left(placed.ort, ${KEY_DIGITS[level]})`;
  return {
    columns,
    table: `listed AS (
  SELECT ${place} AS ort, ${sums}
  FROM ${counted}
  JOIN (SELECT gebiet, ort FROM gebiete WHERE ebene = 'gemeinde' AND ort IS NOT NULL) AS placed ON placed.gebiet = counted.gemeindegebiet
  GROUP BY ${place}
)`,
    join: 'LEFT JOIN orte ON orte.schluessel = places.ort\nLEFT JOIN listed ON listed.ort = places.ort',
  };
}

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

/** Writes the condition that a row lies in places of the list. @param table alias of `regionen`, or of a projection */
export const lyingSql = (level: PlaceLevel, table: string, keys: string): string =>
  `${table}.gemeindegebiet IN (SELECT gebiet FROM gebiete WHERE ebene = 'gemeinde' AND left(ort, ${KEY_DIGITS[level]}) IN ${keys})`;

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
