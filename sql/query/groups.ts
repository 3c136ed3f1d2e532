import { z } from 'zod';
import type { Projection } from '../catalogue/projections.ts';
import { tableToCount } from './access-paths.ts';
import { type Bit, bitTable } from './bit-sets.ts';
import { whereAll } from './conditions.ts';
import type { Dialect } from './dialect.ts';
import { bitsOf, carrierNames, type Dimension } from './dimensions.ts';
import { SUMMED_ENERGY } from './energy.ts';
import { NET_CAPACITY } from './net-capacity.ts';
import { listLevel, perPlace, perPlaceMembers } from './per-place.ts';
import { placeMembers, placesSelect } from './places.ts';
import { type Binder, binder, type WarehouseStatement } from './statement.ts';
import { STOCK_READS, type Stock, stockMembers, stockOf } from './stock.ts';
import { fromProjection, type UnitSource, unitsMeeting } from './unit-source.ts';
import { type UnitCriteria, withToday } from './units.ts';

/** Units counted in groups. Every SELECT of groups has the columns schluessel, anzahl, kw, mitLeistung and kwh. */

/** The build counts all units in this projection, where most dimensions are runs of equal values. */
export const COUNTED_UNITS: Projection = 'units_by_place';

export const FROM_COUNTED_UNITS = fromProjection(COUNTED_UNITS);

/** Under this name the table `aggregationen` has one row over all units. */
export const ALL_UNITS = 'alle';

export interface GroupRequest extends UnitCriteria {
  readonly dimension: Dimension;
  /** Of a dimension whose keys are bit masks, the ids that may become groups. */
  readonly ids: readonly string[];
  /** Maximum number of groups returned. */
  readonly limit: number;
  /** Days of which each group has its stock, in their order; absent = none. */
  readonly stockDays?: readonly string[];
  /** Whether net capacity is added up, too, which the build has not counted. Default: it is not. */
  readonly net?: boolean;
}

/** Net capacity (kW) stands where it is asked for: 0 in a version without it. */
const netMember = { netKw: z.number().nullable().optional(), totalNetKw: z.number().optional() };

const totals = { totalCount: z.number(), totalKw: z.number(), totalKwh: z.number(), ...netMember };

/**
 * A group and the totals. Where totals are not those of the groups and there is no group, one row has them and `count` null.
 */
export const groupRow = z.union([
  z.strictObject({
    key: z.string().nullable(),
    count: z.number(),
    /** Gross capacity, kW; unknown capacity adds nothing. */
    kw: z.number(),
    /** Units of the group whose capacity is known. */
    known: z.number(),
    /** Energy of storage, kWh; 0 in a version without it. */
    kwh: z.number(),
    ...placeMembers,
    ...perPlaceMembers,
    ...stockMembers,
    ...totals,
  }),
  z.strictObject({
    ...{ key: z.null(), count: z.null(), kw: z.null(), known: z.null(), kwh: z.null() },
    ...placeMembers,
    ...perPlaceMembers,
    ...stockMembers,
    ...totals,
  }),
]);

type GroupRow = z.infer<typeof groupRow>;

/** A row that has a group. */
export type Group = Extract<GroupRow, { count: number }>;

/**
 * Selects groups by count, descending, then by key; the group without a value follows those of equal count. Without a
 * condition the groups that the build has counted are read, otherwise the units are counted in one pass.
 */
export function groupStatement(request: GroupRequest, dialect: Dialect): WarehouseStatement {
  const values = binder();
  const { conditions, dimension, stockDays = [], net = false } = request;
  const grouped = [
    ...(dimension.field === null ? [] : [dimension.field.name]),
    ...(stockDays.length === 0 ? [] : STOCK_READS),
  ];
  const units = unitsMeeting(conditions, tableToCount(conditions, dialect, grouped), dialect, values);
  const stock = stockDays.length === 0 ? null : stockOf(stockDays, dialect, values);
  const source =
    conditions.length === 0 && stock === null && !net && dialect.counted
      ? precomputedGroups(request, values, dialect)
      : computedGroups(request, units, stock, values, dialect);
  const { places } = dimension;
  const level = listLevel(dimension, dialect);
  const also = [...(net ? ['netto'] : []), ...(stock?.names ?? [])];
  const per = level === null ? null : perPlace(level, source.counted, SUMS, also);
  const stored = 'unit_groups.schluessel';
  const text = carrierNames(dimension, stored, dialect) ?? `CAST(${stored} AS VARCHAR)`;
  const lines = [
    `WITH ${[source.tables, ...(per?.tables ?? [])].join(',\n')}`,
    'SELECT',
    `  ${places === null ? text : 'places.wert'} AS "key",`,
    ...(places === null
      ? []
      : ['  places.schluessel AS schluessel, places.name AS name, places.bundesland AS bundesland,']),
    ...(per === null ? [] : [per.columns]),
    ...(stock === null ? [] : [stock.columns]),
    '  CAST(unit_groups.anzahl AS DOUBLE) AS "count",',
    '  CAST(unit_groups.kw AS DOUBLE) AS kw,',
    '  CAST(unit_groups.mitLeistung AS DOUBLE) AS known,',
    '  CAST(unit_groups.kwh AS DOUBLE) AS kwh,',
    ...(net
      ? [`  CAST(unit_groups.netto AS DOUBLE) AS "netKw", CAST(${source.total('netto')} AS DOUBLE) AS "totalNetKw",`]
      : []),
    `  CAST(${source.total('anzahl')} AS DOUBLE) AS "totalCount",`,
    `  CAST(${source.total('kw')} AS DOUBLE) AS "totalKw",`,
    `  CAST(${source.total('kwh')} AS DOUBLE) AS "totalKwh"`,
    `FROM ${source.from(per === null ? 'unit_groups' : 'placed_groups AS unit_groups')}`,
    ...(places === null
      ? []
      : [`LEFT JOIN ${placesSelect(places, dialect)} ON places.gebiet = CAST(unit_groups.schluessel AS INTEGER)`]),
    'ORDER BY unit_groups.anzahl DESC NULLS LAST, "key" NULLS LAST',
    `LIMIT ${values.bind(request.limit)}`,
  ];
  return withToday(lines, values.values, request.today, dialect);
}

