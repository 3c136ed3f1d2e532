import { z } from 'zod';
import { tableToCount } from './access-paths.ts';
import type { Bit } from './bit-sets.ts';
import { whereAll } from './conditions.ts';
import type { Dialect } from './dialect.ts';
import { bitsOf, carrierNames } from './dimensions.ts';
import { type GroupRequest, groupSelect, sumsWith } from './groups.ts';
import { coveredPlaceRow, placesSelect } from './places.ts';
import { type Binder, binder, type WarehouseStatement } from './statement.ts';
import { STOCK_READS, stockMembers, stockOf } from './stock.ts';
import { unitsMeeting } from './unit-source.ts';
import { withToday } from './units.ts';

/**
 * Units counted by two dimensions at once, with their sub-totals. Units are counted by both keys in one pass; each count then goes
 * into its pair, into the sub-total of either value, and into the total. Sub-totals are no sums over pairs: a unit counts in several
 * groups of a dimension whose keys are bit masks, and once in what stands above them.
 */

export interface PairRequest extends Omit<GroupRequest, 'dimension' | 'ids' | 'net'> {
  readonly first: Pick<GroupRequest, 'dimension' | 'ids'>;
  readonly second: Pick<GroupRequest, 'dimension' | 'ids'>;
}

const placeRow = coveredPlaceRow.partial().shape;

/** A pair, a sub-total, or the total. */
export const pairRow = z.strictObject({
  /** True where the row is about all values of a dimension. */
  ofAll: z.tuple([z.number(), z.number()]),
  key: z.string().nullable(),
  key2: z.string().nullable(),
  count: z.number(),
  /** Gross capacity, kW; unknown capacity adds nothing. */
  kw: z.number(),
  /** Units whose gross capacity is known. */
  known: z.number(),
  /** Energy of storage, kWh. */
  kwh: z.number(),
  /** Net capacity, kW. */
  netKw: z.number(),
  ...placeRow,
  schluessel2: placeRow.schluessel,
  name2: placeRow.name,
  bundesland2: placeRow.bundesland,
  ...stockMembers,
  /** Pairs in all, also those beyond the limit. */
  pairs: z.number(),
});

export type PairRow = z.infer<typeof pairRow>;

/** Selects pairs, then sub-totals and the total, in no order within these; no row where no unit meets the conditions. */
export function pairStatement(request: PairRequest, dialect: Dialect): WarehouseStatement {
  const { conditions, stockDays = [], limit, today } = request;
  const [first, second] = [request.first.dimension, request.second.dimension];
  const values = binder();
  const read = [
    ...[first, second].flatMap(({ field }) => (field === null ? [] : [field.name])),
    ...(stockDays.length === 0 ? [] : STOCK_READS),
  ];
  const units = unitsMeeting(conditions, tableToCount(conditions, dialect, read), dialect, values);
  const stock = stockDays.length === 0 ? null : stockOf(stockDays, dialect, values);
  const also = [`${second.key(dialect)} AS schluessel2`, ...(stock?.counted ?? [])];
  const one = keysOf(request.first, '', values, dialect);
  const two = keysOf(request.second, '2', values, dialect);
  const lines = [
    `WITH counted AS (\n${groupSelect(first, units.from, whereAll(units.conditions), dialect, also, true)}\n),`,
    'unit_groups AS (',
    `  SELECT alle, ${one.value} AS schluessel, alle2, ${two.value} AS schluessel2,`,
    `    ${sumsWith(true, stock)}`,
    `  FROM counted CROSS JOIN ${one.table} CROSS JOIN ${two.table}`,
    `  WHERE ${one.counts} AND ${two.counts}`,
    `  GROUP BY 1, 2, 3, 4`,
    ')',
    'SELECT',
    '  [CAST(unit_groups.alle AS DOUBLE), CAST(unit_groups.alle2 AS DOUBLE)] AS "ofAll",',
    `  ${one.columns}`,
    `  ${two.columns}`,
    ...(stock === null ? [] : [stock.columns]),
    '  CAST(unit_groups.anzahl AS DOUBLE) AS "count",',
    '  CAST(unit_groups.kw AS DOUBLE) AS kw,',
    '  CAST(unit_groups.mitLeistung AS DOUBLE) AS known,',
    '  CAST(unit_groups.kwh AS DOUBLE) AS kwh,',
    '  CAST(unit_groups.netto AS DOUBLE) AS "netKw",',
    '  CAST(sum(CASE WHEN unit_groups.alle + unit_groups.alle2 = 0 THEN 1 ELSE 0 END) OVER () AS DOUBLE) AS pairs',
    'FROM unit_groups',
    one.join,
    two.join,
    'ORDER BY unit_groups.alle + unit_groups.alle2',
    `LIMIT ${values.bind(limit)}`,
  ];
  return withToday(lines, values.values, today, dialect);
}

/** The values of a dimension, and all of them as one. */
interface Keys {
  /** Joined with what is counted; `alle` is 1 where a row is about all values. */
  readonly table: string;
  /** The condition that a count belongs to the value. */
  readonly counts: string;
  readonly value: string;
  /** Columns of an answer. */
  readonly columns: string;
  readonly join: string;
}

/** @param nth ends the names of the dimension's columns */
function keysOf({ dimension, ids }: PairRequest['first'], nth: '' | '2', values: Binder, dialect: Dialect): Keys {
  const [key, all, alias] = [`counted.schluessel${nth}`, `alle${nth}`, `places${nth}`];
  const stored = `unit_groups.schluessel${nth}`;
  const text = carrierNames(dimension, stored, dialect) ?? `CAST(${stored} AS VARCHAR)`;
  const bits = bitsOf(dimension);
  const { places } = dimension;
  return {
    ...(bits === null
      ? {
          table: `(SELECT 0 AS ${all} UNION ALL SELECT 1 AS ${all}) AS werte${nth}`,
          counts: 'true',
          value: `CASE WHEN ${all} = 0 THEN ${dimension.valueOf(key, dialect) ?? key} END`,
        }
      : {
          table: bitRows(bits, nth),
          counts: `(${all} = 1 OR (${dialect.sharesBits(key, `werte${nth}.bit${nth}`)} AND ${dialect.isAmong(`werte${nth}.id${nth}`, values.bind(ids))}))`,
          value: `CASE WHEN ${all} = 0 THEN werte${nth}.id${nth} END`,
        }),
    columns:
      places === null
        ? `${text} AS "key${nth}",`
        : `${alias}.wert AS "key${nth}", ${['schluessel', 'name', 'bundesland'].map((name) => `${alias}.${name} AS "${name}${nth}",`).join(' ')}`,
    join:
      places === null
        ? ''
        : `LEFT JOIN (SELECT * FROM ${placesSelect(places, dialect)}) AS ${alias} ON ${alias}.gebiet = CAST(${stored} AS INTEGER)`,
  };
}

const bitRows = (bits: readonly Bit[], nth: string): string =>
  `(VALUES (0, '', 1), ${bits.map(({ bit, id }) => `(${bit}, '${id}', 0)`).join(', ')}) AS werte${nth} (bit${nth}, id${nth}, alle${nth})`;
