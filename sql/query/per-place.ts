import { z } from 'zod';
import type { Dialect, Dialects } from './dialect.ts';
import type { Dimension } from './dimensions.ts';
import { KEY_DIGITS, type PlaceLevel } from './places.ts';

/**
 * Figures by inhabitants and area. A unit keeps the key that the register has, which may be that of a municipality that was merged
 * since; a figure of a place counts all units that lie in it as it is on the day of the official list (tables `orte` and `gebiete`). A
 * unit lies in the district in which its municipality lies; one without a municipality of the list lies in its own district.
 */

/** What a statement of groups adds to each group that is a place. Groups that are no places lack the members. */
export const perPlaceMembers = z
  .strictObject({
    /** Null for a group that is no place of the list. */
    einwohner: z.number().nullable(),
    flaecheKm2: z.number().nullable(),
    /** Units of the place of the list, their gross capacity (kW), and their energy of storage (kWh). */
    ortAnzahl: z.number().nullable(),
    ortKw: z.number().nullable(),
    ortKwh: z.number().nullable(),
    /** All units that are in the figures of a group, each once, and their gross capacity (kW). */
    orteAnzahl: z.number().nullable(),
    orteKw: z.number().nullable(),
  })
  .partial().shape;

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

/** The pieces of a statement over groups. */
interface PerPlace {
  /** Common table expressions beside `unit_groups`; the last is `placed_groups`: these with the columns of an answer, and `nth`. */
  readonly tables: readonly string[];
  /** The columns of an answer, over `placed_groups` as `unit_groups`. */
  readonly columns: string;
}

const COLUMNS = ['einwohner', 'flaecheKm2', 'ortAnzahl', 'ortKw', 'ortKwh'];

/** Several groups may be one place today: the first of them stands for it in sums over places. */
const once = (figure: string): string =>
  `CAST(sum(CASE WHEN unit_groups.nth = 1 THEN unit_groups."${figure}" END) OVER () AS DOUBLE)`;

/**
 * @param counted of districts and municipalities, a table of figures by `landkreisgebiet` and `gemeindegebiet`, under the alias `counted`
 * @param sums the figures that are added up
 * @param also further figures of `unit_groups`, which stay as they are
 */
export const perPlace = (
  level: PlaceLevel | 'bundesland',
  counted: string,
  sums: string,
  also: readonly string[] = [],
): PerPlace => ({
  tables:
    level === 'bundesland'
      ? [placedGroups(STATES, also)]
      : [listed(level, counted, sums), placedGroups(placesOf(level), also)],
  columns: [
    ...COLUMNS.map((name) => `  CAST(unit_groups."${name}" AS DOUBLE) AS "${name}",`),
    `  ${once('ortAnzahl')} AS "orteAnzahl", ${once('ortKw')} AS "orteKw",`,
  ].join('\n'),
});

/** Says where the figures of a group's place stand, and how they are joined. */
interface Joined {
  readonly figure: (name: 'anzahl' | 'kw' | 'kwh') => string;
  readonly nth: string;
  readonly joins: string;
}

const placedGroups = ({ figure, nth, joins }: Joined, also: readonly string[]): string => `placed_groups AS (
  SELECT ${['schluessel', 'anzahl', 'kw', 'mitLeistung', 'kwh', ...also].map((name) => `unit_groups.${name} AS ${name}`).join(', ')},
    orte.einwohner AS einwohner, orte.flaecheKm2 AS "flaecheKm2",
    ${figure('anzahl')} AS "ortAnzahl", ${figure('kw')} AS "ortKw", ${figure('kwh')} AS "ortKwh", ${nth} AS nth
  FROM unit_groups
${joins}
)`;

/** The groups of states are the states of the list. */
const STATES: Joined = {
  figure: (name) => `CASE WHEN orte.name IS NOT NULL THEN unit_groups.${name} END`,
  nth: '1',
  joins: `  LEFT JOIN (SELECT * FROM orte WHERE length(schluessel) = 2) AS orte ON orte.name = CAST(unit_groups.schluessel AS VARCHAR)`,
};

const placesOf = (level: PlaceLevel): Joined => ({
  figure: (name) => `listed.${name}`,
  nth: 'row_number() OVER (PARTITION BY listed.ort ORDER BY unit_groups.schluessel)',
  joins: `  LEFT JOIN ${gebiete(level)} AS own ON own.gebiet = CAST(unit_groups.schluessel AS INTEGER)
  LEFT JOIN orte ON orte.schluessel = own.ort
  LEFT JOIN listed ON listed.ort = own.ort`,
});

const gebiete = (level: PlaceLevel): string => `(SELECT gebiet, ort FROM gebiete WHERE ebene = '${level}')`;

/** The figures of each place of the list, by its key. */
function listed(level: PlaceLevel, counted: string, sums: string): string {
  const isDistrict = level === 'landkreis';
  const place = isDistrict ? `coalesce(left(gemeinden.ort, ${KEY_DIGITS[level]}), kreise.ort)` : 'gemeinden.ort';
  return `listed AS (
  SELECT ${place} AS ort, ${sums}
  FROM ${counted}
  LEFT JOIN ${gebiete('gemeinde')} AS gemeinden ON gemeinden.gebiet = counted.gemeindegebiet${
    isDistrict ? `\n  LEFT JOIN ${gebiete('landkreis')} AS kreise ON kreise.gebiet = counted.landkreisgebiet` : ''
  }
  WHERE ${place} IS NOT NULL
  GROUP BY ${place}
)`;
}
