import { z } from 'zod';
import { entryOf } from '../../runtime/present.ts';
import { CARRIERS, carrierMask } from '../catalogue/carriers.ts';
import { UNIT_FILTERS } from '../catalogue/unit-fields.ts';
import { projectionToCount } from './access-paths.ts';
import { IN_OPERATION, PLANNED } from './change-feed.ts';
import { type Condition, conditionSql, whereAll } from './conditions.ts';
import type { Dialect, Dialects } from './dialect.ts';
import { dimensionNamed } from './dimensions.ts';
import { SUMMED_ENERGY } from './energy.ts';
import { NET_CAPACITY } from './net-capacity.ts';
import { binder, type WarehouseStatement } from './statement.ts';
import { fromProjection } from './unit-source.ts';
import { type UnitCriteria, withToday } from './units.ts';

/**
 * Units as the operator of a grid looks at them: by voltage level, by connection point, and by what can be controlled remotely. DuckDB
 * finds and counts them in a projection, and joins what stands in `units` alone: its texts would cost most. ClickHouse reads `units`.
 */

const STOCK = `units.statusId = ${IN_OPERATION}`;
const PIPELINE = `units.statusId = ${PLANNED}`;

const HAS_PERMIT: Condition = { ...entryOf(UNIT_FILTERS, 'hatGenehmigung'), value: true };

type Measure = readonly [name: string, column: string];

/** Counts units and adds up their capacity where a condition holds; unknown capacity adds nothing. @param prefix begins the names */
const figures = (prefix: string, condition: string, ...measures: readonly Measure[]): string[] => [
  `CAST(sum(CASE WHEN ${condition} THEN 1 ELSE 0 END) AS DOUBLE) AS "${prefix}Count"`,
  ...measures.map(
    ([name, column]) =>
      `CAST(coalesce(sum(CASE WHEN ${condition} THEN ${column} END), 0) AS DOUBLE) AS "${prefix}${name}"`,
  ),
];

const GROSS: Measure = ['Kw', 'units.bruttoleistungKw'];
const NET: Measure = ['NetKw', `units.${NET_CAPACITY}`];
const energyOf = ({ storageEnergy }: Dialect): Measure[] => (storageEnergy ? [['Kwh', `units.${SUMMED_ENERGY}`]] : []);

const shapeOf = <Name extends string>(...names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, z.number()])) as Record<Name, z.ZodNumber>;

/** Where units are found. */
interface Source {
  readonly dialect: Dialect;
  /** The table that has the columns which projections lack. */
  readonly own: 'netz' | 'units';
  readonly from: string;
}

/** @param columns of `units` that no projection has */
function sourceOf(conditions: readonly Condition[], columns: readonly string[], dialects: Dialects): Source {
  const { units, projections } = dialects;
  if (!projections.narrowProjections || !projections.netCapacity) {
    return { dialect: units, own: 'units', from: 'FROM units AS units' };
  }
  const table = projectionToCount(conditions, projections, ['spannungsebene']);
  const joined = `JOIN (SELECT nummer, ${columns.join(', ')} FROM units) AS netz ON netz.nummer = ${projections.unitNumber}`;
  return { dialect: projections, own: 'netz', from: `${fromProjection(table)} ${joined}` };
}

/** Adds figures up by the values of dimensions, of which several keys may stand for one. */
function byValues(
  names: readonly string[],
  sums: readonly string[],
  from: readonly string[],
  dialect: Dialect,
): string[] {
  const dimensions = names.map(dimensionNamed);
  const totals = sums.map((line) => line.slice(line.lastIndexOf(' ') + 1));
  const places = names.map((_, place) => place + 1).join(', ');
  return [
    'SELECT',
    [
      ...dimensions.map(
        (one) =>
          `CAST(${one.valueOf(`counted.k_${one.name}`, dialect) ?? `counted.k_${one.name}`} AS VARCHAR) AS "${one.name}"`,
      ),
      ...totals.map((name) => `CAST(sum(counted.${name}) AS DOUBLE) AS ${name}`),
    ].join(',\n  '),
    'FROM (',
    `SELECT ${dimensions.map((one) => `${one.key(dialect)} AS k_${one.name}`).join(', ')},`,
    sums.join(',\n  '),
    ...from,
    `GROUP BY ${places}`,
    ') AS counted',
    `GROUP BY ${places}`,
  ];
}