/** The table `unit_groups`, and the totals. */
interface GroupSource {
  /** Common table expressions. */
  readonly tables: string;
  /** A table `counted` has the figures by `landkreisgebiet` and `gemeindegebiet`, if the groups are districts or municipalities. */
  readonly counted: string;
  /** @param groups `unit_groups`, or another table under this alias */
  readonly from: (groups: string) => string;
  readonly total: (figure: 'anzahl' | 'kw' | 'kwh' | 'netto') => string;
}

/** Totals that are not those of the groups stand in a row of their own. */
const WITH_TOTALS: Omit<GroupSource, 'counted' | 'tables'> = {
  from: (groups) => `totals LEFT JOIN ${groups} ON true`,
  total: (figure) => `totals.${figure}`,
};

const OF_THE_GROUPS: Omit<GroupSource, 'counted' | 'tables'> = {
  from: (groups) => groups,
  total: (figure) => `sum(unit_groups.${figure}) OVER ()`,
};

const TOTALS = 'coalesce(sum(anzahl), 0) AS anzahl, coalesce(sum(kw), 0) AS kw, coalesce(sum(kwh), 0) AS kwh';

/** The figures of groups that are added up. */
const SUMS = 'sum(anzahl) AS anzahl, sum(kw) AS kw, sum(mitLeistung) AS mitLeistung, sum(kwh) AS kwh';

/** The same, with what a question asks for beyond them. */
export const sumsWith = (net: boolean, stock: Stock | null): string =>
  [SUMS, ...(net ? ['sum(netto) AS netto'] : []), ...(stock === null ? [] : [stock.sums])].join(',\n    ');

/** Municipalities and districts have many times as many rows: their figures of each day are added up from fewer. */
const countedByDays = (net: boolean): string =>
  `(SELECT schluessel, seit, bis, ${sumsWith(net, null)} FROM counted GROUP BY schluessel, seit, bis) AS counted`;

/** Groups that the build has counted; in ClickHouse several rows add up to a group. */
function precomputedGroups({ dimension, ids }: GroupRequest, values: Binder, dialect: Dialect): GroupSource {
  const chosen = bitsOf(dimension) === null ? '' : ` AND ${dialect.isAmong('schluessel', values.bind(ids))}`;
  const counted = dialect.storageEnergy ? 'aggregationen' : '(SELECT *, 0 AS kwh FROM aggregationen) AS aggregationen';
  return {
    ...WITH_TOTALS,
    counted: countedBefore(dimension, counted, dialect),
    tables: `unit_groups AS (
  SELECT schluessel, ${SUMS}
  FROM ${counted}
  WHERE dimension = ${values.bind(dimension.name)}${chosen}
  GROUP BY schluessel
),
totals AS (
  SELECT ${TOTALS} FROM ${counted} WHERE dimension = '${ALL_UNITS}'
)`,
  };
}

/** Municipalities have been counted; in which district each unit lies is counted for the question, whose answer is kept. */
const countedBefore = ({ places }: Dimension, before: string, dialect: Dialect): string =>
  places === 'landkreis'
    ? `(SELECT units.landkreisgebiet AS landkreisgebiet, units.gemeindegebiet AS gemeindegebiet, ${figures(dialect)}
  ${FROM_COUNTED_UNITS} GROUP BY ALL) AS counted`
    : `(SELECT CAST(schluessel AS INTEGER) AS gemeindegebiet, anzahl, kw, mitLeistung, kwh FROM ${before} WHERE dimension = 'gemeinde') AS counted`;

