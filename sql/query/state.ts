import { IS_CONSPICUOUS } from '../catalogue/anomalies.ts';
import { PLACED_FROM_KW } from '../catalogue/personal.ts';
import { PROJECTIONS } from '../catalogue/projections.ts';
import { UNIT_COLUMN_NAMES } from '../catalogue/unit-columns.ts';
import { clickhouseMastrBits, duckdbMastrBits } from '../register/mastr-number.ts';
import { CONSPICUOUS_UNITS } from './conspicuous.ts';
import { COORDINATES_OF_UNITS, type Dialect } from './dialect.ts';
import { SUMMED_ENERGY } from './energy.ts';
import { LOCATIONS } from './neighbours.ts';
import { withSources } from './sources.ts';
import type { WarehouseStatement } from './statement.ts';

/**
 * The state of an earlier version, in the tables of a later one: statements read units and places as that version had them, by
 * whatever projection they name.
 */

/** The versions whose state a version can tell; one of an earlier release has no such table. */
export const STATES = 'staende';

/** The dialect of statements that `asOf` turns: nothing was counted or sorted before. */
export const stateDialect = (units: Dialect): Dialect => ({
  ...units,
  places: 'numbers',
  counted: false,
  pagesInParts: 'none',
  startsAtCursor: false,
});

/**
 * Turns a statement over the tables of a version into one over the state of an earlier one.
 * @param build number of that version's build, one of STATES
 */
export function asOf(statement: WarehouseStatement, build: number, { name, isIn }: Dialect): WarehouseStatement {
  const words = new Set(statement.text.match(/\w+/g));
  const columns = UNIT_COLUMN_NAMES.filter((column) => words.has(column));
  const units = (also: readonly string[] = []): string =>
    unitsAt(build, [...new Set([...columns, ...also, 'nummer'])], { isIn });
  const text = withSources(statement.text, (table) => {
    switch (table) {
      case 'regionen':
      case 'gebiete':
        return placesAt(table, build);
      case 'marktakteure':
        return actorsAt(build);
      case 'region_tage':
        return daysAt(build, table, ['region']);
      case 'bundesland_tage':
        return daysAt(build, table, ['bundesland']);
      case 'deutschland_tage':
      case 'deutschland_monate':
        return daysAt(build, table, []);
      case CONSPICUOUS_UNITS:
        return `SELECT * FROM (${units(['auffaelligkeiten'])}) AS counted WHERE ${IS_CONSPICUOUS}`;
      case LOCATIONS: {
        const bits = name === 'duckdb' ? duckdbMastrBits : clickhouseMastrBits;
        return `SELECT ${bits('lokationMastrNummer')} AS lokation, nummer FROM (${units(['lokationMastrNummer'])}) AS standing`;
      }
      default:
        return table === 'units' || Object.hasOwn(PROJECTIONS, table) ? units() : null;
    }
  });
  return { text, values: statement.values };
}

/** Selects the units that a version served. */
const unitsAt = (build: number, columns: readonly string[], engine?: Joining): string =>
  `SELECT ${columns.join(', ')} FROM units WHERE gueltigSeit <= ${build}
  UNION ALL ${formerUnitsAt(build, columns, engine)}`;

/** Selects those of them that are not any more as they were. */
export function formerUnitsAt(build: number, columns: readonly string[], engine?: Joining): string {
  const rows = (
    table: string,
    end: string,
  ): string => `SELECT ${formerColumns(columns).join(', ')} FROM ${formerTable(table, columns, engine)} AS had
    WHERE ${BEGIN} <= ${build} AND ${end} > ${build}`;
  return withNames(
    `${rows('units_ersetzt', 'ersetztSeit')} UNION ALL ${rows('units_departed', 'abgangSeit')}`,
    columns,
    build,
  );
}

type Joining = Pick<Dialect, 'isIn'>;

const COORDINATES: readonly string[] = Object.values(COORDINATES_OF_UNITS);

/**
 * A table of former rows, to be given an alias: those of units that may not have coordinates today have none, so that no condition
 * finds where a unit lay, which no answer shows.
 * @param columns those that are read
 */
export function formerTable(table: string, columns: readonly string[], { isIn }: Joining = { isIn: 'IN' }): string {
  if (!columns.some((name) => COORDINATES.includes(name))) return table;
  const masked = COORDINATES.map(
    (name) => `CASE WHEN ${hasLostPlace('placed', table, isIn)} THEN NULL ELSE placed.${name} END AS ${name}`,
  );
  return `(SELECT * REPLACE (${masked.join(', ')}) FROM ${table} AS placed)`;
}

/** The condition that a former row is of a unit which may not have coordinates any more. @param of alias of the rows of a table */
export const hasLostPlace = (of: string, table: string, isIn: Dialect['isIn']): string =>
  `${of}.nummer ${isIn} (SELECT nummer FROM units WHERE coalesce(bruttoleistungKw, 0) < ${PLACED_FROM_KW}
    AND nummer ${isIn} (SELECT nummer FROM ${table} WHERE latitude IS NOT NULL))`;

/** The days of a unit, in the columns that a roll-up has beside its keys. */
const DAYS = ['inbetriebnahmedatum', 'stilllegungsdatum', 'geplantesInbetriebnahmedatum'];

/**
 * Selects a roll-up by day as a version had it: the present one, without the present rows of units that were otherwise then, and with
 * their former ones. The series are those of sql/warehouse/duckdb/rollups-regions.sql. The rows of a month are exact to the day.
 */