export const levelRow = z.strictObject({
  /** Null: units whose connection point the register does not know. */
  spannungsebene: z.string().nullable(),
  einheitTyp: z.enum(CARRIERS),
  ...shapeOf('stockCount', 'stockKw', 'stockNetKw'),
  ...shapeOf('pipelineCount', 'pipelineKw', 'pipelineNetKw'),
  /** Energy of storage, kWh; missing in a version without it. */
  ...z.strictObject({ stockKwh: z.number(), pipelineKwh: z.number() }).partial().shape,
  /** Those of the pipeline that have a permit, and those with a planned day. */
  ...shapeOf('permittedCount', 'permittedKw', 'datedCount'),
  /** Neither in operation nor planned. */
  ...shapeOf('shutCount', 'shutKw'),
  /** Of the stock: what a grid operator, a direct marketer, or one of them can control; what says nothing about either. */
  ...shapeOf(
    'gridCount',
    'gridKw',
    'marketerCount',
    'marketerKw',
    'remoteCount',
    'remoteKw',
    'silentCount',
    'silentKw',
  ),
});

export type LevelRow = z.infer<typeof levelRow>;

/** Selects rows of levelRow: the units that meet the conditions by voltage level and carrier. */
export function levelsStatement({ conditions, today }: UnitCriteria, dialects: Dialects): WarehouseStatement {
  const values = binder();
  const control = ['fernsteuerbarNetzbetreiber', 'fernsteuerbarDirektvermarkter'];
  const { dialect, own, from } = sourceOf(conditions, control, dialects);
  const [grid, marketer] = control.map((name) => `${own}.${name}`);
  const where = conditions.map((condition) => conditionSql(condition, dialect, values));
  const sums = [
    ...figures('stock', STOCK, GROSS, NET, ...energyOf(dialect)),
    ...figures('pipeline', PIPELINE, GROSS, NET, ...energyOf(dialect)),
    ...figures('permitted', `${PIPELINE} AND ${conditionSql(HAS_PERMIT, dialect, values)}`, GROSS),
    ...figures('dated', `${PIPELINE} AND units.geplantesInbetriebnahmedatum IS NOT NULL`),
    ...figures('shut', `NOT coalesce(units.statusId IN (${IN_OPERATION}, ${PLANNED}), false)`, GROSS),
    ...figures('grid', `${STOCK} AND ${grid}`, GROSS),
    ...figures('marketer', `${STOCK} AND ${marketer}`, GROSS),
    ...figures('remote', `${STOCK} AND (${grid} OR ${marketer})`, GROSS),
    ...figures('silent', `${STOCK} AND ${grid} IS NULL AND ${marketer} IS NULL`, GROSS),
  ];
  const lines = byValues(['spannungsebene', 'einheitTyp'], sums, [from, whereAll(where)], dialect);
  return withToday(lines, values.values, today, dialect);
}

export const unplacedRow = z.strictObject({
  einheitTyp: z.enum(CARRIERS),
  ...shapeOf('pipelineCount', 'pipelineKw', 'permittedCount', 'permittedKw'),
});

/**
 * Selects planned units of which the register does not know the grid, as rows of unplacedRow: those in the municipalities in which
 * the operators have units. Few planned units have a location, and without one nobody knows their grid.
 * @param conditions of which those on operators choose the municipalities
 */
export function unplacedStatement({ conditions, today }: UnitCriteria, dialect: Dialect): WarehouseStatement {
  const values = binder();
  const operator = dimensionNamed('netzbetreiber');
  const written = (list: readonly Condition[]) => list.map((one) => conditionSql(one, dialect, values));
  const isOperator = ({ field }: Condition): boolean => field.name === operator.name;
  const there = conditions.filter(isOperator);
  const others = conditions.filter((condition) => !isOperator(condition));
  const key = operator.key(dialect);
  const where = whereAll([
    ...written(others),
    PIPELINE,
    `(${operator.valueOf(key, dialect) ?? key}) IS NULL`,
    `units.gemeindegebiet ${dialect.isIn} (SELECT units.gemeindegebiet ${fromProjection(projectionToCount(there, dialect))} ${whereAll(written(there))})`,
  ]);
  const sums = [
    ...figures('pipeline', PIPELINE, GROSS),
    ...figures('permitted', conditionSql(HAS_PERMIT, dialect, values), GROSS),
  ];
  const from = fromProjection(projectionToCount(others, dialect));
  return withToday(byValues(['einheitTyp'], sums, [from, where], dialect), values.values, today, dialect);
}

export const pointRow = z.strictObject({
  point: z.string(),
  level: z.string().nullable(),
  postcode: z.string().nullable(),
  town: z.string().nullable(),
  state: z.string().nullable(),
  /** Bit mask of the carriers there. */
  carriers: z.number(),
  /** Gross capacity of stock and pipeline, kW, by which points are sorted. */
  kw: z.number(),
  ...shapeOf('stockCount', 'stockKw', 'stockNetKw'),
  ...shapeOf('pipelineCount', 'pipelineKw', 'pipelineNetKw'),
  ...shapeOf('gridCount', 'gridKw'),
});