/**
 * Counts the units that meet the conditions. ClickHouse evaluates a common table expression as often as it is named, so units are
 * counted in one that is named once where the totals are those of the groups.
 */
function computedGroups(
  { dimension, ids, net = false }: GroupRequest,
  { from, conditions }: UnitSource,
  stock: Stock | null,
  values: Binder,
  dialect: Dialect,
): GroupSource {
  const where = whereAll(conditions);
  const also = stock?.counted ?? [];
  const sums = sumsWith(net, stock);
  const counted = groupSelect(dimension, from, where, dialect, also, net);
  const bits = bitsOf(dimension);
  if (dimension.places !== null && listLevel(dimension, dialect) !== null) {
    return {
      ...OF_THE_GROUPS,
      counted: 'counted',
      tables: `counted AS MATERIALIZED (
${groupSelect(
  dimension,
  from,
  where,
  dialect,
  ['units.landkreisgebiet AS landkreisgebiet', 'units.gemeindegebiet AS gemeindegebiet', ...also],
  net,
)}
),
unit_groups AS (
  SELECT schluessel, ${sums} FROM ${stock === null ? 'counted' : countedByDays(net)} GROUP BY schluessel
)`,
    };
  }
  if (bits === null) {
    const groups =
      stock === null
        ? valuesOf(dimension, counted, dialect, sums)
        : groupsByValue(dimension, `(\n${counted}\n) AS counted`, dialect, sums);
    return { ...OF_THE_GROUPS, counted: '', tables: `unit_groups AS (\n${groups}\n)` };
  }
  const shown = dialect.isAmong('schluessel', values.bind(ids));
  return {
    ...WITH_TOTALS,
    counted: '',
    tables: `counted AS MATERIALIZED (
${counted}
),
unit_groups AS (
  SELECT * FROM (${bitGroupSelect(bits, 'counted AS masks', dialect, sums)}) AS bit_groups WHERE ${shown}
),
totals AS (
  SELECT ${TOTALS}${net ? ', coalesce(sum(netto), 0) AS netto' : ''} FROM counted
)`,
  };
}

/**
 * Counts units by the key of a dimension; the key of signals and of anomalies is their bit mask.
 * @param also further columns that they are counted by
 * @param net whether net capacity is added up, too
 */
export const groupSelect = (
  dimension: Dimension,
  table: string,
  where: string,
  dialect: Dialect,
  also: readonly string[] = [],
  net = false,
): string =>
  [
    `SELECT ${[`${dimension.key(dialect)} AS schluessel`, ...also].join(', ')}, ${figures(dialect, net)}`,
    ...[table, where, 'GROUP BY ALL'],
  ]
    .filter((line) => line !== '')
    .join('\n');

/** @param counted selects groups by key */
const valuesOf = (dimension: Dimension, counted: string, dialect: Dialect, sums: string): string =>
  dimension.valueOf('schluessel', dialect) === null
    ? counted
    : groupsByValue(dimension, `(\n${counted}\n) AS counted`, dialect, sums);

/** Selects counted groups by the values that their keys stand for, of which several may stand for the same. */
export function groupsByValue(dimension: Dimension, counted: string, dialect: Dialect, sums = SUMS): string {
  const value = dimension.valueOf('schluessel', dialect);
  if (value === null && sums === SUMS) return `SELECT * FROM ${counted}`;
  return `SELECT ${value ?? 'schluessel'} AS schluessel,
    ${sums}
  FROM ${counted} GROUP BY 1`;
}

/** Figures of a group; capacities are summed as decimals, which loses nothing. */
const figures = ({ storageEnergy, netCapacity }: Dialect, net = false): string => `count(*) AS anzahl,
  coalesce(sum(units.bruttoleistungKw), 0) AS kw, count(units.bruttoleistungKw) AS mitLeistung,
  ${storageEnergy ? `coalesce(sum(units.${SUMMED_ENERGY}), 0)` : '0'} AS kwh${
    net ? `, ${netCapacity ? `coalesce(sum(units.${NET_CAPACITY}), 0)` : '0'} AS netto` : ''
  }`;

/**
 * Turns groups by bit mask into groups by bit: a unit counts in each of its signals, or of its anomalies.
 * @param masks the groups by bit mask, under the alias `masks`
 */
export const bitGroupSelect = (
  bits: readonly Bit[],
  masks: string,
  dialect: Dialect,
  sums = SUMS,
): string => `SELECT one.id AS schluessel,
  ${sums}
FROM ${masks} CROSS JOIN ${bitTable(bits)}
WHERE ${dialect.sharesBits('masks.schluessel', 'one.bit')}
GROUP BY one.id`;

/** Counts all units as one group. */
export const totalsSelect = (dialect: Dialect): string =>
  `SELECT NULL AS schluessel, ${figures(dialect)}\n${FROM_COUNTED_UNITS}`;