function daysAt(build: number, table: string, keys: readonly string[]): string {
  const columns = [...keys, 'einheitTyp', 'statusId', ...DAYS, 'bruttoleistungKw', SUMMED_ENERGY];
  const list = columns.join(', ');
  const of = [...keys, 'einheitTyp', 'statusId'].join(', ');
  return `SELECT serie, ${of}, tag, anzahl, kw, kwh FROM ${table}
  UNION ALL
  SELECT CASE series.number WHEN 1 THEN 'inbetriebnahme' WHEN 2 THEN 'stilllegung'
      ELSE CASE WHEN inbetriebnahmedatum IS NULL THEN 'planung' ELSE 'planung_mit_inbetriebnahme' END END AS serie,
    ${of},
    CASE series.number WHEN 1 THEN inbetriebnahmedatum WHEN 2 THEN stilllegungsdatum ELSE geplantesInbetriebnahmedatum END AS tag,
    sign AS anzahl, sign * coalesce(bruttoleistungKw, 0) AS kw, sign * coalesce(${SUMMED_ENERGY}, 0) AS kwh
  FROM (
    SELECT ${list}, -1 AS sign FROM units WHERE gueltigSeit > ${build}
    UNION ALL SELECT ${list}, 1 AS sign FROM (${formerUnitsAt(build, columns)}) AS former_units
  ) AS moved CROSS JOIN (SELECT 1 AS number UNION ALL SELECT 2 UNION ALL SELECT 3) AS series
  WHERE CASE series.number WHEN 1 THEN inbetriebnahmedatum IS NOT NULL OR statusId = 35 WHEN 2 THEN stilllegungsdatum IS NOT NULL
    ELSE statusId = 31 OR (inbetriebnahmedatum IS NULL AND geplantesInbetriebnahmedatum IS NOT NULL) END`;
}

/** Selects the organisations that there were, with the numbers of their units then. */
function actorsAt(build: number): string {
  const list = (from: string): string =>
    ['mastrNummer', 'name', 'marktfunktion', 'bundesland', 'ort']
      .map((name) => `${from}.${name} AS ${name}`)
      .join(', ');
  const later = `akteurnamen WHERE bis > ${build}`;
  return `SELECT ${list('actors')}, coalesce(counted.units, 0) AS anlagenAnzahl
  FROM (
    SELECT ${list('present')} FROM marktakteure AS present WHERE present.mastrNummer NOT IN (SELECT mastrNummer FROM ${later})
    UNION ALL
    SELECT ${list('former')} FROM akteurnamen AS former
    JOIN (SELECT mastrNummer AS nr, min(bis) AS ended FROM ${later} GROUP BY mastrNummer) AS first_later
      ON first_later.nr = former.mastrNummer AND first_later.ended = former.bis
    WHERE former.name IS NOT NULL
  ) AS actors
  LEFT JOIN (
    SELECT betreiberMastrNummer AS nr, CAST(count(*) AS INTEGER) AS units
    FROM (${unitsAt(build, ['betreiberMastrNummer'])}) AS operated GROUP BY betreiberMastrNummer
  ) AS counted ON counted.nr = actors.mastrNummer`;
}

/** The build since which a former row held: rows of an earlier release have their content since then. */
export const BEGIN = 'coalesce(gueltigSeit, inhaltSeit)';

/** The columns that former rows are read by: the name of the operator is kept once. */
export const formerColumns = (columns: readonly string[]): string[] =>
  columns.map((name) => (name === OPERATOR_NAME ? 'betreiberMastrNummer AS operator' : name));

const OPERATOR_NAME = 'betreiberName';

/**
 * Gives former rows the names that their operators had in a build: of those that are organisations today.
 * @param rows selects `formerColumns`
 */
export function withNames(rows: string, columns: readonly string[], build: number): string {
  if (!columns.includes(OPERATOR_NAME)) return rows;
  const names = `SELECT nr, nullif(argMin(coalesce(name, ''), bis), '') AS name FROM (${NAMES}) AS known WHERE bis > ${build} GROUP BY nr`;
  return `SELECT ${named(columns)} FROM (${rows}) AS former LEFT JOIN (${names}) AS named ON named.nr = former.operator`;
}

/**
 * The same for rows of many builds: each has the name that its operator had until the build in which the row ended.
 * @param rows selects `formerColumns`, and that build as `ende`
 */
export function withNamesOfTheirTime(rows: string, columns: readonly string[]): string {
  if (!columns.includes(OPERATOR_NAME)) return rows;
  return `SELECT ${named(columns)}, former.ende AS ende FROM (${rows}) AS former
    ASOF LEFT JOIN (${NAMES}) AS named ON former.operator = named.nr AND former.ende <= named.bis`;
}

/** Names of organisations, each with the build that had another one. */
const NAMES = `SELECT mastrNummer AS nr, name, CAST(2147483647 AS INTEGER) AS bis FROM marktakteure
    UNION ALL SELECT mastrNummer AS nr, name, bis FROM akteurnamen`;

const named = (columns: readonly string[]): string =>
  columns.map((name) => (name === OPERATOR_NAME ? `named.name AS ${name}` : `former.${name} AS ${name}`)).join(', ');

/** The state of places in a build, for conditions on former rows; null: whatever they were called in any build. */
export const placesIn = (condition: string, build: number | null): string =>
  withSources(condition, (table) => (isPlace(table) ? placesAt(table, build) : null));

const isPlace = (table: string): boolean => table === 'regionen' || table === 'gebiete';

const placesAt = (table: string, build: number | null): string =>
  `SELECT * FROM ${table}_verlauf${build === null ? '' : ` WHERE seit <= ${build} AND (bis IS NULL OR bis > ${build})`}`;