export interface PointsRequest extends UnitCriteria {
  /** Capacity and number of the last point that was delivered. */
  readonly after: readonly [kw: number, point: string] | null;
  readonly limit: number;
}

/** Selects connection points of units in operation or planned as rows of pointRow, those with the most gross capacity first. */
export function pointsStatement(request: PointsRequest, dialects: Dialects): WarehouseStatement {
  const { conditions, after, limit, today } = request;
  const values = binder();
  const columns = ['netzanschlusspunktMastrNummer', 'ort', 'fernsteuerbarNetzbetreiber'];
  const { dialect, own, from } = sourceOf(conditions, columns, dialects);
  const carriers = CARRIERS.map(
    (name) => `max(CASE WHEN units.einheitTyp = '${name}' THEN ${carrierMask([name])} ELSE 0 END)`,
  );
  // As text, so that both engines take the same of several.
  const first = (column: string, name: string) => `min(CAST(${column} AS VARCHAR)) AS "${name}"`;
  const level = dimensionNamed('spannungsebene');
  const where = whereAll([
    ...conditions.map((condition) => conditionSql(condition, dialect, values)),
    `units.statusId IN (${IN_OPERATION}, ${PLANNED})`,
    `${own}.netzanschlusspunktMastrNummer IS NOT NULL`,
  ]);
  const at = after === null ? null : { kw: values.bind(after[0]), point: values.bind(after[1]) };
  const lines = [
    'SELECT * FROM (',
    `SELECT CAST(${own}.netzanschlusspunktMastrNummer AS VARCHAR) AS "point",`,
    [
      first(level.valueOf(level.key(dialect), dialect) ?? level.key(dialect), 'level'),
      first('units.plz', 'postcode'),
      first(`${own}.ort`, 'town'),
      first('units.bundesland', 'state'),
      `CAST(${carriers.join(' + ')} AS DOUBLE) AS "carriers"`,
      'CAST(coalesce(sum(units.bruttoleistungKw), 0) AS DOUBLE) AS "kw"',
      ...figures('stock', STOCK, GROSS, NET),
      ...figures('pipeline', PIPELINE, GROSS, NET),
      ...figures('grid', `${STOCK} AND ${own}.fernsteuerbarNetzbetreiber`, GROSS),
    ].join(',\n  '),
    from,
    where,
    `GROUP BY ${own}.netzanschlusspunktMastrNummer`,
    ') AS points',
    at === null ? '' : `WHERE points."kw" < ${at.kw} OR (points."kw" = ${at.kw} AND points."point" > ${at.point})`,
    'ORDER BY points."kw" DESC, points."point"',
    `LIMIT ${values.bind(limit)}`,
  ];
  return withToday(lines, values.values, today, dialect);
}

export const operatorRow = z.strictObject({
  /** Null: units without one. */
  netzbetreiber: z.string().nullable(),
  ...shapeOf('allCount', 'stockCount', 'stockKw', 'pipelineCount', 'pipelineKw'),
  /** Net capacity, kW; missing where the projections of an earlier release have none. */
  ...z.strictObject({ stockNetKw: z.number(), pipelineNetKw: z.number() }).partial().shape,
});

/** Selects the grid operators of units that meet the conditions as rows of operatorRow, in no order. */
export function operatorsStatement({ conditions, today }: UnitCriteria, dialect: Dialect): WarehouseStatement {
  const values = binder();
  const measures = dialect.netCapacity ? [GROSS, NET] : [GROSS];
  const sums = [
    'CAST(count(*) AS DOUBLE) AS "allCount"',
    ...figures('stock', STOCK, ...measures),
    ...figures('pipeline', PIPELINE, ...measures),
  ];
  const from = fromProjection(projectionToCount(conditions, dialect, ['netzbetreiber']));
  const where = whereAll(conditions.map((condition) => conditionSql(condition, dialect, values)));
  return withToday(byValues(['netzbetreiber'], sums, [from, where], dialect), values.values, today, dialect);
}

export const operatorNumberRow = z.strictObject({ name: z.string(), number: z.string() });

/** The numbers of grid operators by their names: nearly all have one. */
export const OPERATOR_NUMBERS: WarehouseStatement = {
  text: `SELECT CAST(units.netzbetreiber AS VARCHAR) AS "name", CAST(units.netzbetreiberMastrNummer AS VARCHAR) AS "number"
FROM units AS units
WHERE units.netzbetreiber IS NOT NULL AND units.netzbetreiberMastrNummer IS NOT NULL
GROUP BY units.netzbetreiber, units.netzbetreiberMastrNummer
ORDER BY 1, 2`,
  values: {},
};
